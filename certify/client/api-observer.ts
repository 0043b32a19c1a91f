import { ROOT_PATHS } from '../../contract/operations.ts';
import { limits } from '../../judge/client/limits.ts';
import { TOKEN_PATH } from '../../judge/client/observed.ts';
import type { EventLog } from './event-log.ts';

/** The header that marks requests of the run itself: they are not the client's. */
export const OWN_HEADER = 'x-certify-own';

/** The requests of a client of the service, without pages for people. */
const API_PATHS = new RegExp(`^(?:${ROOT_PATHS.join('|')})(?:/|$)`);

export interface ApiObserver {
  /** Passes a request on, and records it with its answer. */
  readonly beforeApi: (
    request: Request,
    answer: (request: Request) => Promise<Response>,
  ) => Promise<Response>;
  /** When the quota of the client is renewed, according to its answers; undefined: none has said it. */
  quotaResetMs(): number | undefined;
}

/** Watches the API. `ownMark`: the value of the header of the run's own requests. */
export function observeApi(log: EventLog, ownMark: string): ApiObserver {
  let lastId = 0;
  let resetMs: number | undefined;
  /** The issued tokens, counted from 1. */
  const tokens = new Map<string, number>();

  const note = async (id: number, path: string, answer: Response): Promise<Response> => {
    const { status, headers } = answer;
    const reset = Number(headers.get('x-rate-limit-reset') ?? Number.NaN);
    if (Number.isFinite(reset)) resetMs = reset * 1_000;
    const hasBody = status >= 400 || path === TOKEN_PATH;
    const text = hasBody ? await answer.text() : '';
    const body = readObject(text);
    const retryAfter = headers.get('retry-after');
    const { access_token: given, expires_in: lifeS, type, detail } = body;
    log.add({
      kind: 'answer',
      id,
      status,
      ...(typeof type === 'string' ? { problem: type.replace(/^\/problems\//, '') } : {}),
      ...(typeof detail === 'string' ? { detail } : {}),
      ...(retryAfter === null ? {} : { retryAfterS: Number(retryAfter) }),
      ...(typeof given === 'string' && typeof lifeS === 'number'
        ? { issued: { token: numberOf(given), lifeS } }
        : {}),
    });
    // A consumed body cannot be read again.
    return hasBody ? new Response(text, { status, headers }) : answer;
  };

  const numberOf = (token: string): number => {
    const known = tokens.get(token);
    if (known !== undefined) return known;
    tokens.set(token, tokens.size + 1);
    return tokens.size;
  };

  return {
    quotaResetMs: () => resetMs,
    async beforeApi(request, answer) {
      const path = new URL(request.url).pathname;
      const isOfClient = path === TOKEN_PATH || API_PATHS.test(path);
      if (!isOfClient || request.headers.get(OWN_HEADER) === ownMark) return answer(request);
      lastId++;
      const id = lastId;
      const bearer = /^bearer (\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
      const token = bearer === undefined ? {} : { token: tokens.get(bearer) ?? 0 };
      log.add({ kind: 'request', id, method: request.method, path, ...token });
      let isOver = false;
      request.signal.addEventListener('abort', () => {
        if (!isOver) log.add({ kind: 'abandoned', id });
      });
      const answered = await note(id, path, await answer(request));
      isOver = true;
      return answered;
    },
  };
}

/** Empty if it is not an object. */
function readObject(text: string): Readonly<Record<string, unknown>> {
  if (text === '' || text.length > limits.bodyBytes) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

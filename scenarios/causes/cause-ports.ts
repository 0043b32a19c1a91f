import { jsonOf } from '../../world/json.ts';
/** A request to the service or to the simulator's control API. */
export interface CauseRequest {
  readonly target: 'api' | 'simulator';
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface CauseAnswer {
  readonly status: number;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Makes a request. Rejects when the server does not answer. */
export type MakeRequest = (request: CauseRequest) => Promise<CauseAnswer>;

/** Resolves after the delay. */
export type Pause = (delayMs: number) => Promise<void>;

/** Requests and time, for bringing causes about. */
export interface CausePorts {
  readonly call: MakeRequest;
  readonly pause: Pause;
  nowMs(): number;
}

/** The answer's body as JSON; undefined when it is not JSON. */
export function bodyOf({ text }: Pick<CauseAnswer, 'text'>): unknown {
  return jsonOf(text);
}

/** A request to the control API or to the service, with a JSON body. */
export function jsonRequest(
  target: CauseRequest['target'],
  method: string,
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): CauseRequest {
  if (body === undefined) return { target, method, path, headers };
  return {
    target,
    method,
    path,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}

/** Whether the status is 2xx; 0, for a missing answer, is not. */
export function isSuccess({ status }: Pick<CauseAnswer, 'status'>): boolean {
  return status >= 200 && status < 300;
}

/** The service or the simulator refused a step of a cause. */
export class StepRefused extends Error {
  override readonly name = 'NotDone';
}

/**
 * The JSON of an answer with status 2xx. Rejects with `StepRefused`, which quotes the answer, for any other
 * status.
 */
export async function answered(ports: CausePorts, request: CauseRequest): Promise<unknown> {
  return bodyIn(request, await ports.call(request));
}

/** The same; undefined where the control API has no such path. */
export async function answeredIfThere(ports: CausePorts, request: CauseRequest): Promise<unknown> {
  const answer = await ports.call(request);
  return answer.status === 404 ? undefined : bodyIn(request, answer);
}

function bodyIn(request: CauseRequest, answer: CauseAnswer): unknown {
  if (isSuccess(answer)) return bodyOf(answer);
  throw new StepRefused(`${request.method} ${request.path} answered ${answer.status}: ${answer.text}`);
}

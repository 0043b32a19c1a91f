import { type Http, type HttpAnswer, type HttpRequest, HttpUnreachable } from './http.ts';
import type { Random } from './random.ts';
import type { Life } from './virtual-life.ts';
import type { VirtualLoop } from './virtual-loop.ts';
import type { Opening } from './virtual-opening.ts';

/** Answers a request in somebody else's place. A handler that throws or rejects leaves the request without answer. */
export type HttpHandler = (request: HttpRequest) => HttpAnswer | Promise<HttpAnswer>;

/** One way, drawn for each request and each answer. */
const SHORTEST_DELAY_MS = 5;
const LONGEST_DELAY_MS = 40;

/** Somebody else's services, by origin (`https://sim.example:8443`). */
export class VirtualOrigins {
  readonly #handlers = new Map<string, HttpHandler>();
  readonly #unreachable = new Set<string>();

  /** Lets `handler` answer for `origin`; the returned function ends that. */
  serve(origin: string, handler: HttpHandler): () => void {
    this.#handlers.set(origin, handler);
    return () => {
      if (this.#handlers.get(origin) === handler) this.#handlers.delete(origin);
    };
  }

  /** Fault: requests to `origin` vanish, and their time-out is all that happens. */
  setUnreachable(origin: string, isUnreachable: boolean): void {
    if (isUnreachable) this.#unreachable.add(origin);
    else this.#unreachable.delete(origin);
  }

  isUnreachable(origin: string): boolean {
    return this.#unreachable.has(origin);
  }

  handlerOf(origin: string): HttpHandler | undefined {
    return this.#handlers.get(origin);
  }
}

/** HTTP calls of `life`. An origin that nobody serves refuses at once. */
export function virtualHttp(loop: VirtualLoop, origins: VirtualOrigins, random: Random, life: Life): Http {
  const stream = random.stream(`http/${life.name}`);
  const later = (label: string, run: () => void): void => {
    loop.schedule(loop.nowMs + stream.whole(SHORTEST_DELAY_MS, LONGEST_DELAY_MS), label, run);
  };
  return {
    call(request) {
      const label = `http ${request.method} ${request.url}`;
      const opening = loop.opening<HttpAnswer>(life, label);
      const fail = (reason: string, isSent = true): void =>
        opening.reject(new HttpUnreachable(`${label}: ${reason}`, { isSent }));
      const origin = originOf(request.url);
      if (origin === undefined) fail('not an address', false);
      if (!opening.isOpen || origin === undefined) return opening.promise;
      const timeoutMs = loop.nowMs + request.timeoutMs;
      const cancel = loop.schedule(timeoutMs, `${label} timeout`, () =>
        fail(`no answer in ${request.timeoutMs} ms`),
      );
      opening.promise.then(cancel, cancel);
      const { body, ...rest } = request;
      const copy: HttpRequest = {
        ...rest,
        headers: lowerCase(request.headers),
        ...(body === undefined ? {} : { body }),
      };
      later(`${label} arrives`, () => {
        if (origins.isUnreachable(origin)) return;
        const handler = origins.handlerOf(origin);
        if (handler === undefined) later(`${label} refused`, () => fail('connection refused', false));
        else
          void answerOf(handler, copy).then((answer) => {
            later(`${label} answered`, () => settle(opening, request, answer, fail));
          });
      });
      return opening.promise;
    },
  };
}

async function answerOf(handler: HttpHandler, request: HttpRequest): Promise<HttpAnswer | undefined> {
  try {
    return await handler(request);
  } catch {
    return undefined;
  }
}

function settle(
  opening: Opening<HttpAnswer>,
  request: HttpRequest,
  answer: HttpAnswer | undefined,
  fail: (reason: string) => void,
): void {
  if (answer === undefined) fail('the connection was closed without an answer');
  else if (Buffer.byteLength(answer.body, 'utf8') > request.maxBodyBytes)
    fail(`the body is over ${request.maxBodyBytes} bytes`);
  else opening.resolve({ status: answer.status, headers: lowerCase(answer.headers), body: answer.body });
}

function lowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function originOf(url: string): string | undefined {
  const { origin } = URL.parse(url) ?? {};
  return origin === 'null' ? undefined : origin;
}

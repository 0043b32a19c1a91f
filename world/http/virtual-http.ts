import type { VirtualLoop } from '../loop/virtual-loop.ts';
import type { PendingCall } from '../loop/virtual-pending-call.ts';
import type { ProcessScope } from '../loop/virtual-process-scope.ts';
import type { Random } from '../random/random.ts';
import { type Http, type HttpRequest, type HttpResponse, HttpUnreachable, objectionTo } from './http.ts';

/** Answers requests to an external service. If a handler throws or rejects, the request gets no answer. */
export type HttpHandler = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

/** The one-way delay, drawn for each request and each answer. */
const SHORTEST_DELAY_MS = 5;
const LONGEST_DELAY_MS = 40;

/** External services, by origin (`https://sim.example:8443`). */
export class VirtualHttpOrigins {
  readonly #handlers = new Map<string, HttpHandler>();
  readonly #unreachable = new Set<string>();

  /** Uses `handler` for `origin`; the returned function removes it. */
  serve(origin: string, handler: HttpHandler): () => void {
    this.#handlers.set(origin, handler);
    return () => {
      if (this.#handlers.get(origin) === handler) this.#handlers.delete(origin);
    };
  }

  /** Fault: requests to `origin` are lost and time out. */
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

/** HTTP calls of `scope`. An origin without a handler refuses the connection immediately. */
export function virtualHttp(
  loop: VirtualLoop,
  origins: VirtualHttpOrigins,
  random: Random,
  scope: ProcessScope,
): Http {
  const stream = random.stream(`http/${scope.name}`);
  const later = (label: string, run: () => void): void => {
    loop.schedule(loop.nowMs + stream.whole(SHORTEST_DELAY_MS, LONGEST_DELAY_MS), label, run);
  };
  return {
    call(request) {
      const label = `http ${request.method} ${request.url}`;
      const call = loop.pendingCall<HttpResponse>(scope, label);
      const fail = (reason: string, isSent = true): void =>
        call.reject(new HttpUnreachable(`${label}: ${reason}`, { isSent }));
      const objection = objectionTo(request);
      if (objection !== undefined) call.reject(objection);
      const origin = originOf(request.url);
      if (origin === undefined) fail('not an address', false);
      if (!call.isPending || origin === undefined) return call.promise;
      const timeoutMs = loop.nowMs + request.timeoutMs;
      const cancel = loop.schedule(timeoutMs, `${label} timeout`, () =>
        fail(`no answer in ${request.timeoutMs} ms`),
      );
      call.promise.then(cancel, cancel);
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
          void responseOf(handler, copy).then((response) => {
            later(`${label} answered`, () => settle(call, request, response, fail));
          });
      });
      return call.promise;
    },
  };
}

async function responseOf(handler: HttpHandler, request: HttpRequest): Promise<HttpResponse | undefined> {
  try {
    return await handler(request);
  } catch {
    return undefined;
  }
}

function settle(
  call: PendingCall<HttpResponse>,
  request: HttpRequest,
  response: HttpResponse | undefined,
  fail: (reason: string) => void,
): void {
  if (response === undefined) fail('the connection was closed without an answer');
  else if (Buffer.byteLength(response.body, 'utf8') > request.maxBodyBytes)
    fail(`the body is over ${request.maxBodyBytes} bytes`);
  else call.resolve({ status: response.status, headers: lowerCase(response.headers), body: response.body });
}

function lowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function originOf(url: string): string | undefined {
  const { origin } = URL.parse(url) ?? {};
  return origin === 'null' ? undefined : origin;
}

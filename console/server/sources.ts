import type { Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';

/** The interfaces that the console uses, as a client like any other. */
export interface ConsoleSources {
  /** The control API of the simulator; it gets requests as HTTP would bring them. */
  readonly control: (request: Request) => Promise<Response> | Response;
  /** Undefined: the fleet uses another installation's service, or none. */
  readonly service: ServiceSource | undefined;
}

/** The public API, with a client of the fleet. */
export interface ServiceSource {
  /** As callers know it: `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  readonly fetch: (request: Request) => Promise<Response> | Response;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** The base address of requests within the process: the control API answers under this name only. */
const CONTROL = 'http://127.0.0.1';

/** Requests JSON from the control API; rejects with its problem. */
export function makeControlReader({ control }: ConsoleSources): (path: string) => Promise<unknown> {
  return async (path) => {
    const answer = await control(
      new Request(`${CONTROL}${path}`, { headers: { accept: 'application/json' } }),
    );
    if (!answer.ok) throw new Error(`The simulator answers ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
}

/** A request to the control API, with this as its JSON. */
export function controlRequest(
  path: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' = 'GET',
  body?: unknown,
): Request {
  const json =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return new Request(`${CONTROL}${path}`, { method, ...json });
}

/** Why a request had no answer: of a failed connection the code, such as ECONNREFUSED. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'no reason';
  const { code } = (error.cause ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : error.message;
}

/** Calls of the API with a token that is requested when it is needed, and again when the API refuses it. */
export class ServiceCaller {
  readonly #time: Time;
  readonly #source: ServiceSource;
  #token: { readonly value: string; readonly untilMs: number } | undefined;

  constructor(time: Time, source: ServiceSource) {
    this.#time = time;
    this.#source = source;
  }

  get baseUrl(): string {
    return this.#source.baseUrl;
  }

  /**
   * Checks whether the service answers, which needs no token. Rejects where it does not. `signal` aborts the request.
   */
  async reach(signal: AbortSignal): Promise<Response> {
    const { baseUrl, fetch } = this.#source;
    return fetch(new Request(`${baseUrl}/health/live`, { signal }));
  }

  /** Rejects where the service does not answer, or issues no token. */
  async call(method: string, path: string, body?: string): Promise<Response> {
    const answer = await this.#once(method, path, body);
    if (answer.status !== 401) return answer;
    this.#token = undefined;
    return this.#once(method, path, body);
  }

  async #once(method: string, path: string, body: string | undefined): Promise<Response> {
    const headers = {
      authorization: `Bearer ${await this.#accessToken()}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const { baseUrl, fetch } = this.#source;
    return fetch(
      new Request(`${baseUrl}${path}`, { method, headers, ...(body === undefined ? {} : { body }) }),
    );
  }

  async #accessToken(): Promise<string> {
    const nowMs = this.#time.nowMs();
    if (this.#token !== undefined && this.#token.untilMs > nowMs) return this.#token.value;
    const { baseUrl, clientId, clientSecret, fetch } = this.#source;
    const answer = await fetch(
      new Request(`${baseUrl}/auth/oauth/token?grant_type=client_credentials`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
      }),
    );
    const text = await answer.text();
    const value = answer.ok
      ? (JSON.parse(text) as { readonly access_token?: unknown }).access_token
      : undefined;
    if (typeof value !== 'string')
      throw new Error(`The service gives the console no token: ${answer.status} ${text.slice(0, 200)}`);
    this.#token = { value, untilMs: nowMs + limits.tokenMs };
    return value;
  }
}

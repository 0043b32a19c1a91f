/** Who calls, and where. */
export interface ServiceAccount {
  /** `http://127.0.0.1:8080` */
  readonly url: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

/** What came back, whatever its status is. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The JSON of the answer; undefined: it had none. */
  readonly body: unknown;
}

export interface Request {
  readonly body?: unknown;
  /** A UUID: the answer, and the message that the request leads to, name it. */
  readonly flowId?: string;
  readonly ifMatch?: string | null;
}

/** No answer came, so nobody knows whether the service got the request. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** The service gives a vehicle 20 s to answer, so a client has to wait longer. */
const ANSWER_MS = 35_000;
/** A token is renewed long before it ends, and the old one is used where that fails. */
const TOKEN_AGE_MS = 15 * 60_000;
const FIRST_PAUSE_MS = 500;
const LAST_PAUSE_MS = 10_000;

/** The API of the service, with what every client needs: tokens, patience, and the manners that 429 asks for. */
export class ServiceApi {
  readonly #account: ServiceAccount;
  readonly #end: AbortSignal;
  #token: { readonly text: string; readonly renewMs: number; readonly endMs: number } | undefined;
  #renewal: Promise<string> | undefined;
  /** Until then the quota is used up: each request before it would be one more 429. */
  #pausedUntilMs = 0;

  constructor(account: ServiceAccount, end: AbortSignal) {
    this.#account = account;
    this.#end = end;
  }

  /**
   * One request. Where the token is refused or the quota is used up nothing has happened, so it is made again; any other
   * answer is the caller's. Rejects with `NoAnswer`.
   */
  async call(method: string, path: string, request: Request = {}): Promise<Answer> {
    let isTokenRefused = false;
    for (;;) {
      await this.#quota();
      const answer = await this.#send(method, path, await this.#bearer(), request);
      if (answer.status === 429) {
        this.#pausedUntilMs = Date.now() + retryAfterMs(answer);
      } else if (answer.status === 401 && !isTokenRefused) {
        isTokenRefused = true;
        this.#token = undefined;
      } else {
        return answer;
      }
    }
  }

  /** A request that may be made twice: again and again, ever slower, until the service has answered it. */
  async ask(method: string, path: string, request: Request = {}): Promise<Answer> {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LAST_PAUSE_MS)) {
      try {
        const answer = await this.call(method, path, request);
        if (answer.status < 500) return answer;
      } catch (error) {
        if (!(error instanceof NoAnswer)) throw error;
      }
      await pause(pauseMs * (0.5 + Math.random() / 2), this.#end);
    }
  }

  async #quota(): Promise<void> {
    while (Date.now() < this.#pausedUntilMs) await pause(this.#pausedUntilMs - Date.now(), this.#end);
  }

  async #bearer(): Promise<string> {
    const nowMs = Date.now();
    if (this.#token !== undefined && nowMs < this.#token.renewMs) return `Bearer ${this.#token.text}`;
    // Requests that need one at the same time share it.
    this.#renewal ??= this.#newToken().finally(() => {
      this.#renewal = undefined;
    });
    try {
      return `Bearer ${await this.#renewal}`;
    } catch (error) {
      if (this.#token !== undefined && nowMs < this.#token.endMs) return `Bearer ${this.#token.text}`;
      throw error;
    }
  }

  async #newToken(): Promise<string> {
    const basic = btoa(`${this.#account.clientId}:${this.#account.clientSecret}`);
    const path = '/auth/oauth/token?grant_type=client_credentials';
    for (;;) {
      const { status, headers, body } = await this.#send('POST', path, `Basic ${basic}`, {});
      if (status === 200) {
        const { access_token: text, expires_in: s } = body as { access_token: string; expires_in: number };
        const nowMs = Date.now();
        const renewMs = nowMs + Math.min(TOKEN_AGE_MS, s * 750);
        this.#token = { text, renewMs, endMs: nowMs + s * 1_000 };
        return text;
      }
      if (status === 400 || status === 401)
        throw new Error(`The service does not know the client ${this.#account.clientId} with this secret.`);
      if (status !== 429) throw new NoAnswer(`The service gave no token: ${status}.`);
      await pause(retryAfterMs({ headers }), this.#end);
    }
  }

  async #send(method: string, path: string, authorization: string, request: Request): Promise<Answer> {
    const { body, flowId, ifMatch } = request;
    const headers = new Headers({ authorization });
    if (body !== undefined) headers.set('content-type', 'application/json');
    if (flowId !== undefined) headers.set('x-service-flow-id', flowId);
    if (typeof ifMatch === 'string') headers.set('if-match', ifMatch);
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const signal = AbortSignal.any([this.#end, AbortSignal.timeout(ANSWER_MS)]);
    try {
      const answer = await fetch(`${this.#account.url}${path}`, { method, headers, signal, ...json });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.includes('json') === true;
      const read: unknown = isJson && text !== '' ? JSON.parse(text) : undefined;
      return { status: answer.status, headers: answer.headers, body: read };
    } catch (error) {
      this.#end.throwIfAborted();
      throw new NoAnswer(`${method} ${path}: ${String(error)}`, { cause: error });
    }
  }
}

/** `type` of a problem, such as `/problems/vehicle/no-connection`; of anything else its status. */
export function problemOf({ status, body }: Pick<Answer, 'status' | 'body'>): string {
  const type = (body as { readonly type?: unknown } | undefined)?.type;
  return typeof type === 'string' ? type : `status ${status}`;
}

/** Resolves after that time; rejects where `end` comes first. */
export function pause(ms: number, end: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const ended = () => {
      clearTimeout(timer);
      reject(end.reason as Error);
    };
    const timer = setTimeout(() => {
      end.removeEventListener('abort', ended);
      resolve();
    }, ms);
    if (end.aborted) ended();
    else end.addEventListener('abort', ended, { once: true });
  });
}

function retryAfterMs({ headers }: Pick<Answer, 'headers'>): number {
  const seconds = Number(headers.get('retry-after'));
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : 1_000;
}

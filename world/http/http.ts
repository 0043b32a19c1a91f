/** HTTP calls to external services (SIM provider, maker's cloud, alert address). */
export interface Http {
  /**
   * Rejects with `HttpUnreachable` if there is no answer within `timeoutMs`. Any status is an answer. A body
   * over `maxBodyBytes` also ends the call with `HttpUnreachable`. With a `timeoutMs` of zero or less, as of a
   * deadline that has passed, nothing is sent.
   */
  call(request: HttpRequest): Promise<HttpResponse>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `isSent` false: the request was not sent, or there was no connection, so it cannot have been received. */
export class HttpUnreachable extends Error {
  override readonly name = 'HttpUnreachable';
  readonly isSent: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isSent?: boolean } = {}) {
    super(message, options);
    this.isSent = options.isSent ?? true;
  }
}

/** Why the request must not be sent; undefined: it may be. Both implementations ask before they do anything else. */
export function objectionTo({ method, url, timeoutMs }: HttpRequest): HttpUnreachable | undefined {
  if (timeoutMs > 0) return undefined;
  return new HttpUnreachable(`${method} ${url}: no time is left for it (${timeoutMs} ms)`, { isSent: false });
}

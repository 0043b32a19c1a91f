/** An HTTP call to somebody else's service (SIM provider, maker's cloud, alert address). */
export interface Http {
  /**
   * Rejects with `HttpUnreachable` where no answer came within `timeoutMs`. Any status is an answer. A body over
   * `maxBodyBytes` is cut off by ending the call: `HttpUnreachable`.
   */
  call(request: HttpRequest): Promise<HttpAnswer>;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
}

export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** `isSent` false: no connection came about, so nobody can have got the request. */
export class HttpUnreachable extends Error {
  override readonly name = 'HttpUnreachable';
  readonly isSent: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isSent?: boolean } = {}) {
    super(message, options);
    this.isSent = options.isSent ?? true;
  }
}

/** HTTP calls to external services (SIM provider, maker's cloud, alert address). */
export interface Http {
  /**
   * Rejects with `HttpUnreachable` if there is no answer within `timeoutMs`. Any status is an answer. A body
   * over `maxBodyBytes` also ends the call with `HttpUnreachable`.
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

/** `isSent` false: there was no connection, so the request cannot have been received. */
export class HttpUnreachable extends Error {
  override readonly name = 'HttpUnreachable';
  readonly isSent: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isSent?: boolean } = {}) {
    super(message, options);
    this.isSent = options.isSent ?? true;
  }
}

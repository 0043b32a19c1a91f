import { type Http, type HttpRequest, type HttpResponse, HttpUnreachable, objectionTo } from './http.ts';

/** HTTP calls by fetch. A redirect is an answer like any other: the caller decides whether to follow it. */
export function realHttp(): Http {
  return {
    async call(request) {
      const objection = objectionTo(request);
      if (objection !== undefined) throw objection;
      const prepared = prepare(request);
      try {
        return await fetchResponse(prepared, request);
      } catch (error) {
        if (error instanceof HttpUnreachable) throw error;
        throw unreachable(request, error, !isUnconnected(error));
      }
    },
  };
}

/** Rejects an invalid address, header or time-out before anything is sent. */
function prepare(request: HttpRequest): Request {
  try {
    return new Request(request.url, {
      method: request.method,
      headers: request.headers,
      redirect: 'manual',
      // Also ends the reading of the body.
      signal: AbortSignal.timeout(Math.ceil(request.timeoutMs)),
      ...(request.body === undefined ? {} : { body: request.body }),
    });
  } catch (error) {
    throw unreachable(request, error, false);
  }
}

async function fetchResponse(prepared: Request, request: HttpRequest): Promise<HttpResponse> {
  const response = await fetch(prepared);
  const body = await readBounded(response, request);
  return { status: response.status, headers: Object.fromEntries(response.headers), body };
}

function unreachable(request: HttpRequest, error: unknown, isSent: boolean): HttpUnreachable {
  return new HttpUnreachable(`${request.method} ${request.url}: ${reasonOf(error)}`, {
    cause: error,
    isSent,
  });
}

/** The body as text; ends the call as soon as the body exceeds the limit. */
async function readBounded(response: Response, request: HttpRequest): Promise<string> {
  if (response.body === null) return '';
  const chunks: Uint8Array[] = [];
  let byteCount = 0;
  for await (const chunk of response.body) {
    byteCount += chunk.byteLength;
    // Leaving the loop cancels the stream.
    if (byteCount > request.maxBodyBytes) {
      throw new HttpUnreachable(
        `${request.method} ${request.url}: the body is over ${request.maxBodyBytes} bytes`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Codes of errors that happen before a connection exists. */
const UNCONNECTED = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

function isUnconnected(error: unknown): boolean {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return false;
  return 'code' in error.cause && UNCONNECTED.includes(String(error.cause.code));
}

/** fetch reports only `fetch failed`; the reason is in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return `${error.message} (${error.cause.message})`;
  return error.message;
}

import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { FLOW_ID_HEADER } from '../../backend/http/flow-id.ts';
import { SOCKET_REFUSALS } from '../../backend/http/openapi/openapi-responses.ts';
import { CACHE_CONTROL_STANDARD } from '../../backend/http/security-headers.ts';
import { SECURITY_HEADERS } from '../../contract/security-headers.ts';

/** The errors of Node's parser and its timeouts, and the answer to the client. */
const REFUSALS: Readonly<Record<string, { readonly status: 408 | 413 | 431; readonly detail: string }>> = {
  ERR_HTTP_REQUEST_TIMEOUT: SOCKET_REFUSALS.RequestTimeout,
  HPE_HEADER_OVERFLOW: SOCKET_REFUSALS.RequestHeaderFieldsTooLarge,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, detail: 'The extensions of a chunk are too large.' },
};
const UNREADABLE = { status: 400, detail: 'The request is not HTTP/1.1 as RFC 9112 has it.' } as const;

/** Why a request is not passed to an application: its Host lines (RFC 9112 section 3.2), or it cannot be read. */
export type Unreadable = 'no-host' | 'several-hosts' | 'unreadable';

const DETAILS: Readonly<Record<Unreadable, string>> = {
  'no-host': 'The request has no Host header. Send one.',
  'several-hosts': 'The request has more than one Host header. Send one.',
  unreadable: UNREADABLE.detail,
};

/**
 * Answers requests that never reach the application, because they are too slow, too large or unreadable, with a problem
 * of the type `about:blank` (RFC 9457 section 4.2.1), and closes their connections. Where an answer has begun already,
 * the connection is closed without another one. `baseUrl` is called when it is needed.
 */
export function refuseOnSocket(server: Server, baseUrl: () => string): void {
  const answers = new WeakMap<Socket, ServerResponse>();
  server.on('request', (incoming, response) => answers.set(incoming.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const answer = socket instanceof Object ? answers.get(socket as Socket) : undefined;
    // A finished answer belongs to an earlier request on this connection.
    const hasBegun = answer?.headersSent === true && !answer.writableFinished;
    if (!socket.writable || hasBegun || error.code === 'ECONNRESET') {
      socket.destroy();
      return;
    }
    const { status, detail } = REFUSALS[error.code ?? ''] ?? UNREADABLE;
    socket.end(refusal(status, detail, baseUrl()), () => socket.destroy());
  });
}

/**
 * The answer to a request that is not passed to an application. What follows it on its connection may be meant for
 * another one of its hosts, so the connection ends with it.
 */
export function unreadableRequest(baseUrl: string, why: Unreadable): Response {
  const { body, headers } = parts(UNREADABLE.status, DETAILS[why], baseUrl);
  return new Response(body, { status: UNREADABLE.status, headers: { ...headers, Connection: 'close' } });
}

/** A whole answer of HTTP/1.1. */
function refusal(status: number, detail: string, baseUrl: string): string {
  const { body, headers } = parts(status, detail, baseUrl);
  const lines = Object.entries({
    ...headers,
    Date: new Date().toUTCString(),
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n');
}

function parts(status: number, detail: string, baseUrl: string) {
  const flowId = crypto.randomUUID();
  const body = JSON.stringify({
    type: 'about:blank',
    title: STATUS_CODES[status],
    status,
    detail,
    type_documentation: `${baseUrl}/docs`,
    flow_id: flowId,
  });
  const headers = {
    ...SECURITY_HEADERS,
    'Cache-Control': CACHE_CONTROL_STANDARD,
    'Content-Type': 'application/problem+json',
    [FLOW_ID_HEADER]: flowId,
  };
  return { body, headers };
}

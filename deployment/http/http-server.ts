import { createServer, type IncomingMessage, type Server } from 'node:http';
import { BlockList, isIP } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { limits } from '../shared/limits.ts';
import { refuseOnSocket, unreadableRequest } from './http-refusals.ts';

export const LOOPBACK = '127.0.0.1';

export interface HttpServer {
  /** The port on which it listens: the given one, or the one that the system chose for port 0. */
  readonly port: number;
  /** Accepts no new request, lets pending ones finish for a moment, then severs the rest. */
  close(): Promise<void>;
}

/** The timeouts and limits of a server. */
export interface HttpPatience {
  /** From the first byte of a request, or from a connection without one, to the end of its headers. */
  readonly headersTimeoutMs: number;
  /** To the end of its body. */
  readonly requestTimeoutMs: number;
  /** How often the two are checked. */
  readonly timeoutLookMs: number;
  /** Between two requests of a connection. */
  readonly keepAliveMs: number;
  /** Request line and headers. */
  readonly headerBytes: number;
  /** Concurrent connections; any other is closed immediately. */
  readonly httpConnections: number;
}

/** What is known of a request besides its content. */
export interface HttpPeer {
  /** The client's; absent if unknown. */
  readonly address?: string;
  readonly hasBody: boolean;
}

/** Where a server listens. */
export interface HttpAddress {
  readonly port: number;
  /** An address or name of this machine; absent: 127.0.0.1. */
  readonly host?: string | undefined;
  /** Networks whose X-Forwarded-For is trusted; absent: none. */
  readonly trustedProxies?: readonly string[] | undefined;
}

/**
 * Serves `fetch` there and passes it what is known of the client and the request, such as the address: the peer's, or behind a trusted proxy the forwarded
 * one. Rejects with the system's error (`code` EADDRINUSE where the port is taken). Requests that are too slow, too
 * large or unreadable are answered with a problem here and never reach `fetch`.
 */
export async function serveHttp(
  { port, host = LOOPBACK, trustedProxies = [] }: HttpAddress,
  fetch: (request: Request, peer: HttpPeer) => Response | Promise<Response>,
  patience: HttpPatience = limits,
): Promise<HttpServer> {
  const baseUrl = (): string => `http://${reachableHost(host)}:${portOf(server) ?? port}`;
  /** Connections that end with the answer in progress. */
  const ended = new WeakSet<object>();
  const clientOf = clientBehind(trustedProxies);
  const serve = getRequestListener(
    (request, { incoming }) => {
      const { socket, rawHeaders } = incoming;
      if (hostsOf(rawHeaders) > 1) ended.add(socket);
      // What was sent after it is in the parser already, and is discarded.
      return ended.has(socket)
        ? unreadableRequest(baseUrl(), 'several-hosts')
        : fetch(
            request,
            peerOf(clientOf(socket.remoteAddress, request.headers.get('x-forwarded-for')), incoming),
          );
    },
    {
      // Without it the adapter replaces the process's own Request and Response; `useLightAnswers` decides that.
      overrideGlobalObjects: false,
      // `fetch` itself does not reject.
      errorHandler: (error) => unreadableRequest(baseUrl(), isHostless(error) ? 'no-host' : 'unreadable'),
    },
  );
  const server = createServer(
    {
      requestTimeout: patience.requestTimeoutMs,
      headersTimeout: patience.headersTimeoutMs,
      connectionsCheckingInterval: patience.timeoutLookMs,
      maxHeaderSize: patience.headerBytes,
      keepAliveTimeout: patience.keepAliveMs,
      // The platform's own refusal has no body.
      requireHostHeader: false,
    },
    (incoming, outgoing) => {
      // RFC 9112 §3.2 requires Host only from HTTP/1.1 on; health checks of balancers often use HTTP/1.0 without it.
      if (incoming.httpVersion === '1.0') incoming.headers.host ??= new URL(baseUrl()).host;
      return serve(incoming, outgoing);
    },
  );
  refuseOnSocket(server, baseUrl);
  server.maxConnections = patience.httpConnections;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return { port: portOf(server) ?? port, close: () => closeGently(server) };
}

/**
 * Replaces this process's Response with the adapter's own, which keeps headers and body as given until they are read:
 * an answer costs half as much. For our own processes, not for those of users of the library.
 */
export function useLightAnswers(): void {
  const { Request } = globalThis;
  getRequestListener(() => new Response(), { overrideGlobalObjects: true });
  // The platform's fetch accepts only its own Request.
  Object.defineProperty(globalThis, 'Request', { value: Request });
}

/** The host by which this machine reaches a listener, as URLs have it: the wildcard address cannot be connected to. */
export function reachableHost(host: string = LOOPBACK): string {
  if (host === '0.0.0.0') return LOOPBACK;
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * The host by which this machine reaches a listener with a certificate: a name where it has one, since not every client
 * matches a certificate with an address.
 */
export function certifiedHost(host: string = LOOPBACK): string {
  return [LOOPBACK, '0.0.0.0', '::'].includes(host) ? 'localhost' : host;
}

/** The number of Host lines: the platform keeps the first and drops the others silently. */
function hostsOf(rawHeaders: readonly string[]): number {
  return rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
}

/** Whether that is why the adapter created no Request. */
function isHostless(error: unknown): boolean {
  return error instanceof Error && error.message === 'Missing host header';
}

function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : undefined;
}

function peerOf(address: string | undefined, { headers }: Pick<IncomingMessage, 'headers'>): HttpPeer {
  // RFC 9112 §6.3: a request without these has no body.
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0;
  return address === undefined ? { hasBody } : { address, hasBody };
}

function closeGently(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const severing = setTimeout(() => server.closeAllConnections(), limits.httpDrainMs);
    server.close(() => {
      clearTimeout(severing);
      resolve();
    });
    server.closeIdleConnections();
  });
}

/**
 * A function that returns the address of a client, given the peer address of its connection and the X-Forwarded-For of
 * its request: each proxy appends the address of its client, so the list is read from its end, as long as the entries
 * are trusted proxies. The first address that is not one is the client's; entries before it can be forged. Without
 * trusted proxies the header is ignored. `networks` are in CIDR notation (RFC 4632), or addresses.
 */
export function clientBehind(
  networks: readonly string[],
): (peer: string | undefined, forwardedFor: string | null) => string | undefined {
  const trusted = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = familyOf(address);
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  const isTrusted = (address: string): boolean => trusted.check(address, familyOf(address));
  return (peer, forwardedFor) => {
    if (networks.length === 0 || peer === undefined || forwardedFor === null) return peer;
    let client = plain(peer);
    const hops = forwardedFor.split(',').slice(-limits.forwardedHops);
    for (const hop of hops.map((one) => plain(one.trim())).toReversed()) {
      if (!isTrusted(client) || isIP(hop) === 0) break;
      client = hop;
    }
    return client;
  };
}

/** An IPv4 address of a dual-stack socket (RFC 4291, 2.5.5.2) in its usual form. */
function plain(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

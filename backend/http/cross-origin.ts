import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { AUTHORIZE_PATH } from '../access/paths.ts';
import type { AppEnvironment } from './environment.ts';
import { FLOW_ID_HEADER } from './flow-id.ts';
import { httpLimits } from './limits.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** What a page may send. Swagger UI puts the last one on its token request, wherever it is served. */
const SENT_HEADERS = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  FLOW_ID_HEADER,
  'X-Requested-With',
];

/** What a page's script may read of an answer, beside what every answer may show. */
const READ_HEADERS = [
  'ETag',
  'Location',
  'Retry-After',
  'X-Rate-Limit-Limit',
  'X-Rate-Limit-Remaining',
  'X-Rate-Limit-Reset',
  FLOW_ID_HEADER,
];

/** For people, for operators, for makers: no page of another origin has anything to call there. */
const KEPT_APART = ['/docs', '/health', '/metrics', '/third-party', AUTHORIZE_PATH];

/**
 * Lets the pages of these origins call the API, the documents and the token endpoint from a browser (Fetch standard,
 * CORS protocol), refusals and failures included. Cookies are never taken along: a token is what opens the API. For any
 * other origin nothing is different from a service without it.
 */
export function allowOrigins(origins: readonly string[]): MiddlewareHandler<AppEnvironment> {
  const allow = cors({
    origin: [...origins],
    allowMethods: METHODS,
    allowHeaders: SENT_HEADERS,
    exposeHeaders: READ_HEADERS,
    maxAge: httpLimits.preflightMemoryS,
  });
  return async (c, next) => {
    const { path, method } = c.req;
    if (KEPT_APART.some((place) => path === place || path.startsWith(`${place}/`))) return next();
    const isPreflight = method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined;
    const isAllowed = origins.includes(c.req.header('origin') ?? '');
    if (isAllowed && (isPreflight || method !== 'OPTIONS')) return allow(c, next);
    await next();
    // Without an Origin, or with another, the answer is another one: caches have to tell them apart.
    c.header('Vary', 'Origin', { append: true });
    return undefined;
  };
}

/**
 * Why this text cannot be an origin that is allowed; undefined: it can. As browsers send it (RFC 6454 section 6.2):
 * scheme, host in lower case, and the port where it is not the scheme's own.
 */
export function originFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.hostname.includes('*'))
    return 'takes one origin, such as http://localhost:3000: scheme, host and port, neither * nor null';
  if (url.origin === text) return undefined;
  return `takes an origin as browsers send it, without a path: ${url.origin}`;
}

import type { MiddlewareHandler } from 'hono';
import { cors } from 'hono/cors';
import { AUTHORIZE_PATH } from '../access/oauth/paths.ts';
import { httpLimits } from '../base/limits.ts';
import type { AppEnvironment } from './environment.ts';
import { FLOW_ID_HEADER } from './flow-id.ts';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Headers that a page may send. Swagger UI puts the last one on its token request on every origin. */
const SENT_HEADERS = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  FLOW_ID_HEADER,
  'X-Requested-With',
];

/** Headers of an answer that a page's script may read, besides the always readable ones. */
const READ_HEADERS = [
  'ETag',
  'Location',
  'Retry-After',
  'X-Rate-Limit-Limit',
  'X-Rate-Limit-Remaining',
  'X-Rate-Limit-Reset',
  FLOW_ID_HEADER,
];

/** For people, operators and makers: pages of other origins never call these. */
const KEPT_APART = ['/docs', '/health', '/metrics', '/third-party', AUTHORIZE_PATH];

/**
 * Lets the pages of these origins call the API, the documents and the token endpoint from a browser (Fetch
 * standard, CORS protocol), refusals and failures included. Credentials are never allowed: a token opens the
 * API, not a cookie. For any other origin nothing changes.
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
    // The answer depends on the Origin: caches must keep them apart.
    c.res.headers.append('Vary', 'Origin');
    return undefined;
  };
}

/**
 * Why this text cannot be an allowed origin; undefined: it can. As browsers send it (RFC 6454 section 6.2):
 * scheme, host in lower case, and the port if it is not the scheme's default.
 */
export function originFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.hostname.includes('*'))
    return 'takes one origin, such as http://localhost:3000: scheme, host and port, neither * nor null';
  if (url.origin === text) return undefined;
  return `takes an origin as browsers send it, without a path: ${url.origin}`;
}

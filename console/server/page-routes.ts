import type { Hono } from 'hono';
import { endUnreadBody } from '../../simulator/control/app-guard.ts';
import { refuseOtherMethods } from '../../simulator/control/other-methods.ts';
import { ANSWER_HEADERS, problemResponse } from '../../simulator/http/refusal.ts';
import type { MapBase } from '../stream/map.ts';
import type { PageGuard } from './page-guard.ts';

/** A file of the page, as it is served. */
export interface PageFile {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  /** Its name has a hash of its content. */
  readonly isImmutable: boolean;
}

/**
 * Nothing is loaded from other hosts but the tiles of a style that the user named, only the page's own scripts run, and
 * no other page frames it.
 */
const policyOf = (tiles: string): string =>
  `default-src 'none'; script-src 'self'; worker-src 'self'; style-src 'self'; img-src 'self' data: blob:${tiles}; font-src 'self'; connect-src 'self'${tiles}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Refuses what the guard refuses, and adds the security headers to every answer, refusals too. */
export function guardPage(app: Hono, guard: PageGuard, base: MapBase = { kind: 'plain' }): void {
  // The servers that a style names are unknown until it is loaded.
  const policy = policyOf(base.kind === 'style' ? ` ${new URL(base.url).protocol}` : '');
  app.use(async (c, next) => {
    const refusal = guard.refusalOf(c.req.raw, c.req.path);
    if (refusal === undefined) await next();
    else c.res = problemResponse(refusal);
    // Headers of an answer that came from a simulator over HTTP are immutable.
    c.res = new Response(c.res.body, c.res);
    const { headers } = c.res;
    const { 'cache-control': unlessStored, ...always } = ANSWER_HEADERS;
    if (!headers.has('cache-control')) headers.set('cache-control', unlessStored);
    for (const [name, value] of Object.entries(always)) headers.set(name, value);
    headers.set('content-security-policy', policy);
    headers.set('cross-origin-opener-policy', 'same-origin');
    headers.set('referrer-policy', 'no-referrer');
    await endUnreadBody(c);
  });
}

/**
 * The files of the page, for all paths without another route; an HTML file begins the session. `/` is `index`. It comes
 * after all routes, whose other methods it refuses.
 */
export function servePage(
  app: Hono,
  guard: PageGuard,
  page: (path: string) => Promise<PageFile | undefined>,
  index = 'index.html',
): void {
  refuseOtherMethods(app);
  app.all('/console/*', () =>
    problemResponse({ status: 404, detail: 'The console has nothing at this path.' }),
  );
  app.get('*', async (c) => {
    const path = c.req.path === '/' ? index : c.req.path.slice(1);
    const file = await page(path);
    if (file === undefined)
      return problemResponse({ status: 404, detail: `The console has no file ${JSON.stringify(path)}.` });
    const headers: Record<string, string> = {
      'content-type': file.mediaType,
      'cache-control': file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-store',
    };
    if (path.endsWith('.html')) headers['set-cookie'] = guard.cookieFor(c.req.raw);
    return c.body(new Uint8Array(file.bytes), 200, headers);
  });
  app.all('*', () => problemResponse({ status: 405, detail: 'Use GET here.', allow: 'GET' }));
  app.onError((error) => problemResponse({ status: 500, detail: `The console failed: ${error.message}` }));
}

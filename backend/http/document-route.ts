import type { App } from './app.ts';
import { hasEntityTag } from './etag.ts';

/**
 * GET `path`, without a token: a JSON document that is made once, when all routes are there. It may be kept for five
 * minutes, and is not sent again to whoever has it (RFC 9110 section 13.1.2).
 */
export function documentRoute(
  app: App,
  path: string,
  digest: (text: string) => string,
  make: () => unknown,
): void {
  let made: { readonly text: string; readonly tag: string } | undefined;
  app.get(path, (c) => {
    if (made === undefined) {
      const text = JSON.stringify(make());
      made = { text, tag: `"${digest(text).slice(0, 32)}"` };
    }
    const headers = { ETag: made.tag, 'Cache-Control': 'public, max-age=300' };
    if (hasEntityTag(c.req.header('if-none-match'), made.tag)) return c.body(null, 304, headers);
    return c.body(made.text, 200, { ...headers, 'Content-Type': 'application/json' });
  });
}

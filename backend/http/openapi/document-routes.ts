import { type AsyncApiFacts, asyncApiDocument } from '../../events/asyncapi.ts';
import type { App } from '../app.ts';
import { hasEntityTag } from '../etag.ts';
import { openApiDocument } from './openapi.ts';

/**
 * GET `path`, without a token: a JSON document that is created once, when all routes are registered. It may
 * be cached for five minutes, and is not sent again to a client that has it (RFC 9110 section 13.1.2).
 */
function documentRoute(app: App, path: string, digest: (text: string) => string, make: () => unknown): void {
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

export const DOCUMENT_PATH = '/openapi.json';

/** GET /openapi.json, without a token. */
export function openApiRoutes(app: App, baseUrl: string, digest: (text: string) => string): void {
  documentRoute(app, DOCUMENT_PATH, digest, () => openApiDocument(app, baseUrl));
}

export const MESSAGES_DOCUMENT_PATH = '/asyncapi.json';

/** GET /asyncapi.json, without a token: the document of the messages. */
export function asyncApiRoutes(app: App, facts: AsyncApiFacts, digest: (text: string) => string): void {
  documentRoute(app, MESSAGES_DOCUMENT_PATH, digest, () => asyncApiDocument(facts));
}

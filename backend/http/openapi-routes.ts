import type { App } from './app.ts';
import { openApiDocument } from './openapi.ts';

export const DOCUMENT_PATH = '/openapi.json';

/** GET /openapi.json, without a token. The document is made once, when all routes are there. */
export function openApiRoutes(app: App, baseUrl: string): void {
  let text: string | undefined;
  app.get(DOCUMENT_PATH, (c) => {
    text ??= JSON.stringify(openApiDocument(app, baseUrl));
    return c.body(text, 200, { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' });
  });
}

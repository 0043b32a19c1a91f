import type { App } from './app.ts';
import { documentRoute } from './document-route.ts';
import { openApiDocument } from './openapi.ts';

export const DOCUMENT_PATH = '/openapi.json';

/** GET /openapi.json, without a token. */
export function openApiRoutes(app: App, baseUrl: string, digest: (text: string) => string): void {
  documentRoute(app, DOCUMENT_PATH, digest, () => openApiDocument(app, baseUrl));
}

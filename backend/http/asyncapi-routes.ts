import { type AsyncApiFacts, asyncApiDocument } from '../events/asyncapi.ts';
import type { App } from './app.ts';
import { documentRoute } from './document-route.ts';

export const MESSAGES_DOCUMENT_PATH = '/asyncapi.json';

/** GET /asyncapi.json, without a token: what the messages look like. */
export function asyncApiRoutes(app: App, facts: AsyncApiFacts, digest: (text: string) => string): void {
  documentRoute(app, MESSAGES_DOCUMENT_PATH, digest, () => asyncApiDocument(facts));
}

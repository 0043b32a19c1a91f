import { DISCOVERY_PATH } from '../access/paths.ts';
import type { App } from './app.ts';
import { MESSAGES_DOCUMENT_PATH } from './asyncapi-routes.ts';
import { INFO } from './openapi-parts.ts';
import { DOCUMENT_PATH } from './openapi-routes.ts';
import { PROBLEMS_PATH } from './problem-pages.ts';
import { REFERENCE_PATH } from './reference.ts';

/**
 * GET /, for whoever knows nothing but the host: what this is, and where it goes on. A page like the reference rather
 * than an operation of the API, so the document has it not.
 */
export function entranceRoutes(app: App, { baseUrl, hasReference }: EntranceFacts): void {
  const links = {
    ...(hasReference ? { reference: `${baseUrl}${REFERENCE_PATH}` } : {}),
    openapi: `${baseUrl}${DOCUMENT_PATH}`,
    asyncapi: `${baseUrl}${MESSAGES_DOCUMENT_PATH}`,
    problems: `${baseUrl}${PROBLEMS_PATH}`,
    authentication: `${baseUrl}${DISCOVERY_PATH}`,
    vehicles: `${baseUrl}/vehicles`,
  };
  app.get('/', (c) => c.json({ name: INFO.title, version: INFO.version, links }));
}

interface EntranceFacts {
  readonly baseUrl: string;
  /** Whether there is a reference page. */
  readonly hasReference: boolean;
}

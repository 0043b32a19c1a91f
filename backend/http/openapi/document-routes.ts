import { PROBLEMS, type ProblemRow } from '../../../contract/problems.ts';
import { hasEntityTag } from '../../base/etag.ts';
import type { App } from '../app.ts';
import { type AsyncApiFacts, asyncApiDocument } from './asyncapi.ts';
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

/** The page that lists all problems, and below it one for each type. */
export const PROBLEMS_PATH = '/docs/problems';

const ROWS: readonly ProblemRow[] = Object.values(PROBLEMS);
const SHORT_CACHE = { 'Cache-Control': 'public, max-age=300' };

/**
 * The pages that `type_documentation` of a problem points to: one plain page for each type of the table, and their
 * list.
 */
export function problemPages(app: App): void {
  app.get(PROBLEMS_PATH, (c) => c.text(listOf(c.get('baseUrl')), 200, SHORT_CACHE));
  for (const row of ROWS) app.get(`/docs${row.type}`, (c) => c.text(pageOf(row), 200, SHORT_CACHE));
}

function pageOf(row: ProblemRow): string {
  return `${row.type}\n\nStatus: ${row.status}\nTitle: ${row.title}\n\n${row.meaning}\n`;
}

/** By status, each with the address of its page. */
function listOf(baseUrl: string): string {
  const lines = ROWS.toSorted((one, other) => one.status - other.status).map(
    ({ status, title, type }) => `${status}  ${title}\n     ${baseUrl}/docs${type}\n`,
  );
  return `Why a request is refused: \`type\` names the problem, \`detail\` the occurrence.\n\n${lines.join('')}`;
}

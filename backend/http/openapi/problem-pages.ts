import type { App } from '../app.ts';
import { PROBLEMS, type ProblemRow } from '../problem.ts';

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

import type { App } from './app.ts';
import { PROBLEMS, type ProblemRow } from './problem.ts';

/** What stands behind a problem's `type_documentation`: one plain page for each type, out of the table. */
export function problemPages(app: App): void {
  const rows: readonly ProblemRow[] = Object.values(PROBLEMS);
  for (const row of rows)
    app.get(`/docs${row.type}`, (c) => c.text(pageOf(row), 200, { 'Cache-Control': 'public, max-age=300' }));
}

function pageOf(row: ProblemRow): string {
  return `${row.type}\n\nStatus: ${row.status}\nTitle: ${row.title}\n\n${row.meaning}\n`;
}

import { readFileSync } from 'node:fs';

/** The first two columns, client and package, of the table of client libraries in a page below docs/. */
export function clientTableOf(page: string): readonly (readonly string[])[] {
  const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
  const [, table = ''] = /\n\| client \| package \|.*\n\|[-|]+\|\n((?:\|.*\n)+)/.exec(text) ?? [];
  return table
    .trimEnd()
    .split('\n')
    .map((row) =>
      row
        .split('|')
        .slice(1, 3)
        .map((cell) => cell.trim()),
    );
}

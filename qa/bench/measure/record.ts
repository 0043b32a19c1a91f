import type { Row } from './table.ts';

/** Rows with where they come from. */
export interface Entry {
  /** Of the bench: `frames`. */
  readonly bench: string;
  /** `2026-01-31` */
  readonly date: string;
  /** Of the machine, before the bench began. */
  readonly loadAverage: number;
  readonly rows: readonly Row[];
}

const TITLE = '# Results of the bench';
const INTRODUCTION =
  'Kept by `npm run bench -- --record`: the best of the rounds, ours beside the bare reference of the same run. Each bench\nthat is run anew takes the place of its old rows on the same machine.';
const HEAD = ['bench', 'figure', 'ours', 'bare', 'ratio', 'aim', 'reached', 'date', 'load average'];

/**
 * The page of results with the entry in it, in the place of what the same bench had on the same machine. `page`: as it
 * was; empty where there is none. What stands in it between the sections of machines goes. Total.
 */
export function recorded(page: string, machine: string, entry: Entry): string {
  const sections = sectionsOf(page);
  const kept = (sections.get(machine) ?? []).filter((line) => cellsOf(line)[0] !== entry.bench);
  const lines = [...kept, ...entry.rows.map((row) => lineOf(cells(row, entry)))];
  sections.set(machine, lines.toSorted(byBench));
  const parts = [...sections].map(([name, rows]) =>
    [`## ${name}`, '', lineOf(HEAD), lineOf(HEAD.map(() => '---')), ...rows, ''].join('\n'),
  );
  return [TITLE, '', INTRODUCTION, '', ...parts].join('\n');
}

/** The rows as one table for the terminal, in columns. */
export function tableText(entry: Entry): string {
  const rows = entry.rows.map((row) => [row.ours, row.bare, row.ratio, row.aim, reachedText(row)]);
  const head = ['ours', 'bare', 'ratio', 'aim', 'reached'];
  const widths = head.map((name, column) =>
    Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (texts: readonly string[]) =>
    `  ${texts.map((text, column) => text.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd();
  const load = `load average ${entry.loadAverage.toFixed(1)}`;
  return [
    `${entry.bench} (${load})`,
    line(head),
    ...entry.rows.flatMap((row, index) => [`  ${row.figure}`, line(rows[index] ?? [])]),
    '',
  ].join('\n');
}

function cells(row: Row, { bench, date, loadAverage }: Entry): readonly string[] {
  const { figure, ours, bare, ratio, aim } = row;
  return [bench, figure, ours, bare, ratio, aim, reachedText(row), date, loadAverage.toFixed(1)];
}

function reachedText({ isReached }: Row): string {
  return isReached === undefined ? '' : isReached ? 'yes' : 'no';
}

/** Rows of tables by the machine in the heading above them. */
function sectionsOf(page: string): Map<string, readonly string[]> {
  const sections = new Map<string, readonly string[]>();
  for (const part of page.split(/^## /m).slice(1)) {
    const [machine = '', ...lines] = part.split('\n');
    const rows = lines.filter((line) => line.startsWith('|')).slice(2);
    sections.set(machine.trim(), [...(sections.get(machine.trim()) ?? []), ...rows]);
  }
  return sections;
}

function lineOf(texts: readonly string[]): string {
  return `| ${texts.map((text) => text.replaceAll(/[|\n]/g, ' ').trim()).join(' | ')} |`;
}

function cellsOf(line: string): readonly string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((text) => text.trim());
}

/** Rows of one bench stay in their order. */
function byBench(a: string, b: string): number {
  const [first = '', second = ''] = [cellsOf(a)[0], cellsOf(b)[0]];
  return first < second ? -1 : first > second ? 1 : 0;
}

import { counted } from '../language/document/counted.ts';
import { el, type Markup } from '../reports/html/markup.ts';
import { wholePage } from '../reports/html/whole-page.ts';
import { type CoverageCounts, metCells } from './coverage.ts';
import { COVERAGE, COVERAGE_NAMES, type CoverageName } from './tables.ts';

/** One line for each table: how many of its cells were met, and the first rows and columns that were never. */
export function coverageText(counts: CoverageCounts): readonly string[] {
  const width = Math.max(...COVERAGE_NAMES.map((name) => cellsText(counts, name).length));
  return COVERAGE_NAMES.map((name) => {
    const missing = unmetText(counts, name);
    const words = `${cellsText(counts, name).padStart(width + 2)}  ${COVERAGE[name].title}`;
    return missing === '' ? words : `${words}; never ${missing}`;
  });
}

function cellsText(counts: CoverageCounts, name: CoverageName): string {
  const { met, all } = metCells(counts, name);
  return `${met} of ${all}`;
}

/** How many names of rows and columns a line tells. */
const NAMED = 4;

/** Rows and columns of which no cell was met. */
function unmetText(counts: CoverageCounts, name: CoverageName): string {
  const { rows, columns } = COVERAGE[name];
  const unmet = [
    ...rows.filter((row) => columns.every((column) => countOf(counts, name, row, column) === 0)),
    ...columns.filter((column) => rows.every((row) => countOf(counts, name, row, column) === 0)),
  ];
  if (unmet.length === 0 || unmet.length === rows.length + columns.length) return '';
  const more = unmet.length - NAMED;
  return `${unmet.slice(0, NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

function countOf(counts: CoverageCounts, name: CoverageName, row: string, column: string): number {
  return counts[name][row]?.[column] ?? 0;
}

/** All tables as heat maps in one HTML page that needs nothing else. A cell tells how often it was met. */
export function coveragePage(counts: CoverageCounts, runs: number): string {
  const title = `What ${counted(runs, 'run')} met`;
  return wholePage(
    title,
    el(
      'header',
      {},
      el('h1', {}, title),
      el('p', {}, 'Each number says how often a cell was met. The darker, the more often.'),
    ),
    el(
      'main',
      {},
      COVERAGE_NAMES.map((name) => heatMap(counts, name)),
    ),
  );
}

function heatMap(counts: CoverageCounts, name: CoverageName): Markup {
  const { title, rows, columns } = COVERAGE[name];
  return el(
    'section',
    {},
    el('h2', {}, title),
    el('p', { class: 'soft' }, `${cellsText(counts, name)} cells met`),
    el(
      'div',
      { class: 'heat' },
      el(
        'table',
        {},
        el(
          'thead',
          {},
          el(
            'tr',
            {},
            ['', ...columns].map((column) => el('th', { scope: 'col' }, column)),
          ),
        ),
        el(
          'tbody',
          {},
          rows.map((row) =>
            el(
              'tr',
              {},
              el('th', { scope: 'row' }, row),
              columns.map((column) => {
                const count = countOf(counts, name, row, column);
                return el('td', { class: `heat-${heatOf(count)}` }, count === 0 ? '·' : count);
              }),
            ),
          ),
        ),
      ),
    ),
  );
}

/** 0 for never; then a step for each tenfold. */
function heatOf(count: number): number {
  return count === 0 ? 0 : Math.min(4, String(count).length);
}

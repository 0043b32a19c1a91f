import { counted } from '../../judge/wording.ts';
import { el, type Markup } from '../reports/html/markup.ts';
import { wholePage } from '../reports/html/whole-page.ts';
import { type CoverageCounts, metCells } from './coverage.ts';
import { COVERAGE, COVERAGE_NAMES, type CoverageName } from './tables.ts';

function cellsText(counts: CoverageCounts, name: CoverageName): string {
  const { met, all } = metCells(counts, name);
  return `${met} of ${all}`;
}

/** All tables as heat maps in one self-contained HTML page. A cell shows how often it was met. */
export function coveragePage(counts: CoverageCounts, runs: number): string {
  const title = `What ${counted(runs, 'run')} met`;
  return wholePage(
    title,
    el(
      'header',
      {},
      el('h1', {}, title),
      el(
        'p',
        {},
        'Each number says how often a cell was met. The darker, the more often. A cell without anything cannot be met.',
      ),
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
                const count = counts[name][row]?.[column];
                if (count === undefined) return el('td', {}, '');
                return el('td', { class: `heat-${heatOf(count)}` }, count === 0 ? '·' : count);
              }),
            ),
          ),
        ),
      ),
    ),
  );
}

/** 0 for never; then one step per factor of ten. */
function heatOf(count: number): number {
  return count === 0 ? 0 : Math.min(4, String(count).length);
}

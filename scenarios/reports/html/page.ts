import { counted } from '../../../judge/wording.ts';
import { durationText } from '../../run/time-text.ts';
import type { PlayedScenario } from '../played-scenario.ts';
import { el, type Markup } from './markup.ts';
import { scenarioSection } from './scenario-section.ts';
import { wholePage } from './whole-page.ts';

/** All scenarios of a run as one self-contained HTML file that blocks all other content. */
export function htmlPage(all: readonly PlayedScenario[], notRun: number): string {
  const passed = all.filter(({ outcome }) => outcome.verdict === 'passed').length;
  const isGood = passed === all.length && notRun === 0;
  const title = `${isGood ? '✓' : '✗'} ${passed} of ${counted(all.length + notRun, 'scenario')} passed`;
  return wholePage(
    title,
    el(
      'header',
      {},
      el('h1', { class: isGood ? 'passed' : 'failed' }, title),
      notRun === 0
        ? undefined
        : el('p', {}, `The run was ended before ${counted(notRun, 'scenario')} had run.`),
      contents(all),
    ),
    el(
      'main',
      {},
      all.map((one, index) =>
        scenarioSection(one, {
          id: `s${index + 1}`,
          isOpen: all.length === 1 || one.outcome.verdict !== 'passed',
        }),
      ),
    ),
  );
}

/** On a narrow screen each row is a paragraph, and its numbers have their names. */
function contents(all: readonly PlayedScenario[]): Markup {
  const number = (name: string, value: string | number): Markup =>
    el('td', { class: 'number', 'data-name': name }, value);
  return el(
    'table',
    { class: 'contents' },
    el(
      'tr',
      {},
      ['scenario', 'verdict', 'length', 'took', 'vehicles', 'seed', 'file'].map((text) => el('th', {}, text)),
    ),
    all.map(({ file, outcome, wallMs }, index) => {
      const { scenario, verdict, startMs, endMs, seed, vehicles } = outcome;
      return el(
        'tr',
        {},
        el('td', {}, el('a', { href: `#s${index + 1}` }, scenario.name)),
        el('td', { class: `badge ${verdict}` }, `${verdict === 'passed' ? '✓' : '✗'} ${verdict}`),
        number('length', durationText(endMs - startMs)),
        number('took', durationText(wallMs)),
        number('vehicles', vehicles.length),
        number('seed', seed),
        el('td', {}, el('code', {}, file)),
      );
    }),
  );
}

import type { Result } from '../../../judge/verdict.ts';
import { counted } from '../../../judge/wording.ts';
import { toDocument } from '../../language/document/to-document.ts';
import { writeDocument } from '../../language/document/write.ts';
import { reportLimits } from '../../limits.ts';
import type { RunOutcome } from '../../run/outcome.ts';
import { durationText, runTimeText, shortened } from '../../run/time-text.ts';
import { type FailureBlock, failureBlocks, failuresOf } from '../failure.ts';
import { groupsOf, type PlayedScenario } from '../played-scenario.ts';
import { timelineAround } from '../timeline.ts';
import { summarizeWarnings } from '../warning-groups.ts';
import { boxPictures } from './box-pictures.ts';
import { el, type Markup } from './markup.ts';

/** How a verdict is shown. */
const MARKS: Readonly<Record<Result, { readonly sign: string; readonly look: string }>> = {
  passed: { sign: '✓', look: 'met-text' },
  failed: { sign: '✗', look: 'unmet-text' },
  'not-seen': { sign: '-', look: 'soft' },
};

/** One scenario: its outcome, what happened around each failure, and the pictures. */
export function scenarioSection(
  { outcome, repeat, wallMs }: PlayedScenario,
  { id, isOpen }: { readonly id: string; readonly isOpen: boolean },
): Markup {
  const { scenario, verdict, reason, startMs, endMs, seed, world, hash, factsDropped } = outcome;
  const failures = failuresOf(outcome);
  return el(
    'details',
    { class: 'scenario', id, open: isOpen },
    el(
      'summary',
      {},
      el('h2', {}, scenario.name),
      ' ',
      el('span', { class: `badge ${verdict}` }, `${verdict === 'passed' ? '✓' : '✗'} ${verdict}`),
    ),
    el(
      'div',
      { class: 'inside' },
      el('p', {}, scenario.about),
      reason === undefined ? undefined : el('p', { class: 'unmet-text' }, `${verdict}: ${reason}`),
      el(
        'p',
        { class: 'soft' },
        `${durationText(endMs - startMs)} in the ${world} world, in ${durationText(wallMs)}; ${counted(outcome.vehicles.length, 'vehicle')}; seed ${seed}`,
      ),
      el('p', { class: 'soft' }, 'Repeat: ', el('code', {}, repeat)),
      hash === undefined ? undefined : el('p', { class: 'soft' }, 'Trace: ', el('code', {}, hash)),
      verdicts(outcome),
      failureBlocks(failures).map((block, index) => around(block, outcome, index === 0)),
      factsDropped === 0
        ? undefined
        : el(
            'p',
            { class: 'soft' },
            `More happened than is kept: ${factsDropped} of the older facts were dropped. Where a picture lacks them it is shaded grey.`,
          ),
      el('h3', {}, 'Timeline'),
      legend(),
      boxPictures(outcome, failures),
      el(
        'details',
        { class: 'box' },
        el('summary', {}, 'The scenario as it was run'),
        el('pre', {}, el('code', {}, writeDocument(toDocument(scenario)))),
      ),
    ),
  );
}

function verdicts(outcome: RunOutcome): readonly Markup[] {
  const { scenario, checkers, warnings, startMs } = outcome;
  const groups = groupsOf(outcome);
  const { groups: groupsOfWarnings, rest } = summarizeWarnings(outcome);
  const row = (result: Result, name: string, said: string, wrong: readonly string[]): Markup =>
    el(
      'li',
      {},
      el('span', { class: MARKS[result].look }, `${MARKS[result].sign} `),
      el('code', {}, name),
      ` ${said}`,
      wrong.length === 0
        ? undefined
        : el(
            'ul',
            {},
            wrong.slice(0, 2 * reportLimits.listedFailures).map((text) => el('li', {}, text)),
            wrong.length > 2 * reportLimits.listedFailures
              ? el('li', { class: 'soft' }, `and ${wrong.length - 2 * reportLimits.listedFailures} more`)
              : undefined,
          ),
    );
  const told = (one: { readonly vehicle?: number; readonly atMs?: number; readonly text: string }): string =>
    `${one.atMs === undefined ? '' : `${runTimeText(one.atMs - startMs)} `}${withVehicle(one)}`;
  return [
    ...(groups.length === 0 ? [] : [el('h3', {}, 'Expectations')]),
    el(
      'ul',
      { class: 'verdicts' },
      groups.map(({ name, met, unmet }) => {
        const all = met.length + unmet.length;
        const [first] = met;
        const said =
          unmet.length === 0
            ? all === 1 && first !== undefined
              ? told(first)
              : `met for all ${all}${first === undefined ? '' : `, such as: ${withVehicle(first)}`}`
            : all === 1
              ? ''
              : `not met for ${unmet.length} of ${all}`;
        return row(unmet.length === 0 ? 'passed' : 'failed', name, said, unmet.map(told));
      }),
    ),
    ...(warnings.length === 0 ? [] : [el('h3', {}, 'Steps without effect')]),
    el(
      'ul',
      { class: 'verdicts' },
      groupsOfWarnings.map(({ name, atMs, text }) => {
        return row(
          scenario.isStrict === true ? 'failed' : 'passed',
          name,
          `${runTimeText(atMs - startMs)} ${text}`,
          [],
        );
      }),
      rest === undefined ? undefined : el('li', { class: 'soft' }, rest),
    ),
    ...(checkers.length === 0 ? [] : [el('h3', {}, 'Checked throughout')]),
    el(
      'ul',
      { class: 'verdicts' },
      checkers.map(({ checker, findings, result, text }) => row(result, checker, text, findings.map(told))),
    ),
  ];
}

function withVehicle({ vehicle, text }: { readonly vehicle?: number; readonly text: string }): string {
  return `${vehicle === undefined ? '' : `vehicle ${vehicle}: `}${shortened(text, reportLimits.characters)}`;
}

function around({ first, title }: FailureBlock, outcome: RunOutcome, isOpen: boolean): Markup {
  const { lines, leftOut } = timelineAround(first, outcome);
  const lastBefore = lines.findLastIndex(({ isAfter }) => !isAfter);
  return el(
    'details',
    { class: 'box', open: isOpen },
    el('summary', {}, `What happened around ${title}`),
    leftOut === 0 ? undefined : el('p', { class: 'soft' }, `${leftOut} more are not shown`),
    el(
      'div',
      { class: 'around' },
      el(
        'table',
        {},
        lines.map(({ atMs, text }, index) =>
          el(
            'tr',
            { class: index === lastBefore ? 'at' : undefined },
            el('td', { class: 'number mono' }, runTimeText(atMs)),
            el('td', { class: 'mono' }, text),
          ),
        ),
      ),
    ),
  );
}

const ROWS: readonly (readonly [look: string, fill: string, text: string])[] = [
  ['ready', '#2da44e', 'Ready, service up'],
  ['connected', '#218bff', 'Connected'],
  ['connecting', '#bf8700', 'Connecting'],
  ['offline', '#cf222e', 'Offline, service down'],
  ['off', '#6e7781', 'Box off'],
  ['depth', '#0969da', 'Backlog (journal)'],
  ['c2xx', '#2da44e', 'Call answered 2xx'],
  ['c4xx', '#bf8700', '4xx'],
  ['c5xx', '#cf222e', '5xx'],
  ['cnone', '#24292f', 'No answer'],
  ['copen', '#8c959f', 'Not answered by the end'],
  ['message', '#8250df', 'Message in a queue'],
  ['act', '#57606a', 'Action on the vehicle'],
];

/** The meaning of the colours in all pictures; hovering names each item. */
function legend(): Markup {
  return el(
    'div',
    { class: 'legend' },
    ROWS.map(([look, fill, text]) =>
      el(
        'span',
        {},
        el(
          'svg',
          { width: 12, height: 12, 'aria-hidden': 'true' },
          el('rect', { width: 12, height: 12, rx: 2, class: look, fill }),
        ),
        text,
      ),
    ),
    el('span', {}, 'Shaded red: a fault; ✓ and ✗: expectations; a low link is down; hover for names'),
  );
}

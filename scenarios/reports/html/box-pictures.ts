import { counted } from '../../../judge/wording.ts';
import { reportLimits } from '../../limits.ts';
import type { RunOutcome } from '../../run/outcome.ts';
import { runTimeText } from '../../run/time-text.ts';
import type { RunFailure } from '../failure.ts';
import type { TimeWindow } from './axis.ts';
import { type BoxTimeline, boxTimelinesOf, WHOLE } from './box-timeline.ts';
import { el, type Markup } from './markup.ts';
import { picture } from './picture.ts';

/** The whole first, then the boxes that failed, then some others; each with enlarged parts of its time. */
export function boxPictures(outcome: RunOutcome, failures: readonly RunFailure[]): readonly Markup[] {
  const { vehicles, startMs, endMs } = outcome;
  const failing = new Set(failures.flatMap(({ vehicle }) => (vehicle === undefined ? [] : [vehicle])));
  const wrong = vehicles.filter(({ number }) => failing.has(number));
  const right = vehicles.filter(({ number }) => !failing.has(number));
  const shown = [
    ...wrong.slice(0, reportLimits.failingPictures),
    ...right.slice(0, reportLimits.otherPictures),
  ];
  const timelines = boxTimelinesOf(
    outcome,
    shown.map(({ number }) => number),
  );
  const window = { fromMs: 0, toMs: Math.max(1, endMs - startMs) };
  const cards = [
    card({
      title: 'The run and the service',
      note: '',
      timeline: timelines.get(WHOLE),
      window,
      isFailing: false,
      closeUps: [],
    }),
    ...shown.map(({ number, vehicleId, boxId, group, model }) =>
      card({
        title: `Vehicle ${number}`,
        note: [group, model, vehicleId, ...(boxId === undefined ? ['no box'] : [`box ${boxId}`])]
          .filter((text) => text !== '')
          .join(' · '),
        timeline: timelines.get(number),
        window,
        isFailing: failing.has(number),
        closeUps: closeUpsOf(
          failures.filter(({ vehicle }) => vehicle === number),
          outcome,
          window,
        ),
      }),
    ),
  ];
  const left = vehicles.length - shown.length;
  const leftWrong = Math.max(0, wrong.length - reportLimits.failingPictures);
  if (left === 0) return cards;
  const words = `${counted(left, 'further vehicle')} not drawn${leftWrong === 0 ? ', none of them with a failure' : `, ${leftWrong} of them with a failure`}.`;
  return [...cards, el('p', { class: 'soft' }, words)];
}

interface Card {
  readonly title: string;
  readonly note: string;
  readonly timeline: BoxTimeline | undefined;
  readonly window: TimeWindow;
  readonly isFailing: boolean;
  readonly closeUps: readonly TimeWindow[];
}

function card({ title, note, timeline, window, isFailing, closeUps }: Card): Markup {
  if (timeline === undefined) return { markup: '' };
  const parts = [
    ...closeUps.map((part) => ({ part, name: 'Around a failure' })),
    ...partsOf(window).map((part) => ({ part, name: 'Closer' })),
  ];
  return el(
    'div',
    { class: isFailing ? 'box failing' : 'box' },
    el('h4', {}, title, ' ', el('span', { class: 'soft mono' }, note)),
    picture(timeline, window, title),
    parts.map(({ part, name }) => {
      const words = `${name}: ${second(part.fromMs)} to ${second(part.toMs)}`;
      return el('details', {}, el('summary', {}, words), picture(timeline, part, `${title}, ${words}`));
    }),
  );
}

/** A moment for a heading, without milliseconds. */
function second(atMs: number): string {
  return runTimeText(atMs).slice(0, -4);
}

function closeUpsOf(
  failures: readonly RunFailure[],
  { startMs }: RunOutcome,
  whole: TimeWindow,
): readonly TimeWindow[] {
  const windows = failures.flatMap(({ atMs }) =>
    atMs === undefined
      ? []
      : [
          {
            fromMs: Math.max(0, atMs - startMs - reportLimits.beforeMs),
            toMs: Math.min(whole.toMs, atMs - startMs + reportLimits.afterMs),
          },
        ],
  );
  return windows.filter(({ fromMs, toMs }) => toMs > fromMs).slice(0, reportLimits.closeUps);
}

function partsOf({ toMs }: TimeWindow): readonly TimeWindow[] {
  if (toMs < reportLimits.partsFromMs) return [];
  return Array.from({ length: reportLimits.parts }, (_, index) => ({
    fromMs: Math.round((toMs * index) / reportLimits.parts),
    toMs: Math.round((toMs * (index + 1)) / reportLimits.parts),
  }));
}

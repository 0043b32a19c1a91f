import { counted } from '../../language/counted.ts';
import type { Outcome } from '../../run/outcome.ts';
import type { Failure } from '../failure.ts';
import { limits } from '../limits.ts';
import { moment } from '../moment.ts';
import type { Window } from './axis.ts';
import { type Lanes, lanesOf, WHOLE } from './lanes.ts';
import { el, type Markup } from './markup.ts';
import { picture } from './picture.ts';

/** The whole first, then the boxes that failed, then some others; each with parts of its time drawn larger. */
export function boxPictures(outcome: Outcome, failures: readonly Failure[]): readonly Markup[] {
  const { vehicles, startMs, endMs } = outcome;
  const failing = new Set(failures.flatMap(({ vehicle }) => (vehicle === undefined ? [] : [vehicle])));
  const wrong = vehicles.filter(({ number }) => failing.has(number));
  const right = vehicles.filter(({ number }) => !failing.has(number));
  const shown = [...wrong.slice(0, limits.failingPictures), ...right.slice(0, limits.otherPictures)];
  const lanes = lanesOf(
    outcome,
    shown.map(({ number }) => number),
  );
  const window = { fromMs: 0, toMs: Math.max(1, endMs - startMs) };
  const cards = [
    card({
      title: 'The run and the service',
      note: '',
      lanes: lanes.get(WHOLE),
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
        lanes: lanes.get(number),
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
  const leftWrong = Math.max(0, wrong.length - limits.failingPictures);
  if (left === 0) return cards;
  const words = `${counted(left, 'further vehicle')} not drawn${leftWrong === 0 ? ', none of them with a failure' : `, ${leftWrong} of them with a failure`}.`;
  return [...cards, el('p', { class: 'soft' }, words)];
}

interface Card {
  readonly title: string;
  readonly note: string;
  readonly lanes: Lanes | undefined;
  readonly window: Window;
  readonly isFailing: boolean;
  readonly closeUps: readonly Window[];
}

function card({ title, note, lanes, window, isFailing, closeUps }: Card): Markup {
  if (lanes === undefined) return { markup: '' };
  const parts = [
    ...closeUps.map((part) => ({ part, name: 'Around a failure' })),
    ...partsOf(window).map((part) => ({ part, name: 'Closer' })),
  ];
  return el(
    'div',
    { class: isFailing ? 'box failing' : 'box' },
    el('h4', {}, title, ' ', el('span', { class: 'soft mono' }, note)),
    picture(lanes, window, title),
    parts.map(({ part, name }) => {
      const words = `${name}: ${second(part.fromMs)} to ${second(part.toMs)}`;
      return el('details', {}, el('summary', {}, words), picture(lanes, part, `${title}, ${words}`));
    }),
  );
}

/** A moment for a heading, where milliseconds only disturb. */
function second(atMs: number): string {
  return moment(atMs).slice(0, -4);
}

function closeUpsOf(failures: readonly Failure[], { startMs }: Outcome, whole: Window): readonly Window[] {
  const windows = failures.flatMap(({ atMs }) =>
    atMs === undefined
      ? []
      : [
          {
            fromMs: Math.max(0, atMs - startMs - limits.beforeMs),
            toMs: Math.min(whole.toMs, atMs - startMs + limits.afterMs),
          },
        ],
  );
  return windows.filter(({ fromMs, toMs }) => toMs > fromMs).slice(0, limits.closeUps);
}

function partsOf({ toMs }: Window): readonly Window[] {
  if (toMs < limits.partsFromMs) return [];
  return Array.from({ length: limits.parts }, (_, index) => ({
    fromMs: Math.round((toMs * index) / limits.parts),
    toMs: Math.round((toMs * (index + 1)) / limits.parts),
  }));
}

import { count, megabytes } from '../../deployment/checks/wording.ts';
import { type LiveFigures, positive, whole } from '../../deployment/shared/live-figures.ts';
import { limits } from './limits.ts';

/** Figures, and when they were read, in milliseconds of any one clock. */
export interface LiveSample {
  readonly atMs: number;
  readonly figures: LiveFigures;
}

/** The inputs of the line. */
export interface LiveView {
  readonly now: LiveSample;
  /** Earlier readings, for rates, the oldest first. */
  readonly earlier: readonly LiveSample[];
  /** Boxes are starting: there is a bar. */
  readonly isRampUp: boolean;
}

/** One part of the line: its text, or undefined where the value is unknown. */
interface Row {
  /** If the line is too narrow, the highest are omitted first. */
  readonly rank: number;
  readonly text: (view: LiveView) => string | undefined;
}

/** From left to right. */
const ROWS: readonly Row[] = [
  { rank: 0, text: boxesText },
  { rank: 1, text: barText },
  { rank: 2, text: boxRateText },
  { rank: 3, text: (view) => rateText('frames', rateOf(view, 'frames')) },
  { rank: 3, text: payloadsText },
  { rank: 7, text: (view) => rateText('commits', rateOf(view, 'commits')) },
  { rank: 6, text: ({ now }) => known(now.figures.lagMs, (ms) => `lag ${count(Math.round(ms))} ms`) },
  { rank: 5, text: ({ now }) => known(now.figures.outbox, (messages) => `outbox ${count(whole(messages))}`) },
  { rank: 4, text: ({ now }) => known(now.figures.memoryBytes, (bytes) => `memory ${megabytes(bytes)}`) },
  { rank: 8, text: ({ now }) => known(now.figures.busyShare, (share) => `busy ${percent(share)} %`) },
];

const BETWEEN = '  ';

/**
 * The figures of a part in one line of at most so many columns; empty where nothing is known. What does not fit is
 * omitted, the least important first. Total: figures that are not numbers, or below 0, are shown as 0.
 */
export function liveLine(view: LiveView, columns: number): string {
  const room = Number.isFinite(columns) ? Math.max(0, Math.floor(columns)) : 0;
  let shown = ROWS.flatMap(({ rank, text }) => {
    const found = text(view);
    return found === undefined ? [] : [{ rank, found }];
  });
  const line = (): string => shown.map(({ found }) => found).join(BETWEEN);
  while (shown.length > 1 && line().length > room) {
    const highest = Math.max(...shown.map(({ rank }) => rank));
    shown = shown.filter(({ rank }) => rank !== highest);
  }
  return line().slice(0, room);
}

function boxesText({ now: { figures }, isRampUp }: LiveView): string | undefined {
  const { boxes, boxesReady = 0, boxesConnected, boxesUncovered = 0 } = figures;
  if (boxes === undefined) return known(boxesConnected, (open) => `boxes ${count(whole(open))} connected`);
  const uncovered = whole(boxesUncovered);
  const reason = isRampUp || uncovered === 0 ? '' : `, ${count(uncovered)} without coverage`;
  return `boxes ${count(whole(boxesReady))}/${count(whole(boxes))} ready${reason}`;
}

function barText({ now: { figures }, isRampUp }: LiveView): string | undefined {
  const { boxes, boxesReady = 0 } = figures;
  if (!isRampUp || boxes === undefined) return undefined;
  const share = whole(boxes) === 0 ? 1 : Math.min(1, whole(boxesReady) / whole(boxes));
  const filled = Math.floor(share * limits.barCells);
  return `▕${'█'.repeat(filled)}${'░'.repeat(limits.barCells - filled)}▏`;
}

/** How fast boxes become ready, and the remaining time at that rate. */
function boxRateText(view: LiveView): string | undefined {
  const { boxes, boxesReady = 0 } = view.now.figures;
  const perSecond = rateOf(view, 'boxesReady');
  if (!view.isRampUp || boxes === undefined || perSecond === undefined) return undefined;
  const leftS = Math.ceil(Math.max(0, whole(boxes) - whole(boxesReady)) / perSecond);
  const left = perSecond > 0 && leftS <= limits.longestLeftS ? `, ${spanText(leftS)} left` : '';
  return `${perSecondText(perSecond)}${left}`;
}

function payloadsText(view: LiveView): string | undefined {
  return view.now.figures.frames === undefined ? rateText('payloads', rateOf(view, 'payloads')) : undefined;
}

function rateText(name: string, perSecond: number | undefined): string | undefined {
  return known(perSecond, (rate) => `${name} ${perSecondText(rate)}`);
}

function perSecondText(rate: number): string {
  return `${rate >= 10 ? count(Math.round(rate)) : Number(rate.toFixed(1))}/s`;
}

function spanText(seconds: number): string {
  if (seconds < 90) return `${seconds} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`;
}

/** Per second, since the oldest reading that has the value; undefined: none has. A count that has fallen was reset. */
function rateOf({ now, earlier }: LiveView, name: keyof LiveFigures): number | undefined {
  const before = earlier.find(({ figures }) => figures[name] !== undefined);
  const [value, was] = [now.figures[name], before?.figures[name]];
  if (before === undefined || value === undefined || was === undefined) return undefined;
  const elapsedMs = now.atMs - before.atMs;
  return elapsedMs > 0 ? positive((1_000 * (positive(value) - positive(was))) / elapsedMs) : undefined;
}

function percent(share: number): number {
  return Math.round(100 * Math.min(1, share));
}

/** `text` of a number, where it is known. */
function known(value: number | undefined, text: (value: number) => string): string | undefined {
  return value === undefined ? undefined : text(positive(value));
}

import { reportLimits } from '../../limits.ts';
import { LEFT, RIGHT, type TimeWindow, WIDTH, xOf } from './axis.ts';
import type { BoxTimeline, TimelineMark, TimelineSpan } from './box-timeline.ts';

const COLUMN = (WIDTH - LEFT - RIGHT) / reportLimits.columns;

/** Marks at the same place, as one. */
export interface Column {
  readonly x: number;
  readonly look: string;
  readonly count: number;
  readonly title: string;
}

/**
 * At most one mark of a look for each column of the picture, so that a day of messages is still drawn
 * quickly.
 */
export function columnsOf(marks: readonly TimelineMark[], window: TimeWindow): readonly Column[] {
  const columns = new Map<string, Column>();
  for (const { atMs, look, title } of marks) {
    if (atMs < window.fromMs || atMs > window.toMs) continue;
    const x = xOf(atMs, window);
    const key = `${look} ${Math.floor((x - LEFT) / COLUMN)}`;
    const before = columns.get(key);
    columns.set(
      key,
      before === undefined
        ? { x, look, count: 1, title }
        : {
            ...before,
            count: before.count + 1,
            title: before.count < 6 ? `${before.title}\n${title}` : before.title,
          },
    );
  }
  return [...columns.values()];
}

/**
 * The highest and the last value of each column, so that peaks are kept. A journal is empty at first; when
 * its beginning is not known, the curve begins later.
 */
export function curveOf(
  { heldRecords: depth, knownFromMs }: Pick<BoxTimeline, 'heldRecords' | 'knownFromMs'>,
  window: TimeWindow,
): readonly { readonly x: number; readonly held: number }[] {
  const columns = new Map<number, { x: number; top: number; last: number }>();
  let before = knownFromMs <= 0 ? 0 : undefined;
  for (const { atMs, held } of depth) {
    if (atMs < window.fromMs) {
      before = held;
      continue;
    }
    if (atMs > window.toMs) break;
    const x = xOf(atMs, window);
    const key = Math.floor((x - LEFT) / COLUMN);
    const column = columns.get(key);
    if (column === undefined) columns.set(key, { x, top: held, last: held });
    else {
      column.top = Math.max(column.top, held);
      column.last = held;
    }
  }
  return [
    ...(before === undefined ? [] : [{ x: LEFT, held: before }]),
    ...[...columns.values()].flatMap(({ x, top, last }) =>
      top === last
        ? [{ x, held: top }]
        : [
            { x, held: top },
            { x: x + COLUMN / 2, held: last },
          ],
    ),
  ];
}

/** States within one column become one: the look that lasted longest. */
export function mergedStates(band: readonly TimelineSpan[], window: TimeWindow): readonly TimelineSpan[] {
  const columnMs = (window.toMs - window.fromMs) / reportLimits.columns / 4;
  const merged: TimelineSpan[] = [];
  for (const one of band) {
    const last = merged.at(-1);
    const isShort = one.toMs - one.fromMs < columnMs;
    if (last !== undefined && isShort && last.toMs - last.fromMs < columnMs)
      merged[merged.length - 1] = { ...last, toMs: one.toMs };
    else merged.push(one);
  }
  return merged;
}

/**
 * Distributes overlapping items over rows; the last row takes all that is left and may be crowded. `room` is
 * the width that an item needs to the right of its beginning, `lead` to the left of it.
 */
export function rowsOf<T extends TimeWindow>(
  spans: readonly T[],
  window: TimeWindow,
  options: {
    readonly rows: number;
    readonly room: (span: T) => number;
    readonly lead?: (span: T) => number;
  },
): {
  readonly placed: readonly { readonly span: T; readonly row: number }[];
  readonly rows: number;
  readonly isCrowded: boolean;
} {
  const ends: number[] = [];
  let isCrowded = false;
  const inOrder = [...spans].sort((one, other) => one.fromMs - other.fromMs);
  const placed = inOrder.map((span) => {
    const fromX = xOf(span.fromMs, window);
    const free = ends.findIndex((end) => end <= fromX - (options.lead?.(span) ?? 0));
    if (free < 0 && ends.length === options.rows) isCrowded = true;
    const row = free >= 0 ? free : Math.min(ends.length, options.rows - 1);
    ends[row] = Math.max(ends[row] ?? 0, xOf(span.toMs, window), fromX + options.room(span));
    return { span, row };
  });
  return { placed, rows: ends.length, isCrowded };
}

import { limits } from '../limits.ts';
import { LEFT, RIGHT, WIDTH, type Window, xOf } from './axis.ts';
import type { Lanes, Mark, Stretch } from './lanes.ts';

const COLUMN = (WIDTH - LEFT - RIGHT) / limits.columns;

/** Marks that fall together, as one. */
export interface Column {
  readonly x: number;
  readonly look: string;
  readonly count: number;
  readonly title: string;
}

/** At most one mark of a look for each column of the picture, so that a day of messages is still drawn at once. */
export function columnsOf(marks: readonly Mark[], window: Window): readonly Column[] {
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
 * The highest and the last value of each column: a peak is never thinned away. A journal is empty at first; where the
 * first of it is not known, the curve begins later.
 */
export function curveOf(
  { depth, knownFromMs }: Pick<Lanes, 'depth' | 'knownFromMs'>,
  window: Window,
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

/** What follows upon itself within one column is one stretch: the look that lasted longest. */
export function mergedBand(band: readonly Stretch[], window: Window): readonly Stretch[] {
  const columnMs = (window.toMs - window.fromMs) / limits.columns / 4;
  const merged: Stretch[] = [];
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
 * Puts what overlaps into rows, the last of which takes whatever is left: then they are crowded. `room` is what one needs
 * to the right of its beginning, `lead` what it needs to the left of it.
 */
export function rowsOf<T extends Window>(
  stretches: readonly T[],
  window: Window,
  options: {
    readonly rows: number;
    readonly room: (stretch: T) => number;
    readonly lead?: (stretch: T) => number;
  },
): {
  readonly placed: readonly { readonly stretch: T; readonly row: number }[];
  readonly rows: number;
  readonly isCrowded: boolean;
} {
  const ends: number[] = [];
  let isCrowded = false;
  const inOrder = [...stretches].sort((one, other) => one.fromMs - other.fromMs);
  const placed = inOrder.map((stretch) => {
    const fromX = xOf(stretch.fromMs, window);
    const free = ends.findIndex((end) => end <= fromX - (options.lead?.(stretch) ?? 0));
    if (free < 0 && ends.length === options.rows) isCrowded = true;
    const row = free >= 0 ? free : Math.min(ends.length, options.rows - 1);
    ends[row] = Math.max(ends[row] ?? 0, xOf(stretch.toMs, window), fromX + options.room(stretch));
    return { stretch, row };
  });
  return { placed, rows: ends.length, isCrowded };
}

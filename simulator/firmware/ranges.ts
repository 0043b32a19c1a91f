import { type Entry, entriesOf, type Shelf } from './shelf.ts';

/**
 * Which sequences are with the backend, or on their way there, as the box sees it: rising ranges that do not touch,
 * the first of which begins at 0 (no record has that sequence, so it is always settled). What lies between two ranges
 * is a gap, and the backend keeps only so many of them.
 *
 *     0 ───────── front        island            island
 *     ███████████████░░░░░░░░░░█████░░░░░░░░░░░░░█████
 */
export type Ranges = readonly (readonly [first: number, last: number])[];

/** Whether that sequence is in one of the ranges. */
export function includes(ranges: Ranges, sequence: number): boolean {
  return rangeOf(ranges, sequence) !== undefined;
}

/** The range that holds that sequence. */
export function rangeOf(
  ranges: Ranges,
  sequence: number,
): readonly [first: number, last: number] | undefined {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const range = ranges[middle];
    if (range !== undefined && range[1] < sequence) low = middle + 1;
    else high = middle;
  }
  const found = ranges[low];
  return found !== undefined && found[0] <= sequence ? found : undefined;
}

/** The ranges with `first` to `last` in them; nothing changes where `first` is above `last`. */
export function joining(ranges: Ranges, first: number, last: number): Ranges {
  if (first > last) return ranges;
  let from = ranges.length;
  while (from > 0 && (ranges[from - 1]?.[1] ?? 0) + 1 >= first) from -= 1;
  let to = from;
  while (to < ranges.length && (ranges[to]?.[0] ?? 0) <= last + 1) to += 1;
  const low = Math.min(first, ranges[from]?.[0] ?? first);
  const high = Math.max(last, to > from ? (ranges[to - 1]?.[1] ?? last) : last);
  return ranges.toSpliced(from, to - from, [low, high]);
}

/** The ranges once this record is stored: a tombstone settles what it stands for beside itself. */
export function joiningEntry(ranges: Ranges, entry: Entry): Ranges {
  const { covers, sequence } = entry;
  const before = covers === undefined ? ranges : joining(ranges, covers[0], covers[1]);
  return joining(before, sequence, sequence);
}

/** How many gaps there are below the highest range. */
export function gaps(ranges: Ranges): number {
  return ranges.length - 1;
}

/** The first sequence above the first range: the lowest that nobody has been told of. */
export function front(ranges: Ranges): number {
  return (ranges[0]?.[1] ?? -1) + 1;
}

/** What is settled below `next`: all that is neither held nor stood for by a tombstone that is. */
export function settledOf(shelf: Shelf, next: number): Ranges {
  const owed: (readonly [number, number])[] = [];
  for (const { sequence, covers } of entriesOf(shelf)) {
    owed.push([sequence, sequence]);
    if (covers !== undefined) owed.push(covers);
  }
  owed.sort((one, other) => one[0] - other[0]);
  const settled: (readonly [number, number])[] = [];
  let from = 0;
  for (const [first, last] of owed) {
    if (first > from) settled.push([from, first - 1]);
    from = Math.max(from, last + 1);
  }
  if (from < next) settled.push([from, next - 1]);
  return settled;
}

import { allEntries, type EntryIndex, type JournalEntry } from './entry-index.ts';

/**
 * The sequences that the backend has or that are on their way, as the box knows: ascending ranges that do not
 * touch. The first begins at 0 (no record has that sequence, so it is always settled). Between two ranges is
 * a gap, and the backend keeps only a limited number of gaps.
 *
 *     0 ───────── front        island            island
 *     ███████████████░░░░░░░░░░█████░░░░░░░░░░░░░█████
 */
export type SequenceRanges = readonly (readonly [first: number, last: number])[];

/** Whether this sequence is in one of the ranges. */
export function includesSequence(ranges: SequenceRanges, sequence: number): boolean {
  return rangeOf(ranges, sequence) !== undefined;
}

/** The range that contains this sequence. */
export function rangeOf(
  ranges: SequenceRanges,
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

/** The ranges with `first` to `last` added; unchanged if `first` is above `last`. */
export function withRange(ranges: SequenceRanges, first: number, last: number): SequenceRanges {
  if (first > last) return ranges;
  let from = ranges.length;
  while (from > 0 && (ranges[from - 1]?.[1] ?? 0) + 1 >= first) from -= 1;
  let to = from;
  while (to < ranges.length && (ranges[to]?.[0] ?? 0) <= last + 1) to += 1;
  const low = Math.min(first, ranges[from]?.[0] ?? first);
  const high = Math.max(last, to > from ? (ranges[to - 1]?.[1] ?? last) : last);
  return ranges.toSpliced(from, to - from, [low, high]);
}

/** The ranges after this record is stored: a tombstone also settles the sequences that it covers. */
export function withEntry(ranges: SequenceRanges, entry: JournalEntry): SequenceRanges {
  const { tombstone, sequence } = entry;
  const before = tombstone === undefined ? ranges : withRange(ranges, tombstone.first, tombstone.last);
  return withRange(before, sequence, sequence);
}

/** The number of gaps below the highest range. */
export function gapCount(ranges: SequenceRanges): number {
  return ranges.length - 1;
}

/** The first sequence above the first range: the lowest that was not sent yet. */
export function lowestUnsettled(ranges: SequenceRanges): number {
  return (ranges[0]?.[1] ?? -1) + 1;
}

/** The settled sequences below `next`: all that are neither held nor covered by a held tombstone. */
export function settledRanges(entryIndex: EntryIndex, next: number): SequenceRanges {
  const owed: (readonly [number, number])[] = [];
  for (const { sequence, tombstone } of allEntries(entryIndex)) {
    owed.push([sequence, sequence]);
    if (tombstone !== undefined) owed.push([tombstone.first, tombstone.last]);
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

import type { SequenceRange } from './facts.ts';

/** The number of sequences in the ranges, which must not overlap. */
export function countOf(ranges: readonly SequenceRange[]): number {
  return ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

/** The same sequences as ascending ranges that do not touch. */
export function joined(ranges: readonly SequenceRange[]): readonly SequenceRange[] {
  const result: SequenceRange[] = [];
  for (const range of ranges.toSorted(([a], [b]) => a - b)) {
    const before = result.at(-1);
    if (range[0] > range[1]) continue;
    if (before === undefined || range[0] > before[1] + 1) result.push(range);
    else if (range[1] > before[1]) result[result.length - 1] = [before[0], range[1]];
  }
  return result;
}

/**
 * Splits `ranges` into the part inside `others` and the part outside. Both are ascending and without
 * overlaps.
 */
export function split(
  ranges: readonly SequenceRange[],
  others: readonly SequenceRange[],
): { readonly inside: readonly SequenceRange[]; readonly outside: readonly SequenceRange[] } {
  const inside: SequenceRange[] = [];
  const outside: SequenceRange[] = [];
  let index = 0;
  for (const [first, last] of ranges) {
    let from = first;
    // The other range may reach into the next one too, so it is skipped only when it ends before that.
    while (index < others.length && (others[index]?.[1] ?? 0) < first) index += 1;
    for (let at = index; from <= last; at += 1) {
      const other = others[at];
      if (other === undefined || other[0] > last) {
        outside.push([from, last]);
        break;
      }
      if (other[0] > from) outside.push([from, other[0] - 1]);
      inside.push([Math.max(from, other[0]), Math.min(last, other[1])]);
      from = other[1] + 1;
    }
  }
  return { inside, outside };
}

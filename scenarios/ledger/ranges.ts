import type { Range } from './facts.ts';

/** How many sequences the ranges hold; they must not overlap. */
export function countOf(ranges: readonly Range[]): number {
  return ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0);
}

/** The same sequences as rising ranges that do not touch. */
export function joined(ranges: readonly Range[]): readonly Range[] {
  const result: Range[] = [];
  for (const range of ranges.toSorted(([a], [b]) => a - b)) {
    const before = result.at(-1);
    if (range[0] > range[1]) continue;
    if (before === undefined || range[0] > before[1] + 1) result.push(range);
    else if (range[1] > before[1]) result[result.length - 1] = [before[0], range[1]];
  }
  return result;
}

/** Splits `ranges` into what `others` hold too and what they do not. Both rising, neither overlapping in itself. */
export function split(
  ranges: readonly Range[],
  others: readonly Range[],
): { readonly inside: readonly Range[]; readonly outside: readonly Range[] } {
  const inside: Range[] = [];
  const outside: Range[] = [];
  let index = 0;
  for (const [first, last] of ranges) {
    let from = first;
    // The other range may reach into the next one too, so it is passed over only once it ends before it.
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

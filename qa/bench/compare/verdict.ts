/** What one round measured: with the code of this checkout, and with that of the other revision. */
export interface Pair {
  readonly here: number;
  readonly there: number;
}

export interface Verdict {
  readonly is: 'slower' | 'faster' | 'alike';
  /** How many times as slow as the other revision: the median of the rounds, and an interval that holds it. */
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** The interval misses the true median in at most this share of comparisons. */
const MISS = 0.1;
/** With fewer pairs even the widest interval misses the median more often. */
export const LEAST_PAIRS = 5;

/**
 * Compares two revisions by rounds that ran in alternation. The interval of the median comes from the order of the ratios
 * (the sign test), and so assumes nothing of how they are spread. Slower or faster is only what lies by more than
 * `marginPercent` beyond 1 with the whole interval. Throws for fewer than `LEAST_PAIRS`, and for values that are not positive.
 */
export function verdictOf(pairs: readonly Pair[], isLessBetter: boolean, marginPercent: number): Verdict {
  if (pairs.length < LEAST_PAIRS) throw new RangeError(`A verdict needs ${LEAST_PAIRS} pairs or more.`);
  const slowness = pairs
    .map(({ here, there }) => (isLessBetter ? here / there : there / here))
    .sort((a, b) => a - b);
  if (!slowness.every((one) => one > 0 && Number.isFinite(one)))
    throw new RangeError('Every value is above 0.');
  const dropped = droppedAtEachEnd(slowness.length);
  const low = slowness[dropped] as number;
  const high = slowness[slowness.length - 1 - dropped] as number;
  const middle = slowness.slice(Math.floor((slowness.length - 1) / 2), Math.floor(slowness.length / 2) + 1);
  const median = middle.reduce((sum, one) => sum + one, 0) / middle.length;
  const margin = 1 + marginPercent / 100;
  return { is: low > margin ? 'slower' : high < 1 / margin ? 'faster' : 'alike', median, low, high };
}

/** How many of the smallest and of the largest ratios the interval leaves out: the quantile of the binomial distribution. */
function droppedAtEachEnd(count: number): number {
  let term = 0.5 ** count;
  let missed = 2 * term;
  for (let dropped = 0; ; dropped += 1) {
    term *= (count - dropped) / (dropped + 1);
    missed += 2 * term;
    if (missed > MISS) return dropped;
  }
}

/** The resident memory of a part at one moment of the run. */
export interface MemorySample {
  readonly atMs: number;
  readonly bytes: number;
}

export interface FlatRule {
  /** From the beginning, so much of the samples' time is warm-up and not looked at. */
  readonly warmUpShare: number;
  readonly flatMibPerMinute: number;
  readonly slopePoints: number;
  readonly leastSlopePoints: number;
}

/** `unknown`: too few samples to say anything, which is no pass. */
export interface Flatness {
  readonly verdict: 'flat' | 'grows' | 'unknown';
  /** MiB a minute after the warm-up; undefined where it is unknown. */
  readonly mibPerMinute: number | undefined;
}

const MIB = 2 ** 20;
const MINUTE_MS = 60_000;

/**
 * Whether the memory of a part has stopped growing: the Theil-Sen slope (the median of the slopes of all pairs) of its
 * samples after the warm-up. A single peak, or a collection that frees much at once, does not bend it. Memory that
 * shrinks is flat. Samples must be in the order of time.
 */
export function flatnessOf(samples: readonly MemorySample[], rule: FlatRule): Flatness {
  const fromMs = samples[0]?.atMs ?? 0;
  const toMs = samples.at(-1)?.atMs ?? 0;
  const warmMs = fromMs + (toMs - fromMs) * rule.warmUpShare;
  const points = mediansOf(
    samples.filter(({ atMs }) => atMs >= warmMs),
    rule.slopePoints,
  );
  const slope = points.length < rule.leastSlopePoints ? undefined : theilSen(points);
  if (slope === undefined) return { verdict: 'unknown', mibPerMinute: undefined };
  const mibPerMinute = (slope * MINUTE_MS) / MIB;
  return { verdict: mibPerMinute <= rule.flatMibPerMinute ? 'flat' : 'grows', mibPerMinute };
}

/** Neighbours joined to their median, so that at most `most` are left; the order of time is kept. */
export function mediansOf(samples: readonly MemorySample[], most: number): readonly MemorySample[] {
  const size = Math.max(1, Math.ceil(samples.length / most));
  return Array.from({ length: Math.ceil(samples.length / size) }, (_, index) => {
    const group = samples.slice(index * size, (index + 1) * size);
    return {
      atMs: median(group.map(({ atMs }) => atMs)),
      bytes: median(group.map(({ bytes }) => bytes)),
    };
  });
}

/** Bytes a millisecond; undefined where no two samples are at different times. */
function theilSen(points: readonly MemorySample[]): number | undefined {
  const slopes = points.flatMap((a, index) =>
    points
      .slice(index + 1)
      .filter((b) => b.atMs > a.atMs)
      .map((b) => (b.bytes - a.bytes) / (b.atMs - a.atMs)),
  );
  return slopes.length === 0 ? undefined : median(slopes);
}

/** Of an even count the mean of the two in the middle. `values` must not be empty. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** One figure: our result compared with a bare reference in the same run. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** One pair of results for each round, the reference first. */
  readonly rounds: readonly { readonly bare: number; readonly ours: number }[];
  /** The ratio ours ÷ bare, at least; undefined: none is set. */
  readonly aim: number | undefined;
}

/** A figure without a bare reference to compare with. */
export interface Rate {
  readonly name: string;
  readonly unit: string;
  readonly rates: readonly number[];
  readonly aim: number;
}

/** A duration in wall clock time: less is better. */
export interface Duration {
  readonly name: string;
  readonly unit: string;
  readonly durations: readonly number[];
  readonly aim: number;
}

/** How long calls took: of those that were answered, in milliseconds. */
export interface Percentiles {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failed: number;
  /** Processor time of the server for each call that was answered; absent: not measured. */
  readonly cpuMs?: number;
}

/** How long calls take at steady rates, beside a bare reference; the aim is the ratio of p99. */
export interface Latencies {
  readonly name: string;
  readonly latencies: readonly {
    readonly perS: number;
    readonly bare: Percentiles;
    readonly ours: Percentiles;
  }[];
  /** At most; undefined: none is set. */
  readonly aim: number | undefined;
}

/** What one box of a fleet of that size costs. */
export interface BoxCost {
  readonly boxes: number;
  /** Once all are ready and garbage is collected. */
  readonly heapBytes: number;
  readonly rssBytes: number;
  /** Of the whole process, the most at any time. */
  readonly rssMost: number;
  /** Processor time from the start of the fleet until all were ready, and the seconds on the wall. */
  readonly cpuMs: number;
  readonly readyS: number;
  /** Afterwards: the share of a processor that the fleet takes, and its frames. */
  readonly steadyShare: number;
  readonly framesPerS: number;
}

export interface BoxCosts {
  readonly name: string;
  readonly costs: readonly BoxCost[];
  readonly aimBytes: number;
  readonly aimCpuMs: number;
}

/** What so many backends use together. */
export interface BackendCost {
  readonly backends: number;
  /** Processor time for one record, and for one command besides its record. */
  readonly recordMs: number;
  readonly commandMs: number;
  /** Processor time for one commit of records, with all that these cost. */
  readonly commitMs: number;
  readonly recordsPerS: number;
  readonly commitsPerS: number;
  /** Commands that were not answered with success. */
  readonly failed: number;
  /** Commits that had to be made again: another backend was quicker, or held the partition by then. */
  readonly commitsLost: number;
}

export interface BackendCosts {
  readonly name: string;
  readonly backendCosts: readonly BackendCost[];
  /** The ratio to the cost with one backend, at most. */
  readonly aim: number;
}

/** Of durations in milliseconds; NaN of none. */
export function percentilesOf(tookMs: readonly number[], failed: number): Percentiles {
  const sorted = tookMs.toSorted((a, b) => a - b);
  const at = (part: number) => sorted[Math.floor(sorted.length * part)] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99), failed };
}

/** The round with the lowest p99 of those with the fewest failures. Throws for none. */
export function bestOf(rounds: readonly Percentiles[]): Percentiles {
  const [best] = rounds.toSorted((a, b) => a.failed - b.failed || a.p99Ms - b.p99Ms);
  if (best === undefined) throw new Error('There was no round.');
  return best;
}

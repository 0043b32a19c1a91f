/** Counts by name. Names come from tables in the code, never from outside, so that there are not many of them. */
export interface Counters {
  add(name: string, amount?: number): void;
  /** How long something took, in seconds: for whoever keeps distributions. Not among the counts. */
  observe(name: Observed, seconds: number): void;
  /** A copy of all counts that were ever added to, by name. */
  read(): Readonly<Record<string, number>>;
}

/**
 * What is observed beside being counted: from a payload's arrival to its commit, and from a message's making to the
 * broker's confirm.
 */
export type Observed = 'commit' | 'courier';

/** Counters that begin at nothing. `observed` is told what took how long; without it that is not kept. */
export function makeCounters(
  observed: (name: Observed, seconds: number) => void = () => undefined,
): Counters {
  const counts = new Map<string, number>();
  return {
    add: (name, amount = 1) => {
      counts.set(name, (counts.get(name) ?? 0) + amount);
    },
    observe: observed,
    read: () => Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

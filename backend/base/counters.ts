/** Counts by name. Names come from tables in the code, never from input, so that their number is bounded. */
export interface Counters {
  add(name: string, amount?: number): void;
  /** How long something took, in seconds, for histograms. Not among the counts. */
  observe(name: ObservedDuration, seconds: number): void;
  /** A copy of all counts that were ever incremented, by name. */
  read(): Readonly<Record<string, number>>;
}

/**
 * Durations: from a payload's arrival to its commit, and from a message's creation to the broker's confirm.
 */
export type ObservedDuration = 'commit' | 'courier';

/** Counters from zero. `observed` gets each duration; without it they are dropped. */
export function makeCounters(
  observed: (name: ObservedDuration, seconds: number) => void = () => undefined,
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

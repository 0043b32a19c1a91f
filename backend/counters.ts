/** Counts by name. Names come from tables in the code, never from outside, so that there are not many of them. */
export interface Counters {
  add(name: string, amount?: number): void;
  /** A copy of all counts that were ever added to, by name. */
  read(): Readonly<Record<string, number>>;
}

/** Counters that begin at nothing. */
export function makeCounters(): Counters {
  const counts = new Map<string, number>();
  return {
    add: (name, amount = 1) => {
      counts.set(name, (counts.get(name) ?? 0) + amount);
    },
    read: () => Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

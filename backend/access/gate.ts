/** Lets a bounded number of works run at once and a bounded number wait, in the order in which they came. */
export interface Gate {
  /** The result of `work`, or `full` where even the waiting room is: then `work` was not begun. */
  pass<T>(work: () => Promise<T>): Promise<T | 'full'>;
}

export function makeGate(maximumRunning: number, maximumWaiting: number): Gate {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    async pass(work) {
      if (running >= maximumRunning) {
        if (waiting.length >= maximumWaiting) return 'full';
        // The place is handed over by whoever leaves, so `running` stays as it is.
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else running += 1;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}

/** Runs a bounded number of tasks at once and lets a bounded number wait, in order of arrival. */
export interface ConcurrencyLimit {
  /** The result of `work`, or `full` if the queue is full too: then `work` was not started. */
  run<T>(work: () => Promise<T>): Promise<T | 'full'>;
}

export function makeConcurrencyLimit(maximumRunning: number, maximumWaiting: number): ConcurrencyLimit {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    async run(work) {
      if (running >= maximumRunning) {
        if (waiting.length >= maximumWaiting) return 'full';
        // The task that ends hands its slot over, so `running` stays as it is.
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

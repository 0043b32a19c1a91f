/**
 * Time as a program sees it: a clock and alarms. All waiting goes through this port, so that the virtual
 * world can let twelve hours pass in seconds.
 */
export interface Time {
  /** Milliseconds since 1970-01-01T00:00:00Z. Whole. */
  nowMs(): number;
  /**
   * Calls `wake` once, at `dueMs` (epoch milliseconds) or as soon afterwards as possible; for a time in the past as
   * soon as possible, but never within this call. The wait is computed from the clock now: setting the clock afterwards
   * does not change it. The returned function cancels the alarm; after the alarm has fired it does nothing.
   */
  alarm(dueMs: number, wake: () => void): () => void;
}

/** Resolves once `durationMs` have passed in `time`. */
export function sleep(time: Time, durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    time.alarm(time.nowMs() + durationMs, resolve);
  });
}

/**
 * The outcome of `wanted`, or undefined if that takes longer than `durationMs` in `time`. Rejects as `wanted` does.
 * Leaves no alarm behind: a pending one would keep the process alive.
 */
export async function valueWithin<T>(
  time: Time,
  durationMs: number,
  wanted: Promise<T>,
): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>();
  const cancel = time.alarm(time.nowMs() + durationMs, () => resolve(undefined));
  try {
    return await Promise.race([wanted, late]);
  } finally {
    cancel();
  }
}

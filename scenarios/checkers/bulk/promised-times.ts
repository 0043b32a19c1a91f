/**
 * The times of a bulk job as the contract promises them (docs/api.md, Bulk configuration and Limits), stated here once
 * more: nothing of the service is asked for them.
 */
export const PROMISED = {
  /** "After 12 h what is left fails with no-connection." */
  jobMs: 12 * 3_600_000,
  /** "after 30 s, then twice as long each time, an hour at most" */
  firstWaitMs: 30_000,
  lastWaitMs: 3_600_000,
  /** "each up to a tenth less" */
  leastFraction: 0.9,
  /** Limits: "an answer of a box or a maker: 20 s" */
  answerMs: 20_000,
} as const;

/** The shortest wait after an attempt that failed, in milliseconds; `failedBefore`: those before it in a row. */
export function shortestWaitMs(failedBefore: number): number {
  return longestWaitMs(failedBefore) * PROMISED.leastFraction;
}

/** The longest one. */
export function longestWaitMs(failedBefore: number): number {
  let waitMs: number = PROMISED.firstWaitMs;
  for (let doubling = 0; doubling < failedBefore && waitMs < PROMISED.lastWaitMs; doubling += 1) waitMs *= 2;
  return Math.min(waitMs, PROMISED.lastWaitMs);
}

/**
 * How many attempts have room in so many milliseconds, of which `times` are made at once and begin with the waits anew,
 * whenever they come: the shortest waits fit in first, as many of each length as there are beginnings. Infinite where
 * `times` is.
 */
export function mostAttempts(durationMs: number, times: number): number {
  if (!Number.isFinite(times)) return times;
  let count = times;
  let leftMs = durationMs;
  for (let failedBefore = 0; times > 0; failedBefore += 1) {
    const waits = Math.min(times, Math.floor(leftMs / shortestWaitMs(failedBefore)));
    count += waits;
    leftMs -= waits * shortestWaitMs(failedBefore);
    if (waits < times) break;
  }
  return count;
}

/**
 * How many are made at least in so many milliseconds, if each takes `attemptMs` beside its wait; below 0, before the time
 * that the first one is given, none.
 */
export function leastAttempts(durationMs: number, attemptMs: number): number {
  if (durationMs < 0) return 0;
  let count = 1;
  let atMs = longestWaitMs(0) + attemptMs;
  while (atMs <= durationMs) {
    count += 1;
    atMs += longestWaitMs(count - 1) + attemptMs;
  }
  return count;
}

/** Milliseconds as words: `90 s`, `11.9 h`. */
export function spanText(ms: number): string {
  return ms < 7_200_000 ? `${Math.round(ms / 100) / 10} s` : `${Math.round(ms / 36_000) / 100} h`;
}

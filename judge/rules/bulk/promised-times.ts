import { LIMITS } from '../../../contract/limits.ts';

const { firstWaitMs, lastWaitMs, jitterFraction } = LIMITS.bulk;

/** The shortest wait after an attempt that failed, in milliseconds; `failedBefore`: those before it in a row. */
export function shortestWaitMs(failedBefore: number): number {
  return longestWaitMs(failedBefore) * (1 - jitterFraction);
}

/** The longest one. */
export function longestWaitMs(failedBefore: number): number {
  let waitMs: number = firstWaitMs;
  for (let doubling = 0; doubling < failedBefore && waitMs < lastWaitMs; doubling += 1) waitMs *= 2;
  return Math.min(waitMs, lastWaitMs);
}

/**
 * The most attempts in this many milliseconds, of which `times` are made at once and restart the waits, whenever they
 * come: the shortest waits are used first, as many of each length as there are restarts. Infinite if `times` is.
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
 * The fewest attempts in this many milliseconds, if each takes `attemptMs` in addition to its wait; none below 0,
 * within the time of the first one.
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

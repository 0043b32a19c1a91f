import { LIMITS } from '../../contract/limits.ts';
import type { ProblemKind } from '../../contract/problems.ts';

/**
 * How long to wait after a failed attempt, in milliseconds. `failedAttempts`: those before it since the box
 * was last known to connect. 30 s, then twice as long each time, at most 1 h; `fraction` (random, 0 to 1)
 * takes up to a tenth off.
 */
export function bulkWaitMs(failedAttempts: number, fraction: number): number {
  let fullMs: number = LIMITS.bulk.firstWaitMs;
  for (let doubling = 0; doubling < failedAttempts && fullMs < LIMITS.bulk.lastWaitMs; doubling += 1)
    fullMs *= 2;
  fullMs = Math.min(fullMs, LIMITS.bulk.lastWaitMs);
  return Math.round(fullMs * (1 - LIMITS.bulk.jitterFraction * fraction));
}

/** Refusals that may end with time. All others are final. */
const RETRYABLE: readonly ProblemKind[] = ['no-connection', 'conflicting-resource', 'conflicting-command'];

/** Whether a vehicle is tried again after this refusal. */
export function isTriedAgain(refusal: ProblemKind): boolean {
  return RETRYABLE.includes(refusal);
}

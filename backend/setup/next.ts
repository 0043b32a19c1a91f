import { backoffMs } from '../backoff.ts';
import type { DeskAnswer } from '../commands/desk.ts';
import type { SetupEnd } from '../store/setup-store.ts';
import { setupLimits } from './limits.ts';

/** What the desk says of an attempt that led to no end. */
export type Refused = Extract<DeskAnswer, { readonly done: false }>;

/**
 * What becomes of a RUNNING setup whose attempt number `attempt` led to no end: another try later, or FAILED with a
 * detail that says why. `refused` is undefined where the desk of it is gone. Total. `fraction`: 0 to 1, by chance.
 */
export function afterAttempt(
  attempt: number,
  refused: Refused | undefined,
  nowMs: number,
  fraction: number,
): SetupEnd {
  const outcome = refused === undefined ? 'unknown' : refused.outcome;
  // Nothing was sent: another command of this vehicle is open, or there is no session with the broker.
  if (outcome === undefined || outcome === 'withdrawn') {
    const detail = 'The telematics unit could not be reached yet.';
    return { to: 'PENDING', dueMs: nowMs + setupLimits.voidBackoffMs, detail, isVoid: true };
  }
  const why =
    outcome === 'not-ready' ? 'was busy' : outcome === 'expired' ? 'was too late' : 'did not answer';
  if (attempt >= setupLimits.attempts) {
    const detail = `The telematics unit ${why}; it was tried ${attempt} times.`;
    return { to: 'FAILED', detail };
  }
  const { firstBackoffMs, lastBackoffMs } = setupLimits;
  return {
    to: 'PENDING',
    dueMs: nowMs + backoffMs(attempt - 1, firstBackoffMs, lastBackoffMs, fraction),
    detail: `The telematics unit ${why}; attempt ${attempt} of ${setupLimits.attempts}.`,
  };
}

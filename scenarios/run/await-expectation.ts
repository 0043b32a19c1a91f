import { failed, passed } from '../../judge/verdict.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { runLimits } from '../limits.ts';
import type { ExpectationResult } from './judge-expectation.ts';

/** How an expectation ended: met or not, when, and why. */
export interface AwaitedResult extends ExpectationResult {
  readonly atMs: number;
}

/**
 * Evaluates an expectation immediately, then less and less often, and for the last time at the deadline, until it is
 * met or can no longer be met; one that must hold over the whole time (`isHeld`) until the deadline. `withinMs` 0:
 * only once.
 */
export async function awaitMet(
  time: Time,
  withinMs: number,
  look: () => Promise<ExpectationResult>,
): Promise<AwaitedResult> {
  const deadlineMs = time.nowMs() + withinMs;
  for (let waitMs: number = runLimits.firstLookMs; ; waitMs = longer(waitMs, withinMs)) {
    const judged = await look();
    const nowMs = time.nowMs();
    const isDecided = (judged.result === 'passed' && judged.isHeld !== true) || judged.isFinal === true;
    if (isDecided || nowMs >= deadlineMs) return { ...judged, atMs: nowMs };
    await sleep(time, Math.min(waitMs, deadlineMs - nowMs));
  }
}

/** The opposite: the expectation must not be met at any time until the deadline. */
export async function awaitNever(
  time: Time,
  withinMs: number,
  look: () => Promise<ExpectationResult>,
): Promise<AwaitedResult> {
  // One moment is enough here, also for an expectation that must hold over the whole time.
  const lookOnce = async (): Promise<ExpectationResult> => {
    const { isHeld: _isHeld, ...judged } = await look();
    return judged;
  };
  const { result, text, atMs } = await awaitMet(time, withinMs, lookOnce);
  const verdict = result === 'passed' ? failed(`was never to be: ${text}`) : passed(`never: ${text}`);
  return { ...verdict, atMs };
}

/** Resolves when `done` resolves, at the latest at that time. Rejects if `done` rejects before. */
export function doneBy(time: Time, latestMs: number, done: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const takeBack = time.alarm(latestMs, resolve);
    done.then(resolve, reject).finally(takeBack);
  });
}

function longer(waitMs: number, withinMs: number): number {
  const most = Math.min(
    runLimits.lastLookMs,
    Math.max(runLimits.firstLookMs, withinMs * runLimits.lookFraction),
  );
  return Math.min(waitMs * 1.5, most);
}

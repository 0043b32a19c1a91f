import { sleep, type Time } from '../../world/time/time.ts';
import type { ExpectationResult } from './judge.ts';
import { limits } from './limits.ts';

/** How an expectation ended: met or not, when, and why. */
export interface AwaitedResult extends ExpectationResult {
  readonly atMs: number;
}

/**
 * Judges an expectation at once, then less and less often, and for the last time at the deadline, until it is
 * met or can no longer be met. `withinMs` 0: only once.
 */
export async function awaitMet(
  time: Time,
  withinMs: number,
  look: () => Promise<ExpectationResult>,
): Promise<AwaitedResult> {
  const deadlineMs = time.nowMs() + withinMs;
  for (let waitMs: number = limits.firstLookMs; ; waitMs = longer(waitMs, withinMs)) {
    const judged = await look();
    const nowMs = time.nowMs();
    if (judged.isMet || judged.isFinal === true || nowMs >= deadlineMs) return { ...judged, atMs: nowMs };
    await sleep(time, Math.min(waitMs, deadlineMs - nowMs));
  }
}

/** The opposite: the expectation must not be met at any time until the deadline. */
export async function awaitNever(
  time: Time,
  withinMs: number,
  look: () => Promise<ExpectationResult>,
): Promise<AwaitedResult> {
  const { isMet, text, atMs } = await awaitMet(time, withinMs, look);
  return { isMet: !isMet, text: isMet ? `was never to be: ${text}` : `never: ${text}`, atMs };
}

/** Resolves when `done` resolves, at the latest at that time. Rejects if `done` rejects before. */
export function doneBy(time: Time, latestMs: number, done: Promise<void>): Promise<void> {
  return new Promise((resolve, reject) => {
    const takeBack = time.alarm(latestMs, resolve);
    done.then(resolve, reject).finally(takeBack);
  });
}

function longer(waitMs: number, withinMs: number): number {
  const most = Math.min(limits.lastLookMs, Math.max(limits.firstLookMs, withinMs * limits.lookFraction));
  return Math.min(waitMs * 1.5, most);
}

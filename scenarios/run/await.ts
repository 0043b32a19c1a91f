import { sleep, type Time } from '../../world/time.ts';
import type { Judged } from './judge.ts';
import { limits } from './limits.ts';

/** How an expectation ended: met or not, when, and in which words. */
export interface Awaited extends Judged {
  readonly atMs: number;
}

/**
 * Looks at once, then ever more seldom, and for the last time at the deadline, until it is met or cannot be met any
 * more. `withinMs` 0: one look.
 */
export async function awaitMet(time: Time, withinMs: number, look: () => Promise<Judged>): Promise<Awaited> {
  const deadlineMs = time.nowMs() + withinMs;
  for (let waitMs: number = limits.firstLookMs; ; waitMs = longer(waitMs, withinMs)) {
    const judged = await look();
    const nowMs = time.nowMs();
    if (judged.isMet || judged.isFinal === true || nowMs >= deadlineMs) return { ...judged, atMs: nowMs };
    await sleep(time, Math.min(waitMs, deadlineMs - nowMs));
  }
}

/** The other way round: it must not be met at any look until the deadline. */
export async function awaitNever(
  time: Time,
  withinMs: number,
  look: () => Promise<Judged>,
): Promise<Awaited> {
  const { isMet, text, atMs } = await awaitMet(time, withinMs, look);
  return { isMet: !isMet, text: isMet ? `was never to be: ${text}` : `never: ${text}`, atMs };
}

/** Resolves when something is done, at the latest at that time; rejects with what it rejects with until then. */
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

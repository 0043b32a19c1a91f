import type { BoxMemory } from '../../evidence/box-history.ts';
import type { ClockError } from '../../evidence/evidence.ts';

/** The states in the box's memory from `fromMs` to `toMs`; empty: nothing is recorded of that time. */
export function memoriesBetween(
  memories: readonly BoxMemory[],
  fromMs: number,
  toMs: number,
): readonly BoxMemory[] {
  const first = memories.findLastIndex(({ atMs }) => atMs <= fromMs);
  if (first === -1) return [];
  const end = memories.findIndex(({ atMs }, index) => index > first && atMs > toMs);
  return memories.slice(first, end === -1 ? undefined : end);
}

/** Whether the box has not been reset between the two; a wipe restarts its count of boots. */
export function isSameBoot(one: BoxMemory | undefined, other: BoxMemory | undefined): boolean {
  return one?.boot === other?.boot && one?.epoch === other?.epoch;
}

/** Whether the box ran all the time, without a reset and without hanging. */
export function ranThroughout(memories: readonly BoxMemory[], fromMs: number, toMs: number): boolean {
  const then = memoriesBetween(memories, fromMs, toMs);
  return then.length > 0 && then.every((one) => one.power === 'up' && !one.hangs && isSameBoot(one, then[0]));
}

/** The clock errors in that time; an undefined one: the box did not know the time. */
export function errorsBetween(
  clocks: readonly ClockError[],
  fromMs: number,
  toMs: number,
): readonly (number | undefined)[] {
  const first = clocks.findLastIndex((one) => one.fromMs <= fromMs);
  return clocks.filter((one, index) => index >= first && one.fromMs <= toMs).map(({ errorMs }) => errorMs);
}

/** The largest clock error in that time, in milliseconds; 0 if it did not know the time. */
export function mostErrorMs(clocks: readonly ClockError[], fromMs: number, toMs: number): number {
  return Math.max(0, ...errorsBetween(clocks, fromMs, toMs).map((errorMs) => Math.abs(errorMs ?? 0)));
}

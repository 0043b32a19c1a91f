import type { BoxMemory } from '../../testbed/port/box-history.ts';
import type { ClockError } from '../../testbed/port/evidence.ts';

/** What the box had in mind at some moment from `fromMs` to `toMs`; empty: nothing is recorded of that time. */
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

/** Whether the box has not been reset between the two; a wipe begins its count of boots anew. */
export function isSameBoot(one: BoxMemory | undefined, other: BoxMemory | undefined): boolean {
  return one?.boot === other?.boot && one?.epoch === other?.epoch;
}

/** Whether the box ran all the time, without a reset and without hanging. */
export function ranThroughout(memories: readonly BoxMemory[], fromMs: number, toMs: number): boolean {
  const then = memoriesBetween(memories, fromMs, toMs);
  return then.length > 0 && then.every((one) => one.power === 'up' && !one.hangs && isSameBoot(one, then[0]));
}

/** By how much its clock was wrong at some moment of that time; undefined: it did not know the time. */
export function errorsBetween(
  clocks: readonly ClockError[],
  fromMs: number,
  toMs: number,
): readonly (number | undefined)[] {
  const first = clocks.findLastIndex((one) => one.fromMs <= fromMs);
  return clocks.filter((one, index) => index >= first && one.fromMs <= toMs).map(({ errorMs }) => errorMs);
}

/** The most by which its clock was wrong in that time, in milliseconds; 0 where it did not know the time. */
export function mostErrorMs(clocks: readonly ClockError[], fromMs: number, toMs: number): number {
  return Math.max(0, ...errorsBetween(clocks, fromMs, toMs).map((errorMs) => Math.abs(errorMs ?? 0)));
}

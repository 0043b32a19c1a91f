import { limits } from '../limits.ts';

/**
 * The real-time clock: a battery-backed counter that runs a little fast or slow and knows no calendar, and beside it
 * what the box has learnt about it. The knowledge is an interval: backend time lies between the counter plus `earlyMs`
 * and the counter plus `lateMs`, wider by the possible drift the longer ago it was learnt. Timestamps take the middle;
 * a command's expiry is judged by the late end, so that a box never acts late because its clock is slow.
 */
export interface Clock {
  readonly earlyMs: number;
  readonly lateMs: number;
  /** The counter when it was learnt. */
  readonly learnedCounterMs: number;
}

export interface RtcFacts {
  readonly rtcDriftPpm: number;
  readonly rtcOffsetMs: number;
}

/** The counter at true time `atMs`. The only place where the firmware's time touches the true one. */
export function counterMs(facts: RtcFacts, atMs: number): number {
  return Math.floor(atMs + atMs * (facts.rtcDriftPpm / 1_000_000) + facts.rtcOffsetMs);
}

/** The interval of backend time at this count of the counter. */
function bounds(clock: Clock, counter: number): { readonly early: number; readonly late: number } {
  const passedMs = Math.abs(counter - clock.learnedCounterMs);
  // A counter that is slow by p shows t of t / (1 - p); and it counts whole milliseconds, so one more may have passed.
  const grownMs = (passedMs * limits.rtcDriftMostPpm) / (1_000_000 - limits.rtcDriftMostPpm) + 1;
  return { early: clock.earlyMs - grownMs, late: clock.lateMs + grownMs };
}

/** Epoch milliseconds as the box believes them; 0 where it does not know the time. */
export function clockMs(clock: Clock | undefined, counter: number): number {
  if (clock === undefined) return 0;
  const { early, late } = bounds(clock, counter);
  return Math.max(1, Math.round(counter + (early + late) / 2));
}

/** The latest that backend time can be; undefined where the box does not know the time. */
export function latestMs(clock: Clock | undefined, counter: number): number | undefined {
  return clock === undefined ? undefined : counter + bounds(clock, counter).late;
}

/**
 * What the box knows after a frame of the backend told it `toldMs`. `waitedMs`: the frame answers a question that
 * was asked so long ago, so backend time is now between what was told and that plus the wait (Cristian, 1989).
 * Without it the frame may have been under way for any time and only says that it is not earlier than told.
 */
export function learn(
  clock: Clock | undefined,
  counter: number,
  toldMs: number,
  waitedMs: number | undefined,
): Clock | undefined {
  if (toldMs <= 0) return clock;
  const early = toldMs - counter;
  const late = waitedMs === undefined ? Number.POSITIVE_INFINITY : early + Math.max(0, waitedMs);
  if (clock === undefined) {
    return waitedMs === undefined ? undefined : { earlyMs: early, lateMs: late, learnedCounterMs: counter };
  }
  const known = bounds(clock, counter);
  if (early <= known.early && late >= known.late) return clock;
  const both = { early: Math.max(early, known.early), late: Math.min(late, known.late) };
  if (both.early <= both.late) {
    return { earlyMs: both.early, lateMs: both.late, learnedCounterMs: counter };
  }
  // What it knew was wrong: the newest word counts.
  return { earlyMs: early, lateMs: waitedMs === undefined ? early : late, learnedCounterMs: counter };
}

/**
 * Whether the clock is so far ahead of what a frame of the backend told that no connection can have held the frame for
 * so long: the counter has jumped. What it knows stays until an answer to a question says better.
 */
export function isFarAhead(clock: Clock | undefined, counter: number, toldMs: number): boolean {
  if (clock === undefined || toldMs <= 0) return false;
  return counter + bounds(clock, counter).early - toldMs > limits.longestTransitMs;
}

/** Whether the interval has moved so far from what is in flash that it is worth a write. */
export function isWorthKeeping(kept: Clock | undefined, clock: Clock | undefined): boolean {
  if (clock === undefined) return false;
  if (kept === undefined) return true;
  return (
    Math.abs(kept.earlyMs - clock.earlyMs) > limits.clockPersistMs ||
    Math.abs(kept.lateMs - clock.lateMs) > limits.clockPersistMs
  );
}

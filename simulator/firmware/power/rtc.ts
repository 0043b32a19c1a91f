import { limits } from '../../limits.ts';

/**
 * The real-time clock: a battery-backed counter that runs slightly fast or slow and has no calendar, plus the
 * box's knowledge of backend time. That is an interval: backend time lies between the counter plus `earlyMs`
 * and the counter plus `lateMs`, widened by the possible drift since it was learnt. Timestamps use the
 * middle. A command's expiry is judged by the late end, so that a slow clock never makes a box act late.
 */
export interface BoxClock {
  readonly earlyMs: number;
  readonly lateMs: number;
  /** The counter when this was learnt. */
  readonly learnedCounterMs: number;
}

export interface RtcFacts {
  readonly rtcDriftPpm: number;
  readonly rtcOffsetMs: number;
}

/** The counter at true time `atMs`. This is the only place where the firmware's time depends on true time. */
export function counterMs(facts: RtcFacts, atMs: number): number {
  return Math.floor(atMs + atMs * (facts.rtcDriftPpm / 1_000_000) + facts.rtcOffsetMs);
}

/** The interval of backend time at this value of the counter. */
function bounds(clock: BoxClock, counter: number): { readonly early: number; readonly late: number } {
  const passedMs = Math.abs(counter - clock.learnedCounterMs);
  // A counter that is slow by p shows t of t / (1 - p). It counts whole milliseconds, so one more may have
  // passed.
  const grownMs = (passedMs * limits.rtcDriftMostPpm) / (1_000_000 - limits.rtcDriftMostPpm) + 1;
  return { early: clock.earlyMs - grownMs, late: clock.lateMs + grownMs };
}

/** The box's estimate in epoch milliseconds; 0 if it does not know the time. */
export function clockMs(clock: BoxClock | undefined, counter: number): number {
  if (clock === undefined) return 0;
  const { early, late } = bounds(clock, counter);
  return Math.max(1, Math.round(counter + (early + late) / 2));
}

/** The latest that backend time can be; undefined where the box does not know the time. */
export function latestMs(clock: BoxClock | undefined, counter: number): number | undefined {
  return clock === undefined ? undefined : counter + bounds(clock, counter).late;
}

/** The earliest that backend time can be; undefined where the box does not know the time. */
export function earliestMs(clock: BoxClock | undefined, counter: number): number | undefined {
  return clock === undefined ? undefined : counter + bounds(clock, counter).early;
}

/**
 * The clock after a frame of the backend stated the time `statedMs`. `waitedMs`: the frame answers a request
 * sent that long ago, so backend time is now between `statedMs` and `statedMs` plus the wait (Cristian, 1989).
 * Without it the frame may have been under way for any time and only shows that it is not earlier than
 * `statedMs`.
 */
export function learnTime(
  clock: BoxClock | undefined,
  counter: number,
  statedMs: number,
  waitedMs: number | undefined,
): BoxClock | undefined {
  if (statedMs <= 0) return clock;
  const early = statedMs - counter;
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
  // Its knowledge was wrong: the latest information counts.
  return { earlyMs: early, lateMs: waitedMs === undefined ? early : late, learnedCounterMs: counter };
}

/**
 * Whether the clock is so far ahead of a frame's time that no connection can have delayed the frame for so
 * long: the counter has jumped. The clock stays as it is until the answer to a request corrects it.
 */
export function isFarAhead(clock: BoxClock | undefined, counter: number, statedMs: number): boolean {
  if (clock === undefined || statedMs <= 0) return false;
  return counter + bounds(clock, counter).early - statedMs > limits.longestTransitMs;
}

/** Whether the interval differs from the one in flash by enough to justify a write. */
export function isWorthKeeping(kept: BoxClock | undefined, clock: BoxClock | undefined): boolean {
  if (clock === undefined) return false;
  if (kept === undefined) return true;
  return (
    Math.abs(kept.earlyMs - clock.earlyMs) > limits.clockPersistMs ||
    Math.abs(kept.lateMs - clock.lateMs) > limits.clockPersistMs
  );
}

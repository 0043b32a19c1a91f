import { uptime } from 'node:os';
import { limits } from '../limits.ts';

/** What a machine tells of time. */
export interface ClockReadings {
  /** Milliseconds since 1970: set by hand, or by a time server. */
  wallMs(): number;
  /** Milliseconds since some moment. Nobody sets it; on most systems it stands still while the machine sleeps. */
  monotonicMs(): number;
  /** Seconds since the machine started, those of its sleep included. Coarse, and slow to read. */
  uptimeS(): number;
}

export const SYSTEM_CLOCKS: ClockReadings = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  uptimeS: () => uptime(),
};

/**
 * A clock that nobody sets, and that goes on while the machine sleeps; in milliseconds, not whole. It never goes back. It
 * begins with the time of the wall clock.
 *
 * The monotonic clock alone would leave out sleep: a backend that wakes would take leases for its own that have ended. Wall
 * and monotonic clock going apart tells of one of two things, and the uptime of the machine which: sleep, which is
 * added, or a wall clock that was set, which counts for nothing. A virtual machine that is frozen from outside tells of
 * neither until somebody sets its clock.
 */
export function steadyClock(readings: ClockReadings = SYSTEM_CLOCKS): () => number {
  const beganMs = readings.monotonicMs();
  let aheadMs = readings.wallMs() - beganMs;
  let sleptBeforeMs = readings.uptimeS() * 1_000 - beganMs;
  let addedMs = aheadMs;
  return () => {
    const nowMs = readings.monotonicMs();
    const wallAheadMs = readings.wallMs() - nowMs;
    if (Math.abs(wallAheadMs - aheadMs) > limits.clockStepMs) {
      aheadMs = wallAheadMs;
      const sleptMs = readings.uptimeS() * 1_000 - nowMs - sleptBeforeMs;
      if (sleptMs > limits.shortestSleepMs) {
        sleptBeforeMs += sleptMs;
        addedMs += sleptMs;
      }
    }
    return nowMs + addedMs;
  };
}

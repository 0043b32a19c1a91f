import { uptime } from 'node:os';
import { limits } from '../limits.ts';

/** The clocks of a machine. */
export interface ClockReadings {
  /** Milliseconds since 1970: set by hand, or by a time server. */
  wallMs(): number;
  /** Milliseconds since some moment. It is never set; on most systems it stops while the machine sleeps. */
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
 * A clock that is never set, and that continues while the machine sleeps; in milliseconds, not whole. It never goes
 * back. It begins with the time of the wall clock.
 *
 * The monotonic clock alone would leave out sleep: after waking, a backend would consider expired leases valid. Where
 * wall and monotonic clock diverge, the machine's uptime distinguishes the causes: sleep, which is added, or a wall
 * clock that was set, which is ignored. A virtual machine that is frozen from outside shows neither until its clock is
 * set.
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

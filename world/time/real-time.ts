import { limits } from '../limits.ts';
import { EventHeap, type HeapEntry } from '../loop/virtual-event-heap.ts';
import { type ClockReadings, SYSTEM_CLOCKS, steadyClock } from './real-steady-clock.ts';
import type { Time } from './time.ts';

/** Two views of time with the same alarms. */
export interface RealClocks {
  /** By the wall clock, which is set now and then. */
  readonly time: Time;
  /** By a monotonic clock (`steadyClock`); it begins at the time of the wall clock. */
  readonly steadyTime: Time;
}

/**
 * The clocks of this machine, and one timer of Node for all alarms: a timer for each would cost every box a few hundred
 * bytes. An alarm keeps the process alive until it is cancelled.
 *
 * Alarms ring by the steady clock. The wait of an alarm at a time of the wall clock is computed when it is set: setting
 * the wall clock afterwards, forwards or back, does not change it. Such an alarm then rings at another time of the wall
 * clock, after the intended wait. While a machine sleeps no alarm rings; its sleep counts as time that has passed, so
 * alarms that became due meanwhile ring when the timer next fires, `limits.longestTimerMs` after the machine woke at
 * the latest.
 */
export function realClocks(readings: ClockReadings = SYSTEM_CLOCKS): RealClocks {
  const steadyMs = steadyClock(readings);
  const alarms = new RealAlarms(steadyMs);
  return {
    time: {
      nowMs: () => readings.wallMs(),
      alarm(dueMs, wake) {
        // The wall clock first: what passes between the two readings makes the alarm late, never early.
        const delayMs = dueMs - readings.wallMs();
        return delayMs <= 0 ? ringAtOnce(wake) : alarms.add(steadyMs() + delayMs, wake);
      },
    },
    steadyTime: {
      nowMs: () => Math.floor(steadyMs()),
      alarm: (dueMs, wake) => (dueMs <= steadyMs() ? ringAtOnce(wake) : alarms.add(dueMs, wake)),
    },
  };
}

/** `realClocks`, for a program that needs no steady clock. */
export function realTime(): Time {
  return realClocks().time;
}

function ringAtOnce(wake: () => void): () => void {
  const turn = setImmediate(wake);
  return () => clearImmediate(turn);
}

interface Alarm extends HeapEntry {
  /** Undefined: it has rung or was cancelled, and keeps nothing alive. */
  wake: (() => void) | undefined;
}

/** Their times are those of the steady clock. */
class RealAlarms {
  readonly #nowMs: () => number;
  readonly #alarms = new EventHeap<Alarm>();
  #count = 0;
  /** Undefined: no timer is set. */
  #cancelTimer: (() => void) | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  add(dueMs: number, wake: () => void): () => void {
    this.#count += 1;
    const alarm: Alarm = { atMs: dueMs, order: this.#count, isCancelled: false, wake };
    this.#alarms.push(alarm);
    if (this.#alarms.peek() === alarm) this.#setTimer(dueMs);
    return () => this.#cancel(alarm);
  }

  #cancel(alarm: Alarm): void {
    if (alarm.wake === undefined) return;
    alarm.wake = undefined;
    this.#alarms.cancel(alarm);
    // A timer that fires too early only checks; one without an alarm would keep the process alive.
    if (this.#alarms.size === 0) this.#setTimer(undefined);
  }

  /** Rings the alarms that are due. A timer may fire a fraction of a millisecond early. */
  #ring(): void {
    this.#cancelTimer = undefined;
    try {
      for (let left = limits.alarmsAtOnce; left > 0; left -= 1) {
        const next = this.#alarms.peek();
        if (next === undefined || next.atMs > this.#nowMs()) return;
        this.#alarms.pop();
        const { wake } = next;
        next.wake = undefined;
        wake?.();
      }
    } finally {
      this.#setTimer(this.#alarms.peek()?.atMs);
    }
  }

  #setTimer(dueMs: number | undefined): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (dueMs === undefined) return;
    const ring = () => this.#ring();
    const delayMs = Math.min(Math.max(Math.ceil(dueMs - this.#nowMs()), 0), limits.longestTimerMs);
    const timer = setTimeout(ring, delayMs);
    this.#cancelTimer = () => clearTimeout(timer);
  }
}

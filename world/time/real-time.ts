import { limits } from '../limits.ts';
import { EventHeap, type HeapEntry } from '../loop/virtual-event-heap.ts';
import type { Time } from './time.ts';

/**
 * The wall clock, and one timer of Node for all alarms: a timer for each would cost every box a few hundred bytes. An
 * alarm keeps the process alive until it is cancelled.
 */
export function realTime(): Time {
  const alarms = new RealAlarms();
  return {
    nowMs: () => Date.now(),
    alarm: (dueMs, wake) => (dueMs <= Date.now() ? ringAtOnce(wake) : alarms.add(dueMs, wake)),
  };
}

function ringAtOnce(wake: () => void): () => void {
  const turn = setImmediate(wake);
  return () => clearImmediate(turn);
}

interface Alarm extends HeapEntry {
  /** Undefined: it has rung or was cancelled, and keeps nothing alive. */
  wake: (() => void) | undefined;
}

class RealAlarms {
  readonly #alarms = new EventHeap<Alarm>();
  #count = 0;
  /** Undefined: no timer is set. */
  #cancelTimer: (() => void) | undefined;

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
    // A timer that is set too early then only looks; one without an alarm would keep the process alive.
    if (this.#alarms.size === 0) this.#setTimer(undefined);
  }

  /** Wakes what is due. A timer may fire a millisecond early by the wall clock, and much too early if that was set back. */
  #ring(): void {
    this.#cancelTimer = undefined;
    try {
      for (let left = limits.alarmsAtOnce; left > 0; left -= 1) {
        const next = this.#alarms.peek();
        if (next === undefined || next.atMs > Date.now()) return;
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
    const delayMs = Math.min(Math.max(dueMs - Date.now(), 0), limits.longestTimerMs);
    const timer = setTimeout(ring, delayMs);
    this.#cancelTimer = () => clearTimeout(timer);
  }
}

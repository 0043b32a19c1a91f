import { limits } from '../limits.ts';
import { Fifo } from '../loop/virtual-fifo.ts';
import type { Time } from '../time/time.ts';

/**
 * The pending work of all connections of a broker in memory: one queue and one alarm. Work that is added during a
 * turn waits for the next one, so that promise callbacks run in between.
 */
export class MemoryTurns {
  readonly #time: Time;
  readonly #waiting = new Fifo<() => void>();
  #isSet = false;

  constructor(time: Time) {
    this.#time = time;
  }

  /** `act` is called in its turn, after everything that was added before it. It must not throw. */
  add(act: () => void): void {
    this.#waiting.push(act);
    if (!this.#isSet) this.#set();
  }

  #set(): void {
    this.#isSet = true;
    this.#time.alarm(this.#time.nowMs(), () => this.#take());
  }

  #take(): void {
    try {
      for (let left = Math.min(this.#waiting.length, limits.memoryTurnPackets); left > 0; left -= 1)
        this.#waiting.shift()?.();
    } finally {
      this.#isSet = false;
      if (this.#waiting.length > 0) this.#set();
    }
  }
}

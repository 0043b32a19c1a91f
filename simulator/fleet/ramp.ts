import type { Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';

/**
 * Gives boxes power in their order, this many each second. A ramp that falls behind does not catch up: a busy process
 * takes fewer new boxes, where a fixed plan would queue more than it can answer in time.
 */
export class Ramp {
  readonly #time: Time;
  readonly #perTick: number;
  readonly #waiting: (() => void)[] = [];
  #next = 0;
  /** The fraction of a box that remains from earlier ticks. */
  #owed = 0;
  #cancel: (() => void) | undefined;
  #isStopped = false;

  /** `perSecond`: above 0, and at most `limits.rampMostPerSecond`. */
  constructor(time: Time, perSecond: number) {
    this.#time = time;
    this.#perTick = (Math.min(perSecond, limits.rampMostPerSecond) * limits.rampTickMs) / 1_000;
  }

  /** `power` is called when it is its turn. */
  add(power: () => void): void {
    this.#waiting.push(power);
    if (this.#cancel === undefined && !this.#isStopped) this.#expectTick();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #expectTick(): void {
    // From now, not from when this tick was due.
    this.#cancel = this.#time.alarm(this.#time.nowMs() + limits.rampTickMs, () => this.#tick());
  }

  #tick(): void {
    this.#cancel = undefined;
    this.#owed += this.#perTick;
    for (; this.#owed >= 1 && this.#next < this.#waiting.length; this.#owed -= 1) {
      this.#waiting[this.#next]?.();
      this.#next += 1;
    }
    if (this.#next < this.#waiting.length) this.#expectTick();
    else {
      this.#waiting.length = 0;
      this.#next = 0;
      this.#owed = 0;
    }
  }
}

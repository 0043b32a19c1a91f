import type { Arrival } from './letter.ts';

export interface IntakeBounds {
  readonly payloads: number;
  readonly bytes: number;
  /** Held acknowledgements are given once the queue is down to this part of both bounds. */
  readonly resumeFraction: number;
}

/**
 * Arrivals that wait for their commit. An arrival is acknowledged to the broker at once; past a bound its
 * acknowledgement is held, and since a session hands over nothing more meanwhile, that is the brake. Acknowledging
 * promises nothing to the box: only a receipt does.
 */
export class Intake {
  readonly #bounds: IntakeBounds;
  #queue: Arrival[] = [];
  #bytes = 0;
  #held: (() => void)[] = [];

  constructor(bounds: IntakeBounds) {
    this.#bounds = bounds;
  }

  get length(): number {
    return this.#queue.length;
  }

  /** 0 to 1 of whichever bound is nearer, and beyond it by what was on its way. */
  get fill(): number {
    return Math.max(this.#queue.length / this.#bounds.payloads, this.#bytes / this.#bounds.bytes);
  }

  get isBraking(): boolean {
    return this.#held.length > 0;
  }

  /** Takes an arrival in any case: with its acknowledgement held there is at most one more for each session. */
  take(arrival: Arrival, acknowledge: () => void): void {
    this.#queue.push(arrival);
    this.#bytes += arrival.bytes.length;
    if (this.#queue.length > this.#bounds.payloads || this.#bytes > this.#bounds.bytes) {
      this.#held.push(acknowledge);
    } else {
      acknowledge();
    }
  }

  /** The oldest arrivals, at most `count`. They stay until they are dropped. */
  peek(count: number): readonly Arrival[] {
    return this.#queue.slice(0, count);
  }

  /** The oldest `count` arrivals are done with. */
  drop(count: number): void {
    for (const arrival of this.#queue.slice(0, count)) this.#bytes -= arrival.bytes.length;
    this.#queue = this.#queue.slice(count);
    const { payloads, bytes, resumeFraction } = this.#bounds;
    if (this.#queue.length > payloads * resumeFraction || this.#bytes > bytes * resumeFraction) return;
    const held = this.#held;
    this.#held = [];
    for (const acknowledge of held) acknowledge();
  }

  /** The session is gone: its acknowledgements mean nothing any more, the broker sends what it misses again. */
  forgetHeld(): void {
    this.#held = [];
  }
}

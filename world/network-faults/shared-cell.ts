import type { Direction } from './conditions.ts';

/** The time in the cell that is assigned to a packet. */
interface Passage {
  readonly direction: Direction;
  readonly departsMs: number;
  readonly lengthMs: number;
}

/** A radio cell whose connections share a bandwidth: packets pass it in the order in which they were sent. */
export class SharedCell {
  readonly bitsPerS: Readonly<Partial<Record<Direction, number>>>;
  /** When all earlier packets have passed. */
  readonly #freeAtMs: Record<Direction, number> = { up: 0, down: 0 };
  /** The packets that have not passed yet, by sender. */
  readonly #passages = new WeakMap<object, readonly Passage[]>();

  constructor(bitsPerS: Readonly<Partial<Record<Direction, number>>>) {
    this.bitsPerS = bitsPerS;
  }

  /** When a packet that comes at `atMs` has passed; `sender` is one direction of a connection. Not rounded. */
  passedMs(sender: object, direction: Direction, atMs: number, bytes: number): number {
    const rate = this.bitsPerS[direction];
    if (rate === undefined) return atMs;
    const lengthMs = (bytes * 8_000) / rate;
    const departsMs = Math.max(atMs, this.#freeAtMs[direction]) + lengthMs;
    this.#freeAtMs[direction] = departsMs;
    const waiting = (this.#passages.get(sender) ?? []).filter((one) => one.departsMs > atMs);
    this.#passages.set(sender, [...waiting, { direction, departsMs, lengthMs }]);
    return departsMs;
  }

  /**
   * The packets of the sender that are under way are lost or sent again: the cell is free for others sooner.
   * Packets of others that are under way keep their times.
   */
  release(sender: object, nowMs: number): void {
    for (const { direction, departsMs, lengthMs } of this.#passages.get(sender) ?? [])
      this.#freeAtMs[direction] -= Math.min(lengthMs, Math.max(0, departsMs - nowMs));
    this.#passages.delete(sender);
  }

  /** For the trace. */
  toJSON(): Readonly<Partial<Record<Direction, number>>> {
    return this.bitsPerS;
  }
}

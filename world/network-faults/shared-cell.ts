import type { Direction } from './conditions.ts';

/** Room in the cell that was given to a packet. */
interface Passage {
  readonly direction: Direction;
  readonly departsMs: number;
  readonly lengthMs: number;
}

/**
 * A radio cell with a bandwidth that its connections share: what any of them sends passes it behind what the others
 * have sent before.
 */
export class SharedCell {
  readonly bitsPerS: Readonly<Partial<Record<Direction, number>>>;
  /** When everything before has passed. */
  readonly #freeAtMs: Record<Direction, number> = { up: 0, down: 0 };
  /** What has not passed yet, by who sent it. */
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
   * What the sender has under way is lost, or sent anew: the cell is free for others so much sooner. What they have
   * under way keeps its time.
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

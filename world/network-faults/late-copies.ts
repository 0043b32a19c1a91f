import type { Direction } from './conditions.ts';

/**
 * The second copies of a client's messages that were due after their connection had ended. They wait for a later
 * connection of the client, whatever session that is of, and arrive behind the next message of their direction.
 */
export class LateCopies<Packet> {
  #waiting: readonly { readonly direction: Direction; readonly packet: Packet }[] = NONE;

  get length(): number {
    return this.#waiting.length;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  wait(direction: Direction, packet: Packet): void {
    this.#waiting = [...this.#waiting, { direction, packet }];
  }

  /** Those of that direction, in the order in which they were due. They wait no more. */
  take(direction: Direction): readonly Packet[] {
    if (this.isEmpty) return NONE;
    const taken = this.#waiting.filter((one) => one.direction === direction);
    if (taken.length > 0) this.#waiting = this.#waiting.filter((one) => one.direction !== direction);
    return taken.map(({ packet }) => packet);
  }
}

const NONE: readonly never[] = [];

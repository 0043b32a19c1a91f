import { type Cursor, FIRST_CURSOR, passing } from './cellular-trace.ts';
import type { Conditions, Direction, PlayedTrace } from './climate.ts';
import { type Packet, wireBytes } from './virtual-packets.ts';

/** How fast one direction of a connection lets packets pass: by its bandwidth, and as the traces that it plays. */
export class Pace {
  readonly direction: Direction;
  #bitsPerS: number = Number.POSITIVE_INFINITY;
  #traces: readonly PlayedTrace[] = [];
  /** When what was sent before has passed. */
  #freeAtMs = 0;
  #cursors = new Map<PlayedTrace, Cursor>();

  constructor(direction: Direction) {
    this.direction = direction;
  }

  /** Whether the weather asks for another pace than the packets under way have; from now on it is this one. */
  isStale({ bitsPerS, traces }: Conditions): boolean {
    const before = this.#traces;
    const now = traces[this.direction];
    const isSame =
      this.#bitsPerS === bitsPerS[this.direction] &&
      (before === now ||
        (before.length === now.length && before.every((played, index) => played === now[index])));
    this.#bitsPerS = bitsPerS[this.direction];
    this.#traces = now;
    return !isSame;
  }

  /** Nothing is before what is sent now. */
  begin(): void {
    this.#freeAtMs = 0;
    this.#cursors = new Map();
  }

  /** When a packet that is sent at `atMs` has passed: whole milliseconds are not asked for. */
  departsMs(conditions: Conditions, atMs: number, packet: Packet): number {
    if (this.isStale(conditions)) this.begin();
    if (this.#bitsPerS === Number.POSITIVE_INFINITY && this.#traces.length === 0) return atMs;
    const bytes = wireBytes(packet);
    let departsMs = Math.max(atMs, this.#freeAtMs);
    if (this.#bitsPerS !== Number.POSITIVE_INFINITY) departsMs += (bytes * 8 * 1_000) / this.#bitsPerS;
    this.#freeAtMs = departsMs;
    for (const played of this.#traces) {
      const { trace, sinceMs } = played;
      const cursor = this.#cursors.get(played) ?? FIRST_CURSOR;
      const passed = passing(trace, sinceMs, cursor, departsMs, bytes);
      this.#cursors.set(played, passed.cursor);
      departsMs = passed.passedMs;
    }
    return departsMs;
  }
}

import { type MqttPacket, wireBytes } from '../mqtt/virtual-mqtt-packets.ts';
import { FIRST_TRACE_CURSOR, type TraceCursor, transmit } from '../network-faults/cellular-trace.ts';
import type { Direction, NetworkConditions, PlayedTrace } from '../network-faults/conditions.ts';

/**
 * How fast one direction of a connection lets packets pass: by the bandwidth limit and the traces being
 * played.
 */
export class Bandwidth {
  readonly direction: Direction;
  #bitsPerS: number = Number.POSITIVE_INFINITY;
  #traces: readonly PlayedTrace[] = [];
  /** When all earlier packets have passed. */
  #freeAtMs = 0;
  #cursors = new Map<PlayedTrace, TraceCursor>();

  constructor(direction: Direction) {
    this.direction = direction;
  }

  /**
   * Whether the conditions have another bandwidth than the packets in flight were scheduled with; remembers
   * the new one.
   */
  isStale({ bitsPerS, traces }: NetworkConditions): boolean {
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

  /** Restarts: no earlier packet delays the next one. */
  begin(): void {
    this.#freeAtMs = 0;
    this.#cursors = new Map();
  }

  /** When a packet that is sent at `atMs` has passed, not rounded to whole milliseconds. */
  departsMs(conditions: NetworkConditions, atMs: number, packet: MqttPacket): number {
    if (this.isStale(conditions)) this.begin();
    if (this.#bitsPerS === Number.POSITIVE_INFINITY && this.#traces.length === 0) return atMs;
    const bytes = wireBytes(packet);
    let departsMs = Math.max(atMs, this.#freeAtMs);
    if (this.#bitsPerS !== Number.POSITIVE_INFINITY) departsMs += (bytes * 8 * 1_000) / this.#bitsPerS;
    this.#freeAtMs = departsMs;
    for (const played of this.#traces) {
      const { trace, sinceMs } = played;
      const cursor = this.#cursors.get(played) ?? FIRST_TRACE_CURSOR;
      const passed = transmit(trace, sinceMs, cursor, departsMs, bytes);
      this.#cursors.set(played, passed.cursor);
      departsMs = passed.passedMs;
    }
    return departsMs;
  }
}

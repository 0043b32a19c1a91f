import { type MqttPacket, wireBytes } from '../mqtt/virtual-mqtt-packets.ts';
import { FIRST_TRACE_CURSOR, type TraceCursor, transmit } from '../network-faults/cellular-trace.ts';
import type { Direction, NetworkConditions, PlayedTrace } from '../network-faults/conditions.ts';
import type { SharedCell } from '../network-faults/shared-cell.ts';

/**
 * How fast one direction of a connection lets packets pass: by the bandwidth limit and the traces being
 * played.
 */
export class Bandwidth {
  readonly direction: Direction;
  #bitsPerS: number = Number.POSITIVE_INFINITY;
  #traces: readonly PlayedTrace[] = [];
  #cells: readonly SharedCell[] = [];
  /** Cells in which a packet may be under way. */
  readonly #usedCells = new Set<SharedCell>();
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
  isStale({ bitsPerS, traces, cells }: NetworkConditions): boolean {
    const now = traces[this.direction];
    const isSame =
      this.#bitsPerS === bitsPerS[this.direction] &&
      areSame(this.#traces, now) &&
      areSame(this.#cells, cells);
    this.#bitsPerS = bitsPerS[this.direction];
    this.#traces = now;
    this.#cells = cells;
    return !isSame;
  }

  /** Restarts: no earlier packet delays the next one, and those that wait at `nowMs` take no bandwidth any more. */
  begin(nowMs: number): void {
    this.release(nowMs);
    this.#freeAtMs = 0;
    this.#cursors = new Map();
  }

  /** Packets that wait at `nowMs` take no time in a shared cell any more. */
  release(nowMs: number): void {
    for (const cell of this.#usedCells) cell.release(this, nowMs);
    this.#usedCells.clear();
  }

  /** When a packet that is sent at `atMs` has passed, not rounded to whole milliseconds. */
  departsMs(conditions: NetworkConditions, atMs: number, packet: MqttPacket): number {
    if (this.isStale(conditions)) this.begin(atMs);
    if (this.#isFree()) return atMs;
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
    for (const cell of this.#cells) {
      this.#usedCells.add(cell);
      departsMs = cell.passedMs(this, this.direction, departsMs, bytes);
    }
    return departsMs;
  }

  #isFree(): boolean {
    return (
      this.#bitsPerS === Number.POSITIVE_INFINITY && this.#traces.length === 0 && this.#cells.length === 0
    );
  }
}

function areSame<T>(before: readonly T[], now: readonly T[]): boolean {
  return before === now || (before.length === now.length && before.every((one, index) => one === now[index]));
}

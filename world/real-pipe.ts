import type { Socket } from 'node:net';
import { type Cursor, FIRST_CURSOR, passing } from './cellular-trace.ts';
import type { Conditions, Direction, PlayedTrace } from './climate.ts';
import { limits } from './limits.ts';

/** What a pipe asks of the connection that it is a direction of. */
export interface PipeParts {
  readonly from: Socket;
  readonly to: Socket;
  readonly direction: Direction;
  readonly conditions: () => Conditions;
  /** So many more bytes want to pass; false: they do not, and the connection is over. */
  readonly admit: (bytes: number) => boolean;
  /** Uniform in [0, 1). */
  readonly draw: () => number;
}

interface Packet {
  readonly bytes: Buffer;
  dueMs: number;
}

/**
 * One direction of a connection through a proxy. What comes in leaves in order, as early as the weather lets it; the
 * end of the sender leaves behind it.
 */
export class RealPipe {
  readonly #parts: PipeParts;
  #packets: Packet[] = [];
  #heldBytes = 0;
  /** When the link has passed what was handed to it. */
  #freeMs = 0;
  #lastDueMs = 0;
  #cursors = new Map<PlayedTrace, Cursor>();
  #timer: NodeJS.Timeout | undefined;
  #isDraining = false;
  /** The sender has said its goodbye, then. */
  #endedMs: number | undefined;
  #isOver = false;
  /** Something was swallowed: what comes after it would make no sense. */
  hasLost = false;

  constructor(parts: PipeParts) {
    this.#parts = parts;
    const { from, to } = parts;
    from.on('data', (bytes: Buffer) => this.take(bytes));
    from.once('end', () => {
      this.#endedMs = Date.now();
      this.#pump();
    });
    to.on('drain', () => {
      this.#isDraining = false;
      this.#pump();
    });
  }

  take(bytes: Buffer): void {
    if (this.#isOver) return;
    const { isHalfOpen } = this.#parts.conditions();
    if (isHalfOpen) {
      this.hasLost = true;
      return;
    }
    if (!this.#parts.admit(bytes.byteLength)) return;
    for (let at = 0; at < bytes.byteLength; at += limits.segmentBytes) {
      const packet = { bytes: bytes.subarray(at, at + limits.segmentBytes), dueMs: 0 };
      this.#plan(packet, Date.now());
      this.#packets.push(packet);
      this.#heldBytes += packet.bytes.byteLength;
    }
    if (this.#heldBytes > limits.proxyHeldBytes) this.#parts.from.pause();
    this.#pump();
  }

  /** The weather is another one: what has not left yet begins anew. */
  changed(): void {
    const nowMs = Date.now();
    this.#freeMs = 0;
    this.#lastDueMs = 0;
    this.#cursors = new Map();
    if (this.#parts.conditions().isHalfOpen && this.#packets.length > 0) {
      this.hasLost = true;
      this.#packets = [];
      this.#heldBytes = 0;
    }
    for (const packet of this.#packets) this.#plan(packet, nowMs);
    this.#pump();
  }

  close(): void {
    this.#isOver = true;
    this.#packets = [];
    clearTimeout(this.#timer);
  }

  #plan(packet: Packet, nowMs: number): void {
    const { direction, conditions, draw } = this.#parts;
    const { bitsPerS, latency, traces } = conditions();
    const sizeBytes = packet.bytes.byteLength + limits.headerBytes;
    const rate = bitsPerS[direction];
    if (Number.isFinite(rate)) this.#freeMs = Math.max(this.#freeMs, nowMs) + (sizeBytes * 8_000) / rate;
    let dueMs = Math.max(nowMs, this.#freeMs);
    for (const played of traces[direction]) {
      const cursor = this.#cursors.get(played) ?? FIRST_CURSOR;
      const passed = passing(played.trace, played.sinceMs, cursor, dueMs, sizeBytes);
      this.#cursors.set(played, passed.cursor);
      dueMs = passed.passedMs;
    }
    if (latency !== undefined) dueMs += latency.delayMs + latency.jitterMs * draw();
    this.#lastDueMs = Math.max(this.#lastDueMs, dueMs);
    packet.dueMs = this.#lastDueMs;
  }

  #pump(): void {
    clearTimeout(this.#timer);
    const { conditions, from, to } = this.#parts;
    const { isStalled, isHalfOpen, slowCloseMs } = conditions();
    if (this.#isOver || isStalled || isHalfOpen) return;
    const nowMs = Date.now();
    let sent = 0;
    for (const { bytes, dueMs } of this.#packets) {
      if (dueMs > nowMs || this.#isDraining) break;
      this.#isDraining = !to.write(bytes);
      this.#heldBytes -= bytes.byteLength;
      sent += 1;
    }
    if (sent > 0) this.#packets.splice(0, sent);
    if (from.isPaused() && this.#heldBytes < limits.proxyHeldBytes / 2) from.resume();
    if (this.#isDraining) return;
    const [next] = this.#packets;
    if (next !== undefined) this.#wake(next.dueMs - nowMs);
    else if (this.#endedMs !== undefined) {
      const waitMs = this.#endedMs + slowCloseMs - nowMs;
      if (waitMs > 0) this.#wake(waitMs);
      else to.end();
    }
  }

  #wake(afterMs: number): void {
    this.#timer = setTimeout(() => this.#pump(), Math.min(Math.max(1, afterMs), limits.longestTimerMs));
  }
}

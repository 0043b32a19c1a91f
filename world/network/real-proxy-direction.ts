import type { Socket } from 'node:net';
import { limits } from '../limits.ts';
import { FIRST_TRACE_CURSOR, type TraceCursor, transmit } from '../network-faults/cellular-trace.ts';
import type {
  Direction,
  LinkCounts,
  NetworkConditions,
  PacketFault,
  PlayedTrace,
} from '../network-faults/conditions.ts';
import type { LateCopies } from '../network-faults/late-copies.ts';
import type { SharedCell } from '../network-faults/shared-cell.ts';
import { RealPacketSieve } from './real-packet-sieve.ts';

/** The functions of its connection that a direction needs. */
export interface RealProxyDirectionParts {
  readonly from: Socket;
  readonly to: Socket;
  readonly direction: Direction;
  readonly conditions: () => NetworkConditions;
  readonly counts: LinkCounts;
  /** Called before the next bytes pass; false: the connection has ended and they must not pass. */
  readonly admit: (bytes: number) => boolean;
  /** Uniform in [0, 1). */
  readonly draw: () => number;
  /** Faults of single messages; undefined: this is no MQTT connection, and its packets cannot be distinguished. */
  readonly packetFaults: (() => readonly PacketFault[]) | undefined;
  /** Of this client. */
  readonly lateCopies: LateCopies<Buffer>;
  /** Severs the connection. */
  readonly sever: () => void;
}

interface ProxySegment {
  readonly bytes: Buffer;
  dueMs: number;
}

/**
 * One direction of a connection through a proxy. Data leaves in order, as early as the conditions allow; the
 * sender's end of stream follows the data.
 */
export class RealProxyDirection {
  readonly #parts: RealProxyDirectionParts;
  #segments: ProxySegment[] = [];
  #heldBytes = 0;
  /** When the bandwidth limit has let all earlier data pass. */
  #freeMs = 0;
  #lastDueMs = 0;
  #cursors = new Map<PlayedTrace, TraceCursor>();
  readonly #usedCells = new Set<SharedCell>();
  #timer: NodeJS.Timeout | undefined;
  #isDraining = false;
  /** When the sender closed its side. */
  #endedMs: number | undefined;
  #isOver = false;
  readonly #sieve: RealPacketSieve | undefined;
  /** Bytes were lost: everything after them is useless. */
  hasLost = false;

  constructor(parts: RealProxyDirectionParts) {
    this.#parts = parts;
    const { from, to, direction, packetFaults: faults, lateCopies, sever } = parts;
    if (faults !== undefined)
      this.#sieve = new RealPacketSieve({
        direction,
        faults,
        lateCopies,
        isOpen: () => this.#isOpen(),
        pass: (bytes) => this.#pass(bytes),
        sever,
      });
    from.on('data', (bytes: Buffer) => this.take(bytes));
    from.once('end', () => {
      this.#sieve?.end();
      this.#endedMs = Date.now();
      this.#sendDue();
    });
    to.on('drain', () => {
      this.#isDraining = false;
      this.#sendDue();
    });
  }

  take(bytes: Buffer): void {
    if (this.#isOver) return;
    const { isHalfOpen } = this.#parts.conditions();
    this.#parts.counts.packets += 1;
    if (isHalfOpen) {
      this.hasLost = true;
      return;
    }
    if (!this.#parts.admit(bytes.byteLength)) return;
    if (this.#sieve === undefined) this.#pass(bytes);
    else this.#sieve.take(bytes);
  }

  #isOpen(): boolean {
    return !this.#isOver && this.#endedMs === undefined && !this.#parts.conditions().isHalfOpen;
  }

  #pass(bytes: Buffer): void {
    if (this.#isOver) return;
    for (let at = 0; at < bytes.byteLength; at += limits.segmentBytes) {
      const packet = { bytes: bytes.subarray(at, at + limits.segmentBytes), dueMs: 0 };
      this.#schedule(packet, Date.now());
      this.#segments.push(packet);
      this.#heldBytes += packet.bytes.byteLength;
    }
    if (this.#heldBytes > limits.proxyHeldBytes) this.#parts.from.pause();
    this.#sendDue();
  }

  /** The conditions have changed: data that has not left yet is scheduled again. */
  changed(): void {
    const nowMs = Date.now();
    // Data that still waits is subject to the new conditions.
    this.#parts.counts.packets += this.#segments.length;
    this.#freeMs = 0;
    this.#lastDueMs = 0;
    this.#cursors = new Map();
    this.#leaveCells(nowMs);
    if (this.#parts.conditions().isHalfOpen && this.#segments.length > 0) {
      this.hasLost = true;
      this.#segments = [];
      this.#heldBytes = 0;
    }
    for (const segment of this.#segments) this.#schedule(segment, nowMs);
    this.#sendDue();
  }

  close(): void {
    this.#leaveCells(Date.now());
    this.#isOver = true;
    this.#sieve?.close();
    this.#segments = [];
    clearTimeout(this.#timer);
  }

  /** Data that has not left takes no bandwidth any more. */
  #leaveCells(nowMs: number): void {
    for (const cell of this.#usedCells) cell.release(this, nowMs);
    this.#usedCells.clear();
  }

  #schedule(segment: ProxySegment, nowMs: number): void {
    const { direction, conditions, draw } = this.#parts;
    const { bitsPerS, latency, traces, cells } = conditions();
    const sizeBytes = segment.bytes.byteLength + limits.headerBytes;
    const rate = bitsPerS[direction];
    if (Number.isFinite(rate)) this.#freeMs = Math.max(this.#freeMs, nowMs) + (sizeBytes * 8_000) / rate;
    let dueMs = Math.max(nowMs, this.#freeMs);
    for (const played of traces[direction]) {
      const cursor = this.#cursors.get(played) ?? FIRST_TRACE_CURSOR;
      const passed = transmit(played.trace, played.sinceMs, cursor, dueMs, sizeBytes);
      this.#cursors.set(played, passed.cursor);
      dueMs = passed.passedMs;
    }
    for (const cell of cells) {
      this.#usedCells.add(cell);
      dueMs = cell.passedMs(this, direction, dueMs, sizeBytes);
    }
    if (latency !== undefined) dueMs += latency.delayMs + latency.jitterMs * draw();
    this.#lastDueMs = Math.max(this.#lastDueMs, dueMs);
    segment.dueMs = this.#lastDueMs;
  }

  #sendDue(): void {
    clearTimeout(this.#timer);
    const { conditions, from, to } = this.#parts;
    const { isStalled, isHalfOpen, slowCloseMs } = conditions();
    if (this.#isOver || isStalled || isHalfOpen) return;
    const nowMs = Date.now();
    let sent = 0;
    for (const { bytes, dueMs } of this.#segments) {
      if (dueMs > nowMs || this.#isDraining) break;
      this.#isDraining = !to.write(bytes);
      this.#heldBytes -= bytes.byteLength;
      sent += 1;
    }
    if (sent > 0) this.#segments.splice(0, sent);
    if (from.isPaused() && this.#heldBytes < limits.proxyHeldBytes / 2) from.resume();
    if (this.#isDraining) return;
    const [next] = this.#segments;
    if (next !== undefined) this.#wake(next.dueMs - nowMs);
    else if (this.#endedMs !== undefined) {
      const waitMs = this.#endedMs + slowCloseMs - nowMs;
      if (waitMs <= 0) to.end();
      else {
        if (slowCloseMs > 0) this.#parts.counts.slowCloses += 1;
        this.#wake(waitMs);
      }
    }
  }

  #wake(afterMs: number): void {
    this.#timer = setTimeout(() => this.#sendDue(), Math.min(Math.max(1, afterMs), limits.longestTimerMs));
  }
}

import { limits } from '../limits.ts';
import { MqttPacketCutter, qos0CopyOf, readPassingPacket } from '../mqtt/mqtt-packet-cutter.ts';
import type { Direction, PacketFault, PacketFaultAction } from '../network-faults/conditions.ts';
import type { LateCopies } from '../network-faults/late-copies.ts';

/** The functions of its direction that a sieve needs. */
export interface RealPacketSieveParts {
  readonly direction: Direction;
  /** Of this client, as they are now. */
  readonly faults: () => readonly PacketFault[];
  /** Of this client. */
  readonly lateCopies: LateCopies<Buffer>;
  /** Whether what is passed now can arrive. */
  readonly isOpen: () => boolean;
  /** Sends bytes on their way. */
  readonly pass: (bytes: Buffer) => void;
  /** Severs the connection, with everything that is under way. */
  readonly sever: () => void;
}

/** A packet that waits for the next one to overtake it. */
interface HeldPacket {
  readonly packet: Buffer;
  readonly overtaken: () => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * Cuts one direction of an MQTT connection into packets, and applies faults of single messages to them. The
 * stream remains one of whole packets, so neither end can distinguish it from an original one.
 */
export class RealPacketSieve {
  readonly #parts: RealPacketSieveParts;
  readonly #cutter = new MqttPacketCutter(limits.proxyHeldBytes);
  readonly #late = new Set<NodeJS.Timeout>();
  #heldBack: HeldPacket | undefined;
  #isOver = false;

  constructor(parts: RealPacketSieveParts) {
    this.#parts = parts;
  }

  take(bytes: Buffer): void {
    for (const packet of this.#cutter.take(bytes)) if (!this.#isOver) this.#sift(packet);
  }

  /** The sender has closed its side: packets that are held back are sent before the end of stream. */
  end(): void {
    this.#release();
    const rest = this.#cutter.end();
    if (rest.byteLength > 0) this.#parts.pass(rest);
  }

  close(): void {
    this.#isOver = true;
    for (const timer of this.#late) clearTimeout(timer);
    clearTimeout(this.#heldBack?.timer);
    this.#heldBack = undefined;
  }

  #sift(packet: Buffer): void {
    const { direction, faults, lateCopies, pass } = this.#parts;
    const isDue = this.#heldBack !== undefined || faults().length > 0 || !lateCopies.isEmpty;
    const passing = isDue ? readPassingPacket(packet, direction) : undefined;
    if (this.#heldBack !== undefined) {
      if (passing === undefined) this.#release();
      pass(packet);
      this.#heldBack?.overtaken();
      this.#release();
      return;
    }
    const fault = passing && faults().find(({ left, matches }) => left > 0 && matches(passing));
    if (fault === undefined) {
      pass(packet);
      if (passing?.kind === 'PUBLISH') for (const copy of lateCopies.take(direction)) pass(copy);
      return;
    }
    fault.left -= 1;
    this.#strike(packet, fault.act);
  }

  #strike(packet: Buffer, act: PacketFaultAction): void {
    const { pass, sever } = this.#parts;
    switch (act.kind) {
      case 'lose':
        return;
      case 'lose-and-cut':
        sever();
        return;
      case 'delay': {
        const timer = setTimeout(() => {
          this.#late.delete(timer);
          pass(packet);
        }, act.byMs);
        this.#late.add(timer);
        return;
      }
      case 'double':
        pass(packet);
        this.#sendAgain(packet, act.byMs);
        return;
      case 'reorder': {
        const timer = setTimeout(() => this.#release(), act.withinMs);
        this.#heldBack = { packet, overtaken: act.overtaken, timer };
        return;
      }
      default:
        act satisfies never;
    }
  }

  /** The second copy of a packet; `byMs`: it is late, if it is a PUBLISH. */
  #sendAgain(packet: Buffer, byMs: number | undefined): void {
    const { direction, lateCopies, isOpen, pass } = this.#parts;
    const copy = byMs === undefined ? undefined : qos0CopyOf(packet);
    if (copy === undefined) {
      pass(packet);
      return;
    }
    // Also if this connection is over by then.
    const timer = setTimeout(() => {
      if (isOpen()) pass(copy);
      else lateCopies.wait(direction, copy);
    }, byMs);
    timer.unref();
  }

  #release(): void {
    const heldBack = this.#heldBack;
    if (heldBack === undefined) return;
    clearTimeout(heldBack.timer);
    this.#heldBack = undefined;
    this.#parts.pass(heldBack.packet);
  }
}

import { Fifo } from '../loop/virtual-fifo.ts';
import type { EventHandler } from '../loop/virtual-loop.ts';
import type { MqttPacket } from '../mqtt/virtual-mqtt-packets.ts';
import type { Direction } from '../network-faults/conditions.ts';
import { Bandwidth } from './virtual-bandwidth.ts';

/** A packet that has been sent and has not arrived. */
export interface SentPacket {
  readonly packet: MqttPacket;
  /** When the bandwidth limit has let it pass; what remains is latency. */
  readonly departsMs: number;
  readonly dueMs: number;
}

/** A packet that waits for another one to overtake it. */
export interface HeldPacket {
  readonly packet: MqttPacket;
  readonly overtaken: () => void;
  /** Cancels its timed release. */
  readonly cancel: () => void;
}

/** One direction of a connection: the packets that have been sent and have not arrived. */
export class VirtualDirection implements EventHandler<number> {
  readonly packets = new Fifo<SentPacket>();
  readonly bandwidth: Bandwidth;
  /** When the latest packet is to arrive: TCP does not reorder. */
  lastDueMs = 0;
  /** Packets that were due while the connection stalled. */
  heldCount = 0;
  /** A fault holds it back until another one has passed it. */
  heldBack: HeldPacket | undefined;
  /** Increased when packets are lost, so that their scheduled arrivals are ignored. */
  generation = 0;
  readonly label: string;
  readonly #due: () => boolean;

  /** `due` is called when a packet that is still in flight is due. */
  constructor(label: string, direction: Direction, due: () => boolean) {
    this.label = label;
    this.bandwidth = new Bandwidth(direction);
    this.#due = due;
  }

  /** The packet that was held back, and is not any more. */
  takeHeldBack(): HeldPacket | undefined {
    const { heldBack } = this;
    heldBack?.cancel();
    this.heldBack = undefined;
    return heldBack;
  }

  handle(generation: number): boolean {
    return generation === this.generation && this.#due();
  }
}

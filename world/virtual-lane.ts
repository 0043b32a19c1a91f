import type { Direction } from './climate.ts';
import { Fifo } from './virtual-fifo.ts';
import type { Actor } from './virtual-loop.ts';
import { Pace } from './virtual-pace.ts';
import type { Packet } from './virtual-packets.ts';

/** A packet that has been sent and has not arrived. */
export interface Sent {
  readonly packet: Packet;
  /** When the link has let it pass; what remains is latency. */
  readonly departsMs: number;
  readonly dueMs: number;
}

/** One direction of a wire: what has been sent to a side and has not arrived. */
export class Lane implements Actor<number> {
  readonly packets = new Fifo<Sent>();
  readonly pace: Pace;
  /** When the latest packet sent is to arrive: TCP does not reorder. */
  lastDueMs = 0;
  /** Packets that were due while the wire stalled. */
  heldCount = 0;
  /** Raised when packets are lost, so that arrivals scheduled for them mean nothing. */
  generation = 0;
  readonly label: string;
  readonly #due: () => boolean;

  /** `due` is called when a packet is due that is still under way. */
  constructor(label: string, direction: Direction, due: () => boolean) {
    this.label = label;
    this.pace = new Pace(direction);
    this.#due = due;
  }

  happen(generation: number): boolean {
    return generation === this.generation && this.#due();
  }
}

import type { OutboxRow } from '../store/outbox-store.ts';

/**
 * Messages that wait for their turn: one lane for each vehicle, in the order of the outbox. A lane offers its first
 * message, and nothing more until that one is confirmed: so the order of a vehicle's messages holds even where a
 * connection ends and the message in doubt is sent again.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();
  /** Lanes that have something to offer, the one that waits longest first. */
  #ready = new Set<Lane>();
  #size = 0;

  /** Messages that wait or are on their way. */
  get size(): number {
    return this.#size;
  }

  /** A message from the outbox, behind all of its vehicle. */
  add(message: OutboxRow): void {
    let lane = this.#lanes.get(message.vehicleId);
    if (lane === undefined) {
      lane = { messages: [], isBusy: false };
      this.#lanes.set(message.vehicleId, lane);
    }
    lane.messages.push(message);
    this.#size += 1;
    if (!lane.isBusy) this.#ready.add(lane);
  }

  /** The next message of a vehicle of which none is on its way. */
  take(): OutboxRow | undefined {
    for (const lane of this.#ready) {
      this.#ready.delete(lane);
      lane.isBusy = true;
      return lane.messages[0];
    }
    return undefined;
  }

  /** The message that was taken is off its way for good. */
  done(message: OutboxRow): void {
    const lane = this.#lanes.get(message.vehicleId);
    if (lane === undefined) return;
    lane.messages.shift();
    lane.isBusy = false;
    this.#size -= 1;
    if (lane.messages.length > 0) this.#ready.add(lane);
    else this.#lanes.delete(message.vehicleId);
  }

  /** The message that was taken must be taken again: it is still the first of its vehicle. */
  again(message: OutboxRow): void {
    const lane = this.#lanes.get(message.vehicleId);
    if (lane === undefined) return;
    lane.isBusy = false;
    this.#ready.add(lane);
  }
}

interface Lane {
  readonly messages: OutboxRow[];
  /** Its first message is on its way. */
  isBusy: boolean;
}

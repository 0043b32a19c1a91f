import { limits } from '../limits.ts';

/** A message on its way to a subscriber within this process. */
export interface Delivery {
  readonly topic: string;
  readonly payload: Uint8Array;
  readonly isRetained: boolean;
  /** Its number at the broker, by which the session's queue identifies it. */
  readonly brokerCounter: number;
}

export interface InboxEvents {
  /** The next message. No other follows until `acknowledge` has been called, which may be at once. */
  message(delivery: Delivery, acknowledge: () => void): void;
  acknowledged(delivery: Delivery): void;
  /** It has reached `limits.mqtt.brakeMessages` or `limits.mqtt.brakeBytes`, or is well below both again. */
  full(isFull: boolean): void;
}

/**
 * The messages of one session that were not delivered to its program yet. The program is called from the event loop,
 * never by the publisher: a slow or faulty one does not affect the broker.
 */
export class InProcessInbox {
  readonly #events: InboxEvents;
  #deliveries: (Delivery | undefined)[] = [];
  /** The next one of `#deliveries`. Removing the first of a long array would move all the others. */
  #next = 0;
  #bytes = 0;
  #isFull = false;
  #isClosed = false;
  /** The program has a message that it has not acknowledged. */
  #isHeld = false;
  #isGiving = false;
  #isScheduled = false;

  constructor(events: InboxEvents) {
    this.#events = events;
  }

  get length(): number {
    return this.#deliveries.length - this.#next;
  }

  /** False: there is no room, and the message is not added. */
  add(delivery: Delivery): boolean {
    const bytes = this.#bytes + delivery.payload.byteLength;
    if (this.#isClosed || this.length >= limits.mqtt.queuedMessages || bytes > limits.mqtt.queuedBytes)
      return false;
    this.#deliveries.push(delivery);
    this.#bytes = bytes;
    if (!this.#isFull && (this.length >= limits.mqtt.brakeMessages || bytes >= limits.mqtt.brakeBytes)) {
      this.#isFull = true;
      this.#events.full(true);
    }
    this.#schedule();
    return true;
  }

  /** Nothing is delivered any more, and acknowledgements have no effect. */
  close(): void {
    this.#isClosed = true;
    this.#deliveries = [];
    this.#next = 0;
    this.#bytes = 0;
    this.#noteRoom();
  }

  #schedule(): void {
    if (this.#isScheduled || this.#isHeld || this.#isGiving || this.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#giveAll();
    });
  }

  #giveAll(): void {
    this.#isGiving = true;
    while (!this.#isHeld) {
      const delivery = this.#take();
      if (delivery === undefined) break;
      this.#give(delivery);
    }
    this.#isGiving = false;
    this.#noteRoom();
  }

  #give(delivery: Delivery): void {
    this.#isHeld = true;
    let isAcknowledged = false;
    this.#events.message(delivery, () => {
      if (isAcknowledged || this.#isClosed) return;
      isAcknowledged = true;
      this.#isHeld = false;
      this.#events.acknowledged(delivery);
      this.#schedule();
    });
  }

  #take(): Delivery | undefined {
    const delivery = this.#deliveries[this.#next];
    if (delivery === undefined) return undefined;
    this.#deliveries[this.#next++] = undefined;
    this.#bytes -= delivery.payload.byteLength;
    if (this.#next >= limits.mqtt.inboxSlack && this.#next * 2 >= this.#deliveries.length) {
      this.#deliveries = this.#deliveries.slice(this.#next);
      this.#next = 0;
    }
    return delivery;
  }

  #noteRoom(): void {
    const { brakeMessages, brakeBytes, brakeReleaseFraction } = limits.mqtt;
    if (!this.#isFull) return;
    if (this.length > brakeMessages * brakeReleaseFraction) return;
    if (this.#bytes > brakeBytes * brakeReleaseFraction) return;
    this.#isFull = false;
    this.#events.full(false);
  }
}

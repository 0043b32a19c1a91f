import type { ReceivedPayload } from './inbound-message.ts';

export interface InboundQueueBounds {
  readonly payloads: number;
  readonly bytes: number;
  /** Held acknowledgements are sent once the queue is down to this part of both bounds. */
  readonly resumeFraction: number;
}

/**
 * Payloads that wait for their commit. A payload is acknowledged to the broker at once; beyond a bound its
 * acknowledgement is held. A session delivers nothing more meanwhile: that is the backpressure. An
 * acknowledgement promises nothing to the box: only a receipt does.
 */
export class InboundQueue {
  readonly #bounds: InboundQueueBounds;
  #queue: ReceivedPayload[] = [];
  #bytes = 0;
  #held: (() => void)[] = [];

  constructor(bounds: InboundQueueBounds) {
    this.#bounds = bounds;
  }

  get length(): number {
    return this.#queue.length;
  }

  /** 0 to 1 of the fuller bound, and above 1 by payloads that were in flight. */
  get fill(): number {
    return Math.max(this.#queue.length / this.#bounds.payloads, this.#bytes / this.#bounds.bytes);
  }

  get isHoldingBack(): boolean {
    return this.#held.length > 0;
  }

  /** Takes a payload in any case: with its acknowledgement held at most one more comes from each session. */
  add(payload: ReceivedPayload, acknowledge: () => void): void {
    this.#queue.push(payload);
    this.#bytes += payload.bytes.length;
    if (this.#queue.length > this.#bounds.payloads || this.#bytes > this.#bounds.bytes) {
      this.#held.push(acknowledge);
    } else {
      acknowledge();
    }
  }

  /** The oldest payloads, at most `count`. They stay in the queue. */
  peek(count: number): readonly ReceivedPayload[] {
    return this.#queue.slice(0, count);
  }

  /** Removes the oldest `count` payloads, which have been processed. */
  removeOldest(count: number): void {
    for (const payload of this.#queue.slice(0, count)) this.#bytes -= payload.bytes.length;
    this.#queue = this.#queue.slice(count);
    const { payloads, bytes, resumeFraction } = this.#bounds;
    if (this.#queue.length > payloads * resumeFraction || this.#bytes > bytes * resumeFraction) return;
    const held = this.#held;
    this.#held = [];
    for (const acknowledge of held) acknowledge();
  }

  /** The session has ended: its acknowledgements are void, the broker delivers its payloads again. */
  forgetHeldAcknowledgements(): void {
    this.#held = [];
  }
}

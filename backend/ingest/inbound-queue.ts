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
  #added = 0;
  #removed = 0;
  #awaited: { readonly upTo: number; readonly resolve: () => void }[] = [];
  #held: { readonly acknowledge: () => void; readonly session: object }[] = [];

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

  /** Always accepts a payload: while its acknowledgement is held, each session delivers at most one more. */
  add(payload: ReceivedPayload, acknowledge: () => void, session: object): void {
    this.#queue.push(payload);
    this.#added += 1;
    this.#bytes += payload.bytes.length;
    if (this.#queue.length > this.#bounds.payloads || this.#bytes > this.#bounds.bytes) {
      this.#held.push({ acknowledge, session });
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
    this.#removed += Math.min(count, this.#queue.length);
    this.#queue = this.#queue.slice(count);
    if (this.#awaited.length > 0) this.#resolveAwaited();
    const { payloads, bytes, resumeFraction } = this.#bounds;
    if (this.#queue.length > payloads * resumeFraction || this.#bytes > bytes * resumeFraction) return;
    const held = this.#held;
    this.#held = [];
    for (const { acknowledge } of held) acknowledge();
  }

  /** Resolves once everything that waits now has been processed. */
  passed(): Promise<void> {
    if (this.#queue.length === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#awaited.push({ upTo: this.#added, resolve });
    });
  }

  #resolveAwaited(): void {
    const done = this.#awaited.filter(({ upTo }) => upTo <= this.#removed);
    this.#awaited = this.#awaited.filter(({ upTo }) => upTo > this.#removed);
    for (const { resolve } of done) resolve();
  }

  /** That session has ended: its acknowledgements are void, the broker delivers its payloads again. */
  forgetHeldAcknowledgements(session: object): void {
    this.#held = this.#held.filter((held) => held.session !== session);
  }
}

import type { IPublishPacket, MqttClient } from 'mqtt';
import { limits } from './limits.ts';
import { type LinkEvents, LinkLost, LinkRefused, type Publication, type Session } from './link.ts';

/** Goes on to the next packet; mqtt.js sends the PUBACK of this one first. */
type Next = () => void;

/**
 * One connection of mqtt.js as a `Session`.
 *
 * mqtt.js takes the next packet out of its stream only when the callback of `handleMessage` was called. A held
 * acknowledgement therefore fills the buffers of the socket, then those of the broker: that is the brake. Answers to
 * pings wait in the same stream, so that a brake held for longer than one and a half keep-alive periods ends the
 * connection.
 */
export class RealSession implements Session {
  present = false;
  readonly #client: MqttClient;
  readonly #events: LinkEvents;
  readonly #reason: () => string;
  /** Ends what has no answer yet: publications and subscriptions. */
  readonly #unanswered = new Set<(lost: LinkLost) => void>();
  /** `opening` until whoever opens it has it; from `ending` on nothing is handed over. */
  #phase: 'opening' | 'open' | 'ending' | 'closed' = 'opening';
  /** What happened while `opening`, to be told at `begin`: one message at most (the next waits), and the end. */
  readonly #early: (() => void)[] = [];
  #farewell: string | undefined;

  constructor(client: MqttClient, events: LinkEvents, reason: () => string) {
    this.#client = client;
    this.#events = events;
    this.#reason = reason;
    client.handleMessage = (packet, next) => this.#receive(packet, next);
    client.once('close', () => this.#close());
  }

  /** Begins to hand over. What happened before, while the session was on its way to its user, is told now. */
  begin(): void {
    if (this.#phase === 'opening') this.#phase = 'open';
    for (const tell of this.#early.splice(0)) tell();
  }

  publish(publication: Publication): Promise<void> {
    const { topic, payload, retain } = publication;
    return this.#ask((settle) => {
      // A copy: mqtt.js keeps what it is given until the PUBACK.
      this.#client.publish(topic, Buffer.from(payload), { qos: 1, retain }, (error) => {
        settle(error ? this.#lost(error.message) : undefined);
      });
    });
  }

  subscribe(filter: string): Promise<void> {
    return this.#ask((settle) => {
      this.#client.subscribe(filter, { qos: 1 }, (error, _granted, suback) => {
        if (!error) return settle(undefined);
        // With a SUBACK in hand it was the broker's no: 0x80 (MQTT 3.1.1 section 3.9.3). A filter that is none never
        // leaves the client; everything else is the end of the connection.
        const isRefusal = suback !== undefined || error.message.startsWith('Invalid topic');
        settle(
          isRefusal ? new LinkRefused(`${filter} is refused: ${error.message}`) : this.#lost(error.message),
        );
      });
    });
  }

  async end(): Promise<void> {
    if (this.#phase === 'closed') return;
    const closed = new Promise<void>((resolve) => this.#client.once('close', () => resolve()));
    if (this.#phase !== 'ending') this.#sayGoodbye();
    // A half-open peer never closes its side.
    const patience = setTimeout(() => this.#client.stream.destroy(), limits.linkEndMs);
    await closed;
    clearTimeout(patience);
  }

  drop(): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'ending';
    this.#farewell ??= 'dropped';
    this.#client.stream.destroy();
  }

  #sayGoodbye(): void {
    this.#phase = 'ending';
    this.#farewell = 'ended';
    const client = this.#client;
    // mqtt.js says DISCONNECT only when nothing is without an answer, and that may never come.
    for (const messageId of Object.keys(client.outgoing)) client.removeOutgoingMessage(Number(messageId));
    client.end(false);
    // What still comes in is read and thrown away, or the end of the stream would never be seen behind it.
    client.stream.unpipe();
    client.stream.resume();
  }

  /** Runs `request` and settles with its answer, or with LinkLost where the connection ends first. */
  #ask(request: (settle: (failure: Error | undefined) => void) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#phase === 'ending' || this.#phase === 'closed') return reject(this.#lost(this.#why()));
      this.#unanswered.add(reject);
      request((failure) => {
        this.#unanswered.delete(reject);
        if (failure === undefined) resolve();
        else reject(failure);
      });
    });
  }

  #receive(packet: IPublishPacket, next: Next): void {
    let isAcknowledged = false;
    const acknowledge = () => {
      if (isAcknowledged || this.#phase !== 'open') return;
      isAcknowledged = true;
      next();
    };
    const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload;
    const handOver = () => {
      if (this.#phase === 'open') this.#events.message(packet.topic, payload, packet.retain, acknowledge);
    };
    if (this.#phase === 'opening') this.#early.push(handOver);
    else handOver();
  }

  #close(): void {
    const isEarly = this.#phase === 'opening';
    this.#phase = 'closed';
    const lost = this.#lost(this.#why());
    for (const reject of this.#unanswered) reject(lost);
    this.#unanswered.clear();
    const tell = () => this.#events.closed(this.#why());
    if (isEarly) this.#early.push(tell);
    else tell();
  }

  #why(): string {
    return this.#farewell ?? this.#reason();
  }

  #lost(reason: string): LinkLost {
    return new LinkLost(`The MQTT connection is gone: ${reason}.`);
  }
}

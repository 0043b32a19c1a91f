import type { IPublishPacket, MqttClient as MqttJsClient } from 'mqtt';
import { limits } from '../limits.ts';
import {
  MqttConnectionLost,
  type MqttMessage,
  MqttRefused,
  type MqttSession,
  type MqttSessionEvents,
} from './mqtt-client.ts';

/** The quality of service that a client requests in its subscriptions (MQTT 3.1.1 section 3.8.3). */
export type SubscribeQos = 0 | 1;

/** Continues with the next packet; mqtt.js sends the PUBACK of this one first. */
type Next = () => void;

/**
 * One connection of mqtt.js as an `MqttSession`.
 *
 * mqtt.js takes the next packet from its stream only when the callback of `handleMessage` was called. A
 * delayed acknowledgement therefore fills the buffers of the socket, then those of the broker: that is the
 * backpressure. PINGRESP packets wait in the same stream, so backpressure for longer than one and a half
 * keep-alive periods ends the connection.
 */
export class RealMqttSession implements MqttSession {
  present = false;
  readonly #client: MqttJsClient;
  readonly #events: MqttSessionEvents;
  readonly #reason: () => string;
  readonly #subscribeQos: SubscribeQos;
  /** Rejects the publications and subscriptions that have no answer yet. */
  readonly #unanswered = new Set<(lost: MqttConnectionLost) => void>();
  /** `opening` until the caller has the session; from `ending` on no message is passed to the caller. */
  #phase: 'opening' | 'open' | 'ending' | 'closed' = 'opening';
  /**
   * Events during `opening`, to be emitted by `begin`: at most one message (the next one waits), and the end.
   */
  readonly #heldBack: (() => void)[] = [];
  #endReason: string | undefined;

  constructor(
    client: MqttJsClient,
    events: MqttSessionEvents,
    reason: () => string,
    subscribeQos: SubscribeQos = 1,
  ) {
    this.#client = client;
    this.#events = events;
    this.#reason = reason;
    this.#subscribeQos = subscribeQos;
    client.handleMessage = (packet, next) => this.#receive(packet, next);
    client.once('close', () => this.#close());
  }

  /** Begins to emit events, first those that happened before the caller had the session. */
  begin(): void {
    if (this.#phase === 'opening') this.#phase = 'open';
    for (const tell of this.#heldBack.splice(0)) tell();
  }

  publish(message: MqttMessage): Promise<void> {
    const { topic, payload, retain } = message;
    return this.#request((settle) => {
      // A copy: mqtt.js keeps the buffer until the PUBACK.
      this.#client.publish(topic, Buffer.from(payload), { qos: 1, retain }, (error) => {
        settle(error ? this.#lost(error.message) : undefined);
      });
    });
  }

  subscribe(filter: string): Promise<void> {
    return this.#request((settle) => {
      this.#client.subscribe(filter, { qos: this.#subscribeQos }, (error, _granted, suback) => {
        if (!error) return settle(undefined);
        // With a SUBACK the broker has refused: 0x80 (MQTT 3.1.1 section 3.9.3). mqtt.js itself refuses an
        // invalid filter. Every other error is the end of the connection.
        const isRefusal = suback !== undefined || error.message.startsWith('Invalid topic');
        settle(
          isRefusal ? new MqttRefused(`${filter} is refused: ${error.message}`) : this.#lost(error.message),
        );
      });
    });
  }

  async end(): Promise<void> {
    if (this.#phase === 'closed') return;
    const closed = new Promise<void>((resolve) => this.#client.once('close', () => resolve()));
    if (this.#phase !== 'ending') this.#disconnect();
    // A half-open peer never closes its side.
    const timeout = setTimeout(() => this.#client.stream.destroy(), limits.mqttEndMs);
    await closed;
    clearTimeout(timeout);
  }

  drop(): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'ending';
    this.#endReason ??= 'dropped';
    this.#client.stream.destroy();
  }

  #disconnect(): void {
    this.#phase = 'ending';
    this.#endReason = 'ended';
    const client = this.#client;
    // mqtt.js sends DISCONNECT only when no request is unanswered, and that may never happen.
    for (const messageId of Object.keys(client.outgoing)) client.removeOutgoingMessage(Number(messageId));
    client.end(false);
    // Further input is read and discarded; otherwise the end of the stream would never be reached.
    client.stream.unpipe();
    client.stream.resume();
  }

  /** Runs `request` and settles with its answer, or with MqttConnectionLost if the connection ends first. */
  #request(request: (settle: (failure: Error | undefined) => void) => void): Promise<void> {
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
    if (this.#phase === 'opening') this.#heldBack.push(handOver);
    else handOver();
  }

  #close(): void {
    const isEarly = this.#phase === 'opening';
    this.#phase = 'closed';
    const lost = this.#lost(this.#why());
    for (const reject of this.#unanswered) reject(lost);
    this.#unanswered.clear();
    const tell = () => this.#events.closed(this.#why());
    if (isEarly) this.#heldBack.push(tell);
    else tell();
  }

  #why(): string {
    return this.#endReason ?? this.#reason();
  }

  #lost(reason: string): MqttConnectionLost {
    return new MqttConnectionLost(`The MQTT connection is gone: ${reason}.`);
  }
}

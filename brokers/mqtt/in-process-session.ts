import type { Aedes, AedesPublishPacket, PublishPacket } from 'aedes';
import type { BrokerPacket } from 'aedes-persistence/asyncPersistence.js';
import {
  MqttConnectionLost,
  type MqttConnectOptions,
  type MqttMessage,
  MqttRefused,
  type MqttSession,
  type MqttSessionEvents,
} from '../../world/mqtt/mqtt-client.ts';
import { limits } from '../limits.ts';
import type { Authorizers } from './authorizers.ts';
import { type Delivery, InProcessInbox } from './in-process-inbox.ts';
import type { PublishBrake } from './publish-brake.ts';
import type { SessionPersistence } from './session-persistence.ts';

/** What sessions within this process share. */
export interface InProcessBroker {
  readonly aedes: Aedes;
  readonly persistence: SessionPersistence;
  readonly authorizers: Authorizers;
  readonly brake: PublishBrake;
}

/** Type, remaining length, length of the topic and packet identifier around a publication (section 3.3). */
const PUBLISH_HEAD_BYTES = 4;

/**
 * A session of the embedded broker within this process. Its state is where that of a client with a socket is: aedes
 * subscribes and publishes for it, and what it has not acknowledged is in `SessionPersistence`. So either can resume
 * the session of the other. As with a socket, retained messages are not kept for the next connection: they are sent
 * again with the next subscription.
 */
export class InProcessSession implements MqttSession {
  readonly id: string;
  present = false;
  readonly #broker: InProcessBroker;
  readonly #options: MqttConnectOptions;
  readonly #events: MqttSessionEvents;
  readonly #left: () => void;
  readonly #inbox: InProcessInbox;
  readonly #filters = new Set<string>();
  /** Rejects the publications that the broker has not taken yet. */
  readonly #unanswered = new Set<(lost: MqttConnectionLost) => void>();
  readonly #ended = Promise.withResolvers<void>();
  /** `opening` until the caller has the session. */
  #phase: 'opening' | 'open' | 'closed' = 'opening';
  #endReason = '';
  /** The number of the latest packet: with two filters that match, it arrives twice in a row. */
  #latest = 0;
  /** Packets of the queue that aedes may be about to deliver, too. */
  #resumed: ReadonlySet<number> | undefined;

  /** `left` is called at the end of the session, before its will is published. */
  constructor(
    broker: InProcessBroker,
    options: MqttConnectOptions,
    events: MqttSessionEvents,
    left: () => void,
  ) {
    this.id = options.clientId;
    this.#broker = broker;
    this.#options = options;
    this.#events = events;
    this.#left = left;
    this.#inbox = new InProcessInbox({
      message: ({ topic, payload, isRetained }, acknowledge) =>
        events.message(topic, payload, isRetained, acknowledge),
      acknowledged: ({ brokerCounter }) => {
        if (options.clean) return;
        broker.persistence.acknowledge(this.id, { brokerCounter, messageId: undefined });
      },
      // A client that may have to wait does not publish what a box subscribes to: its inbox would not get shorter by
      // that.
      full: (isFull) => {
        if (!broker.authorizers.mayWait(this)) broker.brake.set(this, isFull);
      },
    });
  }

  get isClosed(): boolean {
    return this.#phase === 'closed';
  }

  /** The reason of its end. */
  get endReason(): string {
    return this.#endReason;
  }

  /**
   * Subscribes the filters of an earlier connection, and delivers its messages again. Call it synchronously after
   * `opened`.
   */
  resume(filters: readonly string[]): void {
    this.present = filters.length > 0;
    for (const filter of filters) {
      if (this.#broker.authorizers.maySubscribe(this, filter)) this.#listen(filter);
    }
    const packets = this.#broker.persistence.queuedFor(this.id);
    // What is queued now and not delivered yet arrives within this turn of the event loop.
    this.#resumed = new Set(packets.map(({ brokerCounter }) => brokerCounter));
    setImmediate(() => {
      this.#resumed = undefined;
    });
    for (const packet of packets) {
      // The message of a PUBREL (QoS 2) has arrived over the earlier connection.
      if (packet.cmd === 'pubrel') this.#broker.persistence.acknowledge(this.id, packet);
      else this.#take(packet, false);
    }
  }

  /** The caller gets the session: from now on it is notified of its end. */
  opened(): void {
    if (this.#phase === 'opening') this.#phase = 'open';
  }

  publish(message: MqttMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.isClosed && !isSmallEnough(message)) this.leave('a packet is too large');
      else if (!this.isClosed && !this.#mayPublish(message)) this.leave('it may not publish on this topic');
      if (this.isClosed) return reject(this.#lost());
      this.#unanswered.add(reject);
      const publish = () =>
        this.#publish(message, (error) => {
          this.#unanswered.delete(reject);
          if (error) reject(new MqttConnectionLost(`The broker has not taken it: ${error.message}`));
          else resolve();
        });
      if (this.#broker.authorizers.mayWait(this)) this.#broker.brake.pass(this, publish);
      else publish();
    });
  }

  async subscribe(filter: string): Promise<void> {
    if (this.isClosed) throw this.#lost();
    const { authorizers, persistence } = this.#broker;
    if (!authorizers.maySubscribe(this, filter)) throw new MqttRefused(`${filter} is refused.`);
    if (!this.#options.clean) await persistence.addSubscriptions(this, [{ topic: filter, qos: 1 }]);
    if (this.isClosed) throw this.#lost();
    this.#listen(filter);
    for (const packet of persistence.retainedBy(filter)) this.#take(packet, true);
  }

  async end(): Promise<void> {
    this.#close('ended');
    await this.#ended.promise;
  }

  drop(): void {
    this.leave('dropped');
  }

  /** Ends without a DISCONNECT: the will is published. Does nothing if it has ended. */
  leave(reason: string): void {
    if (this.isClosed) return;
    this.#close(reason);
    const { will } = this.#options;
    if (will !== undefined && this.#mayPublish(will)) this.#publish(will, () => undefined);
  }

  #close(reason: string): void {
    if (this.isClosed) return;
    const wasOpen = this.#phase === 'open';
    this.#phase = 'closed';
    this.#endReason = reason;
    this.#inbox.close();
    this.#broker.brake.forget(this);
    for (const filter of this.#filters)
      this.#broker.aedes.unsubscribe(filter, this.#deliver, () => undefined);
    this.#left();
    const lost = this.#lost();
    for (const reject of this.#unanswered) reject(lost);
    this.#unanswered.clear();
    // The caller may be within a call of this session, or not have it yet.
    setImmediate(() => {
      if (wasOpen) this.#events.closed(reason);
      this.#ended.resolve();
    });
  }

  #listen(filter: string): void {
    if (this.#filters.has(filter)) return;
    this.#filters.add(filter);
    this.#broker.aedes.subscribe(filter, this.#deliver, () => undefined);
  }

  readonly #deliver = (packet: AedesPublishPacket, done: () => void): void => {
    // Immediately, whatever the outcome: the emitter's publisher waits for it, and that may be a command.
    done();
    const { brokerCounter } = packet;
    if (this.isClosed || brokerCounter === this.#latest || this.#resumed?.has(brokerCounter) === true) return;
    this.#latest = brokerCounter;
    // What comes live is not marked as retained (MQTT-3.3.1-9).
    this.#take(packet, false, packet.qos === 0);
  };

  #take(packet: BrokerPacket | AedesPublishPacket, isRetained: boolean, isDroppable = false): void {
    const payload = typeof packet.payload === 'string' ? Buffer.from(packet.payload) : packet.payload;
    const delivery: Delivery = {
      topic: packet.topic,
      payload,
      isRetained,
      brokerCounter: isRetained ? 0 : packet.brokerCounter,
    };
    // As with a socket whose client does not read: what is unacknowledged stays in a persistent session.
    if (!this.#inbox.add(delivery) && !isDroppable) this.leave('it takes its messages too slowly');
  }

  #mayPublish({ topic, retain }: MqttMessage): boolean {
    return this.#broker.authorizers.mayPublish(this, topic, retain);
  }

  #publish(message: MqttMessage, taken: (error?: Error | null) => void): void {
    const packet: PublishPacket = {
      cmd: 'publish',
      qos: 1,
      dup: false,
      retain: message.retain,
      topic: message.topic,
      // A copy: queues keep it.
      payload: Buffer.from(message.payload),
    };
    if (!message.retain) {
      this.#broker.aedes.publish(packet, taken);
      return;
    }
    // Stored here, and not by aedes: the next publication would overtake this one meanwhile. Subscribers get it
    // without the mark in any case.
    void this.#broker.persistence.storeRetained({ ...packet, brokerCounter: 0 });
    this.#broker.aedes.publish({ ...packet, retain: false }, taken);
  }

  #lost(): MqttConnectionLost {
    return new MqttConnectionLost(`The MQTT connection is gone: ${this.#endReason}.`);
  }
}

/** The bound that a socket's packets have (packet-size.ts). */
function isSmallEnough({ topic, payload }: MqttMessage): boolean {
  return PUBLISH_HEAD_BYTES + Buffer.byteLength(topic) + payload.byteLength <= limits.mqtt.packetBytes;
}

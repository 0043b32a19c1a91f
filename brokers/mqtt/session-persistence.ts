import { Readable } from 'node:stream';
import AsyncPersistence, {
  type BrokerPacket,
  type SessionClient,
  type SessionSubscription,
} from 'aedes-persistence/asyncPersistence.js';
import { matchesFilter } from '../../world/mqtt/topic-filter.ts';
import { type PacketKey, SessionQueue } from './session-queue.ts';

/**
 * The sessions of the embedded broker, in memory, by the interface of aedes-persistence. That library's own
 * searches lists: the queue of a session at each acknowledgement, and all retained messages at each
 * subscription. Here both are looked up. And each queue is bounded: beyond the bound the newest message is not
 * kept for that session, and `full` is called; if the session is connected, aedes ends its connection. No
 * record is lost: a box keeps each one until the backend's receipt.
 */
export class SessionPersistence extends AsyncPersistence {
  readonly #full: (clientId: string) => void;
  readonly #retained = new Map<string, BrokerPacket>();
  readonly #queues = new Map<string, SessionQueue>();

  constructor(full: (clientId: string) => void) {
    super();
    this.#full = full;
  }

  override async storeRetained(packet: BrokerPacket): Promise<void> {
    if (packet.payload.length === 0) this.#retained.delete(packet.topic);
    else this.#retained.set(packet.topic, { ...packet });
  }

  override createRetainedStream(filter: string): Readable {
    return Readable.from(this.retainedBy(filter));
  }

  override createRetainedStreamCombi(filters: readonly string[]): Readable {
    return Readable.from(filters.flatMap((filter) => this.retainedBy(filter)));
  }

  /** The retained messages with a topic that matches. */
  retainedBy(filter: string): readonly BrokerPacket[] {
    if (!/[+#]/.test(filter)) {
      const packet = this.#retained.get(filter);
      return packet === undefined ? [] : [packet];
    }
    return [...this.#retained.values()].filter(({ topic }) => matchesFilter(filter, topic));
  }

  /** The session ends, and with it its queue (MQTT-3.1.2-6). */
  override async cleanSubscriptions(client: SessionClient): Promise<void> {
    this.#queues.delete(client.id);
    await super.cleanSubscriptions(client);
  }

  override async outgoingEnqueue(subscription: SessionSubscription, packet: BrokerPacket): Promise<void> {
    this.#enqueue(subscription.clientId, packet);
  }

  override async outgoingEnqueueCombi(
    subscriptions: readonly SessionSubscription[],
    packet: BrokerPacket,
  ): Promise<void> {
    for (const { clientId } of subscriptions) this.#enqueue(clientId, packet);
  }

  #enqueue(clientId: string, packet: BrokerPacket): void {
    const queue = this.#queues.get(clientId) ?? new SessionQueue();
    this.#queues.set(clientId, queue);
    if (!queue.add(new AsyncPersistence.Packet(packet))) this.#full(clientId);
  }

  override async outgoingUpdate(client: SessionClient, packet: BrokerPacket): Promise<void> {
    if (this.#queues.get(client.id)?.update(packet) !== true) throw new Error('no such packet');
  }

  override async outgoingClearMessageId(
    client: SessionClient,
    packet: BrokerPacket,
  ): Promise<BrokerPacket | undefined> {
    return this.acknowledge(client.id, packet);
  }

  /** A packet is acknowledged, or is not to be sent. Undefined: the session does not have it. */
  acknowledge(clientId: string, packet: PacketKey): BrokerPacket | undefined {
    const queue = this.#queues.get(clientId);
    const removed = queue?.remove(packet);
    if (queue?.size === 0) this.#queues.delete(clientId);
    return removed;
  }

  override outgoingStream(client: SessionClient): Readable {
    return Readable.from(this.queuedFor(client.id));
  }

  /** What a session has not acknowledged, in order. */
  queuedFor(clientId: string): readonly BrokerPacket[] {
    return this.#queues.get(clientId)?.toSend() ?? [];
  }
}

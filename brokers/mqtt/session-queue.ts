import type { BrokerPacket } from 'aedes-persistence/asyncPersistence.js';
import { limits } from '../limits.ts';

/** A packet by its identifier, or else by its number at the broker. */
export type PacketKey = Pick<BrokerPacket, 'messageId' | 'brokerCounter'>;

/**
 * What a session has not acknowledged yet, in order (MQTT 3.1.1 section 4.1). Every operation takes the same
 * time however long the queue is.
 */
export class SessionQueue {
  /** By the number at the broker, in the order in which they came. */
  readonly #packets = new Map<number, BrokerPacket>();
  /** The number at the broker by packet identifier. */
  readonly #sent = new Map<number, number>();
  #bytes = 0;

  get size(): number {
    return this.#packets.size;
  }

  /** False: it is full, and the packet is not kept. */
  add(packet: BrokerPacket): boolean {
    const bytes = packet.payload.length;
    if (this.#packets.size >= limits.mqtt.queuedMessages || this.#bytes + bytes > limits.mqtt.queuedBytes)
      return false;
    this.#packets.set(packet.brokerCounter, packet);
    this.#bytes += bytes;
    return true;
  }

  /**
   * A packet is sent with an identifier; or the PUBREL of one takes its place (QoS 2, section 4.3.3). False:
   * it is not in the queue.
   */
  update(packet: BrokerPacket): boolean {
    const there = this.#packets.get(packet.brokerCounter);
    if (there !== undefined && there.brokerId === packet.brokerId) {
      if (there.messageId !== undefined) this.#sent.delete(there.messageId);
      there.messageId = packet.messageId;
      if (packet.messageId !== undefined) this.#sent.set(packet.messageId, packet.brokerCounter);
      return true;
    }
    const number = packet.messageId === undefined ? undefined : this.#sent.get(packet.messageId);
    if (number === undefined) return false;
    this.#bytes -= this.#packets.get(number)?.payload.length ?? 0;
    this.#packets.set(number, packet);
    return true;
  }

  /** A packet is acknowledged, or is not to be sent. Undefined: it is not in the queue. */
  remove(packet: PacketKey): BrokerPacket | undefined {
    const number = packet.messageId === undefined ? packet.brokerCounter : this.#sent.get(packet.messageId);
    const there = number === undefined ? undefined : this.#packets.get(number);
    if (number === undefined || there === undefined) return undefined;
    this.#packets.delete(number);
    if (there.messageId !== undefined) this.#sent.delete(there.messageId);
    this.#bytes -= there.payload.length;
    return there;
  }

  /**
   * What is sent on the next connection. DUP is set on what was sent before (section 3.3.1.1), not on what was
   * only queued.
   */
  toSend(): readonly BrokerPacket[] {
    const packets = [...this.#packets.values()];
    for (const packet of packets)
      if (packet.cmd !== 'pubrel' && packet.messageId !== undefined) packet.dup = true;
    return packets;
  }
}

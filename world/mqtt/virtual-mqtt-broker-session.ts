import { Fifo } from '../loop/virtual-fifo.ts';
import type { MqttMessage } from './mqtt-client.ts';
import type { MqttPacket } from './virtual-mqtt-packets.ts';
import { PacketIds } from './virtual-packet-ids.ts';

/** A message as it was published. */
export interface PublishedMessage extends MqttMessage {
  /** It was published with QoS 0, and is sent on with no more (MQTT 3.1.1 section 3.8.4). */
  readonly isAtMostOnce?: true;
}

/** How many messages may be sent to one client without their PUBACK. */
const MAX_IN_FLIGHT = 100;

/**
 * The broker's state of a client id: its filters, and the messages that the client has not acknowledged. A
 * persistent session outlives the connection; messages that were in flight are then sent again, first and in
 * their order.
 */
export class VirtualMqttBrokerSession {
  readonly clientId: string;
  readonly isClean: boolean;
  /** Sessions are served in the order in which they were created. */
  readonly rank: number;
  filters: readonly string[] = [];
  /** Messages that were dropped because the queue was full. */
  droppedCount = 0;
  readonly #queueBound: number;
  readonly #queue = new Fifo<PublishedMessage>();
  readonly #inFlight = new PacketIds<PublishedMessage>();
  #send: ((packet: MqttPacket) => void) | undefined;

  constructor(options: {
    readonly clientId: string;
    readonly isClean: boolean;
    readonly rank: number;
    readonly queueBound: number;
  }) {
    this.clientId = options.clientId;
    this.isClean = options.isClean;
    this.rank = options.rank;
    this.#queueBound = options.queueBound;
  }

  /** Messages that are queued or in flight. */
  get backlog(): number {
    return this.#queue.length + this.#inFlight.size;
  }

  /** The client has connected: queued messages are sent by `send`. */
  connect(send: (packet: MqttPacket) => void): void {
    this.#send = send;
    this.#sendNext();
  }

  /** The connection has ended: messages in flight have to be sent again. */
  disconnect(): void {
    this.#send = undefined;
    for (const message of [...this.#inFlight.clear(), ...this.#queue.clear()]) this.#queue.push(message);
  }

  /** Queues or sends a message for the client; it is dropped if the queue is full. */
  offer(message: PublishedMessage): void {
    if (this.#queue.length >= this.#queueBound) {
      this.droppedCount += 1;
      return;
    }
    this.#queue.push(message);
    this.#sendNext();
  }

  acknowledge(id: number): void {
    if (this.#inFlight.take(id) !== undefined) this.#sendNext();
  }

  #sendNext(): void {
    while (this.#send !== undefined && this.#inFlight.size < MAX_IN_FLIGHT) {
      const message = this.#queue.shift();
      if (message === undefined) return;
      const id = message.isAtMostOnce === true ? 0 : this.#inFlight.add(message);
      const { topic, payload, retain } = message;
      this.#send({ kind: 'PUBLISH', id, topic, payload, retain });
    }
  }
}

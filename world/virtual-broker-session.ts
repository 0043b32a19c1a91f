import type { Publication } from './link.ts';
import { Fifo } from './virtual-fifo.ts';
import { PacketIds } from './virtual-packet-ids.ts';
import type { Packet } from './virtual-packets.ts';

/** How many messages may be under way to one client without their PUBACK. */
const WINDOW = 100;

/**
 * What the broker keeps for a client id: its filters, and the messages that the client has not acknowledged. Of a
 * persistent session it outlives the connection; then what was under way is sent again, first and in its old order.
 */
export class BrokerSession {
  readonly clientId: string;
  readonly isClean: boolean;
  /** Sessions are served in the order in which they began. */
  readonly rank: number;
  readonly filters = new Set<string>();
  /** Messages that found the queue full. */
  droppedCount = 0;
  readonly #queueBound: number;
  readonly #queue = new Fifo<Publication>();
  readonly #underWay = new PacketIds<Publication>();
  #send: ((packet: Packet) => void) | undefined;

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

  /** Messages that wait or are under way. */
  get backlog(): number {
    return this.#queue.length + this.#underWay.size;
  }

  /** The connection is up: what waits goes out by `send`. */
  connect(send: (packet: Packet) => void): void {
    this.#send = send;
    this.#pump();
  }

  /** The connection is gone: what was under way has to be sent again. */
  disconnect(): void {
    this.#send = undefined;
    for (const message of [...this.#underWay.clear(), ...this.#queue.clear()]) this.#queue.push(message);
  }

  /** Takes a message for the client; the newest is dropped where the queue is full. */
  offer(message: Publication): void {
    if (this.#queue.length >= this.#queueBound) {
      this.droppedCount += 1;
      return;
    }
    this.#queue.push(message);
    this.#pump();
  }

  acknowledge(id: number): void {
    if (this.#underWay.take(id) !== undefined) this.#pump();
  }

  #pump(): void {
    while (this.#send !== undefined && this.#underWay.size < WINDOW) {
      const message = this.#queue.shift();
      if (message === undefined) return;
      const id = this.#underWay.add(message);
      const { topic, payload, retain } = message;
      this.#send({ kind: 'PUBLISH', id, topic, payload, retain });
    }
  }
}

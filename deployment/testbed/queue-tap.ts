import type { AmqpConsumer, AmqpConsumerSession, AmqpDelivery } from '../../world/amqp/amqp-consumer.ts';
import type { StoredAmqpMessage } from '../../world/amqp/virtual-amqp-broker.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { limits } from './limits.ts';

/** Reads queues for as long as they exist, over any loss of its connection. */
export class QueueTap {
  readonly #consumer: AmqpConsumer;
  readonly #time: Time;
  readonly #queues: () => Promise<readonly string[]>;
  readonly #take: (queue: string, message: StoredAmqpMessage) => void;
  /** The messages that were read, by queue and id: one that was acknowledged too late is redelivered to us only. */
  readonly #taken = new Set<string>();
  #session: AmqpConsumerSession | undefined;
  #isOver = false;

  constructor(
    consumer: AmqpConsumer,
    time: Time,
    queues: () => Promise<readonly string[]>,
    take: (queue: string, message: StoredAmqpMessage) => void,
  ) {
    this.#consumer = consumer;
    this.#time = time;
    this.#queues = queues;
    this.#take = take;
  }

  /** Reads until `close`. */
  async begin(): Promise<void> {
    while (!this.#isOver) {
      await this.#read().catch(() => undefined);
      if (!this.#isOver) await sleep(this.#time, limits.tapAgainMs);
    }
  }

  async close(): Promise<void> {
    this.#isOver = true;
    await this.#session?.close();
  }

  /** One connection, to its end. It ends where a queue does not exist (any more). */
  async #read(): Promise<void> {
    let isClosed = false;
    const session = await this.#consumer.open(
      { connectTimeoutMs: limits.connectTimeoutMs },
      {
        closed: () => {
          isClosed = true;
        },
      },
    );
    this.#session = session;
    if (this.#isOver) return session.close();
    const read = new Set<string>();
    while (!isClosed && !this.#isOver) {
      for (const queue of await this.#queues()) {
        if (read.has(queue)) continue;
        await session.consume(queue, { prefetch: limits.tapPrefetch }, (delivery) => {
          this.#arrived(delivery);
          session.ack(delivery);
        });
        read.add(queue);
      }
      await sleep(this.#time, limits.tapAgainMs);
    }
  }

  #arrived({ queue, exchange, routingKey, redelivered, properties, headers, body }: AmqpDelivery): void {
    const { messageId = '', type = '', timestampS = 0, contentType = '' } = properties;
    const key = `${queue} ${messageId}`;
    if (redelivered && this.#taken.has(key)) return;
    this.#taken.add(key);
    const told = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    this.#take(queue, {
      exchange,
      routingKey,
      messageId,
      type,
      timestampS,
      contentType,
      headers: Object.fromEntries(told),
      body: Uint8Array.from(body),
      storedMs: this.#time.nowMs(),
    });
  }
}

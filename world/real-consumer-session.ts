import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import {
  type ConsumerEvents,
  ConsumerRefused,
  type ConsumerSession,
  type Delivery,
  type DeliveryProperties,
} from './consumer.ts';
import { limits } from './limits.ts';

const ENDED = 'ended';

/** One connection, with a channel for each queue: a refused queue closes its channel, and prefetch is a channel's. */
export class RealConsumerSession implements ConsumerSession {
  readonly #connection: ChannelModel;
  readonly #events: ConsumerEvents;
  /** Destroys the socket. */
  readonly #sever: () => void;
  readonly #sources = new WeakMap<
    Delivery,
    { readonly channel: Channel; readonly message: ConsumeMessage }
  >();
  readonly #channels = new Set<Channel>();
  #reason = 'the broker closed the connection';
  #hasReason: boolean = false;
  #isOver: boolean = false;

  constructor(connection: ChannelModel, events: ConsumerEvents, sever: () => void) {
    this.#connection = connection;
    this.#events = events;
    this.#sever = sever;
    connection.on('error', (error: Error) => this.#keep(error.message));
    connection.once('close', (error?: Error) => {
      if (error !== undefined) this.#keep(error.message);
      this.#tellClosed();
    });
  }

  async consume(
    queue: string,
    { prefetch }: { readonly prefetch: number },
    take: (delivery: Delivery) => void,
  ): Promise<void> {
    try {
      const channel = await this.#connection.createChannel();
      channel.on('error', (error: Error) => this.#keep(error.message));
      channel.once('close', () => {
        this.#channels.delete(channel);
        void this.close();
      });
      this.#channels.add(channel);
      await channel.prefetch(prefetch);
      await channel.consume(queue, (message) => {
        if (this.#isOver) return;
        if (message === null) {
          // basic.cancel: RabbitMQ's word that the queue is gone.
          this.#keep(`the queue ${queue} was deleted`);
          void this.close();
          return;
        }
        const delivery = deliveryOf(queue, message);
        this.#sources.set(delivery, { channel, message });
        take(delivery);
      });
    } catch (error) {
      const words = error instanceof Error ? error.message : String(error);
      // A reply code is the broker's no to this queue; without one the connection ended meanwhile.
      const isNo = error instanceof Error && 'code' in error && typeof error.code === 'number';
      throw new ConsumerRefused(
        isNo ? 'queue' : 'unreachable',
        `The queue ${queue} cannot be read: ${words}`,
        {
          cause: error,
        },
      );
    }
  }

  ack(delivery: Delivery): void {
    const source = this.#sources.get(delivery);
    if (source === undefined || !this.#channels.has(source.channel)) return;
    this.#sources.delete(delivery);
    source.channel.ack(source.message);
  }

  async close(): Promise<void> {
    this.#keep(ENDED);
    await within(limits.exchangeConfirmMs, this.#disconnect());
    // A peer that answers no goodbye would keep the socket until its heartbeat is missed.
    this.#sever();
    this.#tellClosed();
  }

  /** The channels first: a goodbye of the connection overtakes the acknowledgements that are still on them. */
  async #disconnect(): Promise<void> {
    await Promise.allSettled([...this.#channels].map(async (channel) => channel.close()));
    await this.#connection.close().catch(() => undefined);
  }

  /** The first reason is the cause; what follows from it says less. */
  #keep(reason: string): void {
    if (this.#hasReason) return;
    this.#hasReason = true;
    this.#reason = reason;
  }

  #tellClosed(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#channels.clear();
    this.#events.closed(this.#reason);
  }
}

function deliveryOf(queue: string, { fields, properties, content }: ConsumeMessage): Delivery {
  const { messageId, type, timestamp, contentType, deliveryMode, headers } = properties;
  const given = { messageId, type, timestampS: timestamp, contentType, deliveryMode };
  return {
    queue,
    exchange: fields.exchange,
    routingKey: fields.routingKey,
    redelivered: fields.redelivered,
    // The library decodes each by its type in the protocol, or leaves it out.
    properties: Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as DeliveryProperties,
    headers: headers ?? {},
    body: Uint8Array.from(content),
  };
}

async function within(deadlineMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, deadlineMs);
  });
  await Promise.race([work, deadline]);
  clearTimeout(timer);
}

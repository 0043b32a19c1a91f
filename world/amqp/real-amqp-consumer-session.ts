import type { Channel, ChannelModel, ConsumeMessage } from 'amqplib';
import { errorText } from '../error-text.ts';
import { limits } from '../limits.ts';
import {
  type AmqpConsumerEvents,
  AmqpConsumerRefused,
  type AmqpConsumerSession,
  type AmqpDelivery,
  type AmqpDeliveryProperties,
} from './amqp-consumer.ts';
import { within } from './real-amqp-connection.ts';

const ENDED = 'ended';

/**
 * One connection with a channel for each queue: a refused queue closes its channel, and prefetch is set for
 * each channel.
 */
export class RealAmqpConsumerSession implements AmqpConsumerSession {
  readonly #connection: ChannelModel;
  readonly #events: AmqpConsumerEvents;
  /** Destroys the socket. */
  readonly #sever: () => void;
  readonly #sources = new WeakMap<
    AmqpDelivery,
    { readonly channel: Channel; readonly message: ConsumeMessage }
  >();
  readonly #channels = new Set<Channel>();
  #reason = 'the broker closed the connection';
  #hasReason: boolean = false;
  #isOver: boolean = false;

  constructor(connection: ChannelModel, events: AmqpConsumerEvents, sever: () => void) {
    this.#connection = connection;
    this.#events = events;
    this.#sever = sever;
    connection.on('error', (error: Error) => this.#keepReason(error.message));
    connection.once('close', (error?: Error) => {
      if (error !== undefined) this.#keepReason(error.message);
      this.#reportClosed();
    });
  }

  async consume(
    queue: string,
    { prefetch }: { readonly prefetch: number },
    take: (delivery: AmqpDelivery) => void,
  ): Promise<void> {
    try {
      const channel = await this.#connection.createChannel();
      channel.on('error', (error: Error) => this.#keepReason(error.message));
      channel.once('close', () => {
        this.#channels.delete(channel);
        void this.close();
      });
      this.#channels.add(channel);
      await channel.prefetch(prefetch);
      await channel.consume(queue, (message) => {
        if (this.#isOver) return;
        if (message === null) {
          // basic.cancel: RabbitMQ reports that the queue was deleted.
          this.#keepReason(`the queue ${queue} was deleted`);
          void this.close();
          return;
        }
        const delivery = deliveryOf(queue, message);
        this.#sources.set(delivery, { channel, message });
        take(delivery);
      });
    } catch (error) {
      const words = errorText(error);
      // With a reply code the broker has refused this queue; without one the connection ended.
      const isNo = error instanceof Error && 'code' in error && typeof error.code === 'number';
      throw new AmqpConsumerRefused(
        isNo ? 'queue' : 'unreachable',
        `The queue ${queue} cannot be read: ${words}`,
        {
          cause: error,
        },
      );
    }
  }

  ack(delivery: AmqpDelivery): void {
    const source = this.#sources.get(delivery);
    if (source === undefined || !this.#channels.has(source.channel)) return;
    this.#sources.delete(delivery);
    source.channel.ack(source.message);
  }

  async close(): Promise<void> {
    this.#keepReason(ENDED);
    await within(limits.amqpConfirmMs, this.#disconnect());
    // A peer that does not answer the close would keep the socket until its heartbeat is missed.
    this.#sever();
    this.#reportClosed();
  }

  /**
   * First the channels: closing the connection would overtake acknowledgements that are still in their
   * buffers.
   */
  async #disconnect(): Promise<void> {
    await Promise.allSettled([...this.#channels].map(async (channel) => channel.close()));
    await this.#connection.close().catch(() => undefined);
  }

  /** The first reason is the cause; later ones only follow from it. */
  #keepReason(reason: string): void {
    if (this.#hasReason) return;
    this.#hasReason = true;
    this.#reason = reason;
  }

  #reportClosed(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#channels.clear();
    this.#events.closed(this.#reason);
  }
}

function deliveryOf(queue: string, { fields, properties, content }: ConsumeMessage): AmqpDelivery {
  const { messageId, type, timestamp, contentType, deliveryMode, headers } = properties;
  const given = { messageId, type, timestampS: timestamp, contentType, deliveryMode };
  return {
    queue,
    exchange: fields.exchange,
    routingKey: fields.routingKey,
    redelivered: fields.redelivered,
    // amqplib decodes each property by its type in the protocol, or leaves it out.
    properties: Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as AmqpDeliveryProperties,
    headers: headers ?? {},
    body: Uint8Array.from(content),
  };
}

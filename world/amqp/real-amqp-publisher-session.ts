import type { Channel, ChannelModel, ConfirmChannel, Message } from 'amqplib';
import { errorText } from '../error-text.ts';
import { limits } from '../limits.ts';
import {
  AmqpConnectionLost,
  type AmqpMessage,
  type AmqpPublisherEvents,
  type AmqpPublisherSession,
  type AmqpQueueOptions,
  AmqpRefused,
} from './amqp-publisher.ts';
import type { ExchangeType } from './exchange-routing.ts';
import { togetherOver, within } from './real-amqp-connection.ts';

/** The reason of a session that its user closed. */
const ENDED = 'ended';

/** AMQP 0-9-1 section 1.1, `not-found`. */
const NOT_FOUND = 404;

type PublishOutcome = Awaited<ReturnType<AmqpPublisherSession['publish']>>;

/**
 * One connection with two kinds of channels: messages go over one with confirms, topology changes over
 * another, since a refused declaration closes its channel (AMQP 0-9-1 section 1.2.1) and must not affect
 * messages in flight.
 */
export class RealAmqpPublisherSession implements AmqpPublisherSession {
  readonly #connection: ChannelModel;
  readonly #messages: ConfirmChannel;
  #topology: Channel | undefined;
  /** How many unconfirmed publications of a message id were returned: `basic.return` precedes the ack. */
  readonly #returned = new Map<string, number>();
  readonly #unconfirmed = new Set<Promise<unknown>>();
  #reason = 'the broker closed the connection';
  /** From `ending` on nothing is accepted; `closed` once that event has been emitted. */
  #phase: 'open' | 'ending' | 'closed' = 'open';
  readonly #events: AmqpPublisherEvents;
  /** Destroys the socket. */
  readonly #sever: () => void;
  readonly #writeTogether: () => void;
  /**
   * Topology requests run one at a time: a refused one closes the channel, which would fail the requests
   * after it.
   */
  #topologyChange: Promise<unknown> = Promise.resolve();

  /** Sets up a session over a new connection. Rejects with amqplib's error if the broker opens no channel. */
  static async over(
    connection: ChannelModel,
    events: AmqpPublisherEvents,
    sever: () => void,
  ): Promise<RealAmqpPublisherSession> {
    const messages = await connection.createConfirmChannel();
    return new RealAmqpPublisherSession(connection, messages, events, sever);
  }

  private constructor(
    connection: ChannelModel,
    messages: ConfirmChannel,
    events: AmqpPublisherEvents,
    sever: () => void,
  ) {
    this.#sever = sever;
    this.#writeTogether = togetherOver(connection);
    this.#connection = connection;
    this.#messages = messages;
    this.#events = events;
    const keepReason = (error: Error | undefined) => {
      if (error !== undefined && this.#reason !== ENDED) this.#reason = error.message;
    };
    connection.on('error', keepReason);
    connection.on('blocked', () => events.blocked(true));
    connection.on('unblocked', () => events.blocked(false));
    connection.once('close', (error?: Error) => {
      keepReason(error);
      this.#reportClosed();
    });
    messages.on('error', keepReason);
    messages.on('return', (message) => this.#noteReturned(message));
    // Without its channel the connection is of no use.
    messages.once('close', () => {
      if (this.#phase === 'open') this.#phase = 'ending';
      this.#disconnect().catch(() => undefined);
    });
  }

  async declareExchange(name: string, type: ExchangeType): Promise<void> {
    await this.#changeTopology(`exchange ${name}`, (channel) =>
      channel.assertExchange(name, type, { durable: true }),
    );
  }

  async declareQueue(name: string, { messageTtlMs, type }: AmqpQueueOptions): Promise<void> {
    const typed = type === undefined ? {} : { arguments: { 'x-queue-type': type } };
    await this.#changeTopology(`queue ${name}`, (channel) =>
      channel.assertQueue(name, { durable: true, messageTtl: messageTtlMs, ...typed }),
    );
  }

  async hasQueue(name: string): Promise<boolean> {
    try {
      await this.#changeTopology(`a look at queue ${name}`, (channel) => channel.checkQueue(name));
      return true;
    } catch (error) {
      if (error instanceof AmqpRefused && codeOf(error.cause) === NOT_FOUND) return false;
      throw error;
    }
  }

  async bind(queue: string, exchange: string, routingKey: string): Promise<void> {
    await this.#changeTopology(`binding of ${queue} to ${exchange}`, (channel) =>
      channel.bindQueue(queue, exchange, routingKey),
    );
  }

  async unbind(queue: string, exchange: string, routingKey: string): Promise<void> {
    await this.#changeTopology(`unbinding of ${queue} from ${exchange}`, (channel) =>
      channel.unbindQueue(queue, exchange, routingKey),
    );
  }

  async deleteQueue(name: string): Promise<void> {
    await this.#changeTopology(`deletion of ${name}`, (channel) => channel.deleteQueue(name));
  }

  publish(message: AmqpMessage): Promise<PublishOutcome> {
    if (this.#phase !== 'open') return Promise.reject(this.#lost());
    const outcome = this.#send(message);
    this.#unconfirmed.add(outcome);
    const settled = () => this.#unconfirmed.delete(outcome);
    outcome.then(settled, settled);
    return outcome;
  }

  async close(): Promise<void> {
    if (this.#phase === 'open') {
      this.#phase = 'ending';
      this.#reason = ENDED;
      await within(limits.amqpConfirmMs, Promise.allSettled(this.#unconfirmed));
    }
    await within(limits.amqpEndMs, this.#disconnect());
    // A peer that does not answer the close would keep the socket until its heartbeat is missed.
    this.#sever();
    this.#reportClosed();
  }

  #reportClosed(): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    this.#events.closed(this.#reason);
  }

  #send(message: AmqpMessage): Promise<PublishOutcome> {
    const { exchange, routingKey, body, messageId, type, timestampS, contentType, headers } = message;
    const options = {
      persistent: true,
      mandatory: true,
      messageId,
      type,
      timestamp: timestampS,
      contentType,
      headers,
    };
    return new Promise((resolve, reject) => {
      const heard = (error: unknown) => {
        if (error === null) resolve(this.#hasReturned(messageId) ? 'unroutable' : 'confirmed');
        // amqplib reports a nack and the end of the channel by the same class of error; only the text
        // differs.
        else if (error instanceof Error && error.message === 'message nacked') resolve('refused');
        else reject(this.#lost());
      };
      try {
        this.#writeTogether();
        this.#messages.publish(exchange, routingKey, Buffer.from(body), options, heard);
      } catch (error) {
        // A field cannot be encoded, such as a routing key of more than 255 bytes.
        reject(
          new AmqpRefused(`The message ${messageId} cannot be sent: ${errorText(error)}`, { cause: error }),
        );
      }
    });
  }

  #noteReturned(message: Message): void {
    const messageId = String(message.properties.messageId);
    this.#returned.set(messageId, (this.#returned.get(messageId) ?? 0) + 1);
  }

  #hasReturned(messageId: string): boolean {
    const count = this.#returned.get(messageId);
    if (count === undefined) return false;
    if (count === 1) this.#returned.delete(messageId);
    else this.#returned.set(messageId, count - 1);
    return true;
  }

  #changeTopology(what: string, request: (channel: Channel) => Promise<unknown>): Promise<void> {
    const change = this.#topologyChange.then(() => this.#changeTopologyNow(what, request));
    this.#topologyChange = change.catch(() => undefined);
    return change;
  }

  async #changeTopologyNow(what: string, request: (channel: Channel) => Promise<unknown>): Promise<void> {
    if (this.#phase !== 'open') throw this.#lost();
    try {
      this.#topology ??= await this.#openTopology();
      await request(this.#topology);
    } catch (error) {
      // With a reply code the broker has refused this request; without one the connection ended.
      if (!hasReplyCode(error)) throw this.#lost();
      throw new AmqpRefused(`The broker refuses ${what}: ${errorText(error)}`, { cause: error });
    }
  }

  async #openTopology(): Promise<Channel> {
    const channel = await this.#connection.createChannel();
    // amqplib rejects the pending request; the next request opens another channel.
    channel.on('error', () => undefined);
    channel.once('close', () => {
      this.#topology = undefined;
    });
    return channel;
  }

  async #disconnect(): Promise<void> {
    try {
      await this.#connection.close();
    } catch {
      // It is closed already.
    }
  }

  #lost(): AmqpConnectionLost {
    return new AmqpConnectionLost(`The AMQP connection is gone: ${this.#reason}.`);
  }
}

function hasReplyCode(error: unknown): boolean {
  return codeOf(error) !== undefined;
}

function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;
}

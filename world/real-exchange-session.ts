import type { Channel, ChannelModel, ConfirmChannel, Message } from 'amqplib';
import {
  type ExchangeEvents,
  ExchangeLost,
  type ExchangeMessage,
  ExchangeRefused,
  type ExchangeSession,
  type QueueOptions,
} from './exchange.ts';
import { limits } from './limits.ts';

/** Why a session closed that was closed by its user. */
const ENDED = 'ended';

/** AMQP 0-9-1 section 1.1, `not-found`. */
const NOT_FOUND = 404;

type Word = Awaited<ReturnType<ExchangeSession['publish']>>;

/**
 * One connection with two kinds of channels: messages go over one that confirms, topology over another, since a
 * refused declaration closes its channel (AMQP 0-9-1 section 1.2.1) and must not take messages in flight along.
 */
export class RealExchangeSession implements ExchangeSession {
  readonly #connection: ChannelModel;
  readonly #messages: ConfirmChannel;
  #topology: Channel | undefined;
  /** How many of the unconfirmed publications of a message id have come back: `basic.return` precedes the ack. */
  readonly #returned = new Map<string, number>();
  readonly #unconfirmed = new Set<Promise<unknown>>();
  #reason = 'the broker closed the connection';
  /** From `ending` on nothing is taken; `closed` once that has been told. */
  #phase: 'open' | 'ending' | 'closed' = 'open';
  readonly #events: ExchangeEvents;
  /** Destroys the socket. */
  readonly #sever: () => void;
  /** Requests on topology go one by one: a refused one closes the channel under those behind it. */
  #arranging: Promise<unknown> = Promise.resolve();

  /** Sets up a session over a new connection; rejects with amqplib's error where the broker gives no channel. */
  static async over(
    connection: ChannelModel,
    events: ExchangeEvents,
    sever: () => void,
  ): Promise<RealExchangeSession> {
    const messages = await connection.createConfirmChannel();
    return new RealExchangeSession(connection, messages, events, sever);
  }

  private constructor(
    connection: ChannelModel,
    messages: ConfirmChannel,
    events: ExchangeEvents,
    sever: () => void,
  ) {
    this.#sever = sever;
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
      this.#tellClosed();
    });
    messages.on('error', keepReason);
    messages.on('return', (message) => this.#note(message));
    // Without its channel the connection is of no use.
    messages.once('close', () => {
      if (this.#phase === 'open') this.#phase = 'ending';
      this.#disconnect().catch(() => undefined);
    });
  }

  async declareExchange(name: string, type: 'direct' | 'fanout' | 'topic' | 'headers'): Promise<void> {
    await this.#arrange(`exchange ${name}`, (channel) =>
      channel.assertExchange(name, type, { durable: true }),
    );
  }

  async declareQueue(name: string, { messageTtlMs, type }: QueueOptions): Promise<void> {
    const typed = type === undefined ? {} : { arguments: { 'x-queue-type': type } };
    await this.#arrange(`queue ${name}`, (channel) =>
      channel.assertQueue(name, { durable: true, messageTtl: messageTtlMs, ...typed }),
    );
  }

  async hasQueue(name: string): Promise<boolean> {
    try {
      await this.#arrange(`a look at queue ${name}`, (channel) => channel.checkQueue(name));
      return true;
    } catch (error) {
      if (error instanceof ExchangeRefused && codeOf(error.cause) === NOT_FOUND) return false;
      throw error;
    }
  }

  async bind(queue: string, exchange: string, routingKey: string): Promise<void> {
    await this.#arrange(`binding of ${queue} to ${exchange}`, (channel) =>
      channel.bindQueue(queue, exchange, routingKey),
    );
  }

  async unbind(queue: string, exchange: string, routingKey: string): Promise<void> {
    await this.#arrange(`unbinding of ${queue} from ${exchange}`, (channel) =>
      channel.unbindQueue(queue, exchange, routingKey),
    );
  }

  async deleteQueue(name: string): Promise<void> {
    await this.#arrange(`deletion of ${name}`, (channel) => channel.deleteQueue(name));
  }

  publish(message: ExchangeMessage): Promise<Word> {
    if (this.#phase !== 'open') return Promise.reject(this.#lost());
    const word = this.#send(message);
    this.#unconfirmed.add(word);
    const settled = () => this.#unconfirmed.delete(word);
    word.then(settled, settled);
    return word;
  }

  async close(): Promise<void> {
    if (this.#phase === 'open') {
      this.#phase = 'ending';
      this.#reason = ENDED;
      await within(limits.exchangeConfirmMs, Promise.allSettled(this.#unconfirmed));
    }
    await within(limits.exchangeEndMs, this.#disconnect());
    // A peer that answers no goodbye would keep the socket until its heartbeat is missed.
    this.#sever();
    this.#tellClosed();
  }

  #tellClosed(): void {
    if (this.#phase === 'closed') return;
    this.#phase = 'closed';
    this.#events.closed(this.#reason);
  }

  #send(message: ExchangeMessage): Promise<Word> {
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
        // amqplib tells a nack and the end of the channel by the words of one and the same kind of error.
        else if (error instanceof Error && error.message === 'message nacked') resolve('refused');
        else reject(this.#lost());
      };
      try {
        this.#messages.publish(exchange, routingKey, Buffer.from(body), options, heard);
      } catch (error) {
        // Something in it does not fit the wire, such as a routing key of more than 255 bytes.
        reject(
          new ExchangeRefused(`The message ${messageId} cannot be sent: ${wordsOf(error)}`, { cause: error }),
        );
      }
    });
  }

  #note(message: Message): void {
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

  #arrange(what: string, request: (channel: Channel) => Promise<unknown>): Promise<void> {
    const arranged = this.#arranging.then(() => this.#arrangeNow(what, request));
    this.#arranging = arranged.catch(() => undefined);
    return arranged;
  }

  async #arrangeNow(what: string, request: (channel: Channel) => Promise<unknown>): Promise<void> {
    if (this.#phase !== 'open') throw this.#lost();
    try {
      this.#topology ??= await this.#openTopology();
      await request(this.#topology);
    } catch (error) {
      // A reply code is the broker's no to this request; without one the connection ended under it.
      if (!hasReplyCode(error)) throw this.#lost();
      throw new ExchangeRefused(`The broker refuses ${what}: ${wordsOf(error)}`, { cause: error });
    }
  }

  async #openTopology(): Promise<Channel> {
    const channel = await this.#connection.createChannel();
    // What was asked for rejects by itself; the next request opens another channel.
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

  #lost(): ExchangeLost {
    return new ExchangeLost(`The AMQP connection is gone: ${this.#reason}.`);
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function hasReplyCode(error: unknown): boolean {
  return codeOf(error) !== undefined;
}

function codeOf(error: unknown): number | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'number' ? error.code : undefined;
}

async function within(deadlineMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, deadlineMs);
  });
  await Promise.race([work, deadline]);
  clearTimeout(timer);
}

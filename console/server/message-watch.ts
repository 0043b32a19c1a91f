import type { AmqpDelivery } from '../../world/amqp/amqp-consumer.ts';
import { jsonObject } from '../../world/json.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import type { MessageNews, SeenMessage } from '../stream/messages.ts';

/** The source of messages: a subscription that exists while a reader is connected. */
export interface MessageFeed {
  /** Begins to read; `take` gets each message, `tell` the status of the connection. The returned function ends it. */
  open(take: (delivery: AmqpDelivery) => void, tell: (state: string) => void): () => Promise<void>;
}

/** Keeps the latest messages while a page watches them, and a little longer; the feed is open only then. */
export class MessageWatch {
  readonly #time: Time;
  readonly #feed: MessageFeed;
  readonly #kept: SeenMessage[] = [];
  #close: (() => Promise<void>) | undefined;
  #readers = 0;
  #number = 0;
  #state = 'Connecting';
  #news = Promise.withResolvers<void>();

  constructor(time: Time, feed: MessageFeed) {
    this.#time = time;
    this.#feed = feed;
  }

  /**
   * Watches until `left` is aborted. The returned function resolves with the messages since the previous call; of one
   * vehicle alone, where that is given. It waits for news, and resolves without any once the reader has left.
   */
  enter(left: AbortSignal, vehicleId?: string): () => Promise<MessageNews> {
    this.#readers += 1;
    this.#close ??= this.#feed.open(
      (delivery) => this.#take(delivery),
      (state) => this.#tell(state),
    );
    const leave = () => {
      this.#readers -= 1;
      // Its reading may wait for news.
      this.#wake();
      this.#time.alarm(this.#time.nowMs() + limits.messageLingerMs, () => {
        if (this.#readers === 0) void this.end();
      });
    };
    if (left.aborted) leave();
    else left.addEventListener('abort', leave, { once: true });
    return this.#reading(left, vehicleId);
  }

  #reading(left: AbortSignal, vehicleId: string | undefined): () => Promise<MessageNews> {
    let number = 0;
    let told = '';
    return async () => {
      while (!left.aborted) {
        const { messages, leftOut, state } = await this.#newsAfter(number, left);
        number = messages.at(-1)?.number ?? number;
        const own =
          vehicleId === undefined ? messages : messages.filter((one) => one.vehicleId === vehicleId);
        if (own.length === 0 && leftOut === 0 && state === told) continue;
        told = state;
        return { messages: own, leftOut, state };
      }
      return { messages: [], leftOut: 0, state: this.#state };
    };
  }

  /** The messages after that one; waits for news. */
  async #newsAfter(number: number, left: AbortSignal): Promise<MessageNews> {
    if (this.#number <= number) await this.#news.promise;
    // Messages that arrive within a moment are sent together.
    if (!left.aborted) await sleep(this.#time, limits.messagePauseMs);
    const messages = this.#kept.filter((one) => one.number > number);
    const first = messages[0]?.number ?? number + 1;
    return { messages, leftOut: number === 0 ? 0 : first - number - 1, state: this.#state };
  }

  /** Ends the feed; a later reader reopens it. */
  async end(): Promise<void> {
    const close = this.#close;
    this.#close = undefined;
    await close?.();
  }

  #take(delivery: AmqpDelivery): void {
    this.#number += 1;
    this.#kept.push(seenMessage(this.#number, this.#time.nowMs(), delivery));
    if (this.#kept.length > limits.keptMessages) this.#kept.shift();
    this.#wake();
  }

  #tell(state: string): void {
    this.#state = state;
    this.#wake();
  }

  #wake(): void {
    this.#news.resolve();
    this.#news = Promise.withResolvers();
  }
}

/** Total: a body that is not JSON is shown as text. */
function seenMessage(number: number, nowMs: number, delivery: AmqpDelivery): SeenMessage {
  const text = new TextDecoder().decode(delivery.body.subarray(0, limits.messageBytes));
  const body = parsed(text);
  const data = jsonObject(jsonObject(body)['data']);
  const { headers, properties } = delivery;
  return {
    number,
    at: new Date(nowMs).toISOString(),
    queue: delivery.queue,
    headers,
    body,
    type: String(headers['Message-Type'] ?? properties.type ?? '').replace(/^service\./, ''),
    messageId: properties.messageId ?? '',
    vehicleId: String(data['vehicle_id'] ?? data['id'] ?? ''),
    redelivered: delivery.redelivered,
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

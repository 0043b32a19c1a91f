import type { AmqpDelivery } from '../../world/amqp/amqp-consumer.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import type { MessageNews, SeenMessage } from '../stream/messages.ts';
import { record } from './comparison.ts';

/** Where messages come from: a subscription that is there for as long as somebody reads. */
export interface MessageFeed {
  /** Begins to read; `take` gets each message, `tell` what is to be said of the connection. The returned function ends it. */
  open(take: (delivery: AmqpDelivery) => void, tell: (state: string) => void): () => Promise<void>;
}

/** Keeps the latest messages while somebody watches them, and a little longer; the feed is open only then. */
export class MessageWatch {
  readonly #time: Time;
  readonly #feed: MessageFeed;
  readonly #kept: SeenMessage[] = [];
  #close: (() => Promise<void>) | undefined;
  #readers = 0;
  #number = 0;
  #state = 'connecting';
  #news = Promise.withResolvers<void>();

  constructor(time: Time, feed: MessageFeed) {
    this.#time = time;
    this.#feed = feed;
  }

  /** Somebody watches; the returned function says that they left. */
  enter(): () => void {
    this.#readers += 1;
    this.#close ??= this.#feed.open(
      (delivery) => this.#take(delivery),
      (state) => this.#tell(state),
    );
    let isThere = true;
    return () => {
      if (!isThere) return;
      isThere = false;
      this.#readers -= 1;
      this.#time.alarm(this.#time.nowMs() + limits.messageLingerMs, () => {
        if (this.#readers === 0) void this.end();
      });
    };
  }

  /** What came behind that message; waits for news. */
  async newsAfter(number: number): Promise<MessageNews> {
    if (this.#number <= number) await this.#news.promise;
    // What comes within a moment comes together.
    await sleep(this.#time, limits.messagePauseMs);
    const messages = this.#kept.filter((one) => one.number > number);
    const first = messages[0]?.number ?? number + 1;
    return { messages, leftOut: number === 0 ? 0 : first - number - 1, state: this.#state };
  }

  /** Tells at each call what came since the call before; of one vehicle alone, where that is given. Waits for news. */
  reader(vehicleId?: string): () => Promise<MessageNews> {
    let number = 0;
    let told = '';
    return async () => {
      for (;;) {
        const { messages, leftOut, state } = await this.newsAfter(number);
        number = messages.at(-1)?.number ?? number;
        const own =
          vehicleId === undefined ? messages : messages.filter((one) => one.vehicleId === vehicleId);
        if (own.length === 0 && leftOut === 0 && state === told) continue;
        told = state;
        return { messages: own, leftOut, state };
      }
    };
  }

  /** Ends the feed; whoever enters later opens it anew. */
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

/** Total: a body that is no JSON is shown as text. */
function seenMessage(number: number, nowMs: number, delivery: AmqpDelivery): SeenMessage {
  const text = new TextDecoder().decode(delivery.body.subarray(0, limits.messageBytes));
  const body = parsed(text);
  const data = record(record(body)['data']);
  const { headers, properties } = delivery;
  return {
    ...{ number, at: new Date(nowMs).toISOString(), queue: delivery.queue, headers, body },
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

import { isJsonObject, valueAt } from '../world/json.ts';
import { limits } from './limits.ts';
import { differenceOf, type Message, type MessageStream, type ResolvedQuery } from './message.ts';

export interface ArrivedMessage {
  readonly message: Message;
  readonly atMs: number;
}

/** A wait that ended without its message. */
export interface MissedMessage {
  readonly query: ResolvedQuery;
  readonly beganMs: number;
  /** Everything else that came meanwhile. */
  readonly others: readonly ArrivedMessage[];
  /** The last message that would have been the one, and came before the wait began. */
  readonly before: ArrivedMessage | undefined;
}

interface Taker {
  take(arrived: ArrivedMessage): void;
  /** The reading has ended; `reason`: it failed. */
  end(reason: Error | undefined): void;
}

/**
 * Begins to read: `take` gets the body of each message. Resolves once none that is published from then on is missed;
 * `ended` settles once the reading is over, after `end`, or rejects with why it failed.
 */
export type BeginReading = (
  take: (body: unknown) => void,
  end: AbortSignal,
) => Promise<{ readonly ended: Promise<void> }>;

/** The messages of a running service. The reading begins at the first use, and ends with `close`. */
export class MessageReader {
  readonly #beginReading: BeginReading;
  readonly #seen: (message: Message) => void;
  readonly #takers = new Set<Taker>();
  readonly #ending = new AbortController();
  readonly #recent: ArrivedMessage[] = [];
  #opening: Promise<void> | undefined;
  #reading: Promise<void> | undefined;
  #failure: Error | undefined;

  constructor(beginReading: BeginReading, seen: (message: Message) => void = () => undefined) {
    this.#beginReading = beginReading;
    this.#seen = seen;
  }

  /** Resolves once the queues are there: what is published from then on arrives. Rejects where there can be none. */
  open(): Promise<void> {
    this.#opening ??= this.#begin();
    return this.#opening;
  }

  /** Resolves once a reading that was asked for has begun; at once where none was. */
  async begun(): Promise<void> {
    // What was called in the same turn counts.
    await Promise.resolve();
    await this.#opening?.catch(() => undefined);
  }

  /** The next message of the query, or how the wait for it ended. Rejects where nothing can be read. */
  async next(query: ResolvedQuery, withinMs: number): Promise<Message | MissedMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<Message | MissedMessage>();
    const others: ArrivedMessage[] = [];
    const taker: Taker = {
      take(arrived) {
        try {
          if (differenceOf(query, arrived.message) === undefined) resolve(arrived.message);
          else others.push(arrived);
        } catch (error) {
          reject(error);
        }
      },
      end: (reason) => reject(reason ?? new Error('The service was stopped while a message was awaited.')),
    };
    let timer: NodeJS.Timeout | undefined;
    // It may reject before it is awaited.
    promise.catch(() => undefined);
    try {
      this.#takers.add(taker);
      await this.open();
      if (this.#ending.signal.aborted || this.#failure !== undefined) taker.end(this.#failure);
      const beganMs = Date.now();
      const before = this.#recent.findLast(({ message }) => differenceOf(query, message) === undefined);
      timer = setTimeout(() => resolve({ query, beganMs, others, before }), withinMs);
      return await promise;
    } finally {
      clearTimeout(timer);
      this.#takers.delete(taker);
    }
  }

  /** The messages of the query from now on. */
  stream(query: ResolvedQuery): MessageStream {
    const buffer: Message[] = [];
    const waiting: PromiseWithResolvers<IteratorResult<Message>>[] = [];
    let missed = 0;
    let ended: { readonly reason: Error | undefined } | undefined;
    const opened = this.open();
    const over = { done: true, value: undefined } as const;
    const taker: Taker = {
      take: ({ message }) => {
        if (differenceOf(query, message) !== undefined) return;
        const reader = waiting.shift();
        if (reader !== undefined) reader.resolve({ done: false, value: message });
        else if (missed === 0 && buffer.length < limits.bufferedMessages) buffer.push(message);
        else missed += 1;
      },
      end: (reason) => {
        ended = { reason };
        for (const reader of waiting.splice(0))
          if (reason === undefined) reader.resolve(over);
          else reader.reject(reason);
      },
    };
    const finish = async () => {
      this.#takers.delete(taker);
      taker.end(undefined);
      return over;
    };
    this.#takers.add(taker);
    opened.catch((error: unknown) => taker.end(error instanceof Error ? error : new Error(String(error))));
    if (this.#ending.signal.aborted || this.#failure !== undefined) taker.end(this.#failure);
    return {
      opened,
      async next() {
        const value = buffer.shift();
        if (value !== undefined) return { done: false, value };
        if (missed > 0)
          throw new Error(
            `${missed} messages were dropped: messages() keeps ${limits.bufferedMessages} that its reader has not taken. Take them faster, or ask for fewer: messages({ type, vehicle }).`,
          );
        if (ended?.reason !== undefined) throw ended.reason;
        if (ended !== undefined) return over;
        const reader = Promise.withResolvers<IteratorResult<Message>>();
        waiting.push(reader);
        return reader.promise;
      },
      return: finish,
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  /** Ends what waits, and deletes the subscription. */
  async close(): Promise<void> {
    this.#ending.abort();
    this.#end(undefined);
    await this.#opening?.catch(() => undefined);
    await this.#reading;
  }

  async #begin(): Promise<void> {
    const { ended } = await this.#beginReading((body) => this.#take(body), this.#ending.signal);
    this.#reading = ended.catch((error: unknown) => {
      this.#failure = error instanceof Error ? error : new Error(String(error));
      this.#end(this.#failure);
    });
  }

  #take(body: unknown): void {
    const type = valueAt(body, 'metadata', 'message_type');
    if (!isJsonObject(body) || typeof type !== 'string') return;
    const message = { type: type.replace('service.', ''), ...body } as unknown as Message;
    const arrived = { message, atMs: Date.now() };
    this.#recent.push(arrived);
    if (this.#recent.length > limits.recentMessages) this.#recent.splice(0, limits.recentMessages / 2);
    this.#seen(message);
    for (const taker of [...this.#takers]) taker.take(arrived);
  }

  #end(reason: Error | undefined): void {
    for (const taker of [...this.#takers]) taker.end(reason);
    this.#takers.clear();
  }
}

import {
  type Exchange,
  type ExchangeEvents,
  ExchangeLost,
  type ExchangeMessage,
  ExchangeRefused,
  type ExchangeSession,
  type QueueOptions,
} from './exchange.ts';
import type { Random, Stream } from './random.ts';
import { copyOf } from './virtual-copy.ts';
import type { ExchangeConnection, VirtualExchangeBroker } from './virtual-exchange-broker.ts';
import type { Life } from './virtual-life.ts';
import type { VirtualLoop } from './virtual-loop.ts';
import type { Opening } from './virtual-opening.ts';

/** One way between a publisher and its broker, drawn for each frame: one machine room. */
const SHORTEST_DELAY_MS = 1;
const LONGEST_DELAY_MS = 4;

/** How long a goodbye may take: a blocked broker reads nothing. */
const GOODBYE_MS = 2_000;

/** Connections of `life` to the broker. */
export function virtualExchange(
  loop: VirtualLoop,
  broker: VirtualExchangeBroker,
  random: Random,
  life: Life,
): Exchange {
  let count = 0;
  return {
    open({ connectTimeoutMs }, events) {
      count += 1;
      const stream = random.stream(`exchange/${life.name}/${count}`);
      const opening = loop.opening<ExchangeSession>(life, 'exchange open');
      if (!opening.isOpen) return opening.promise;
      const cancel = loop.schedule(loop.nowMs + connectTimeoutMs, 'exchange connect timeout', () =>
        opening.reject(new ExchangeRefused(`no answer within ${connectTimeoutMs} ms`)),
      );
      opening.promise.then(cancel, cancel);
      loop.schedule(
        loop.nowMs + stream.whole(SHORTEST_DELAY_MS, LONGEST_DELAY_MS),
        'exchange connect',
        () => {
          if (!opening.isOpen) return;
          if (broker.isDown) opening.reject(new ExchangeRefused('connection refused'));
          else opening.resolve(new PublisherSession(loop, broker, stream, life, events));
        },
      );
      return opening.promise;
    },
  };
}

type Settle = () => void;

class PublisherSession implements ExchangeSession, ExchangeConnection {
  readonly #loop: VirtualLoop;
  readonly #broker: VirtualExchangeBroker;
  readonly #stream: Stream;
  readonly #life: Life;
  readonly #events: ExchangeEvents;
  readonly #unsettled = new Set<Opening<unknown>>();
  readonly #forget: () => void;
  /** Frames that the broker does not read while it is blocked. */
  #held: Settle[] = [];
  #lastThereMs = 0;
  #lastBackMs = 0;
  #isOpen: boolean = true;
  /** The broker severed it, and this end is about to be told. */
  #isCut: boolean = false;
  #closing: Opening<void> | undefined;

  constructor(
    loop: VirtualLoop,
    broker: VirtualExchangeBroker,
    stream: Stream,
    life: Life,
    events: ExchangeEvents,
  ) {
    this.#loop = loop;
    this.#broker = broker;
    this.#stream = stream;
    this.#life = life;
    this.#events = events;
    this.#forget = life.onSever(() => this.#end());
    broker.connect(this);
  }

  declareExchange(name: string, type: 'direct' | 'fanout' | 'topic' | 'headers'): Promise<void> {
    return this.#request(`declare exchange ${name}`, () => this.#broker.declareExchange(name, type));
  }

  declareQueue(name: string, options: QueueOptions): Promise<void> {
    return this.#request(`declare queue ${name}`, () => this.#broker.declareQueue(name, options));
  }

  async hasQueue(name: string): Promise<boolean> {
    let isThere = false;
    await this.#request(`look at queue ${name}`, () => {
      isThere = this.#broker.queueNames.includes(name);
    });
    return isThere;
  }

  bind(queue: string, exchange: string, routingKey: string): Promise<void> {
    return this.#request(`bind ${queue}`, () => this.#broker.bind(queue, exchange, routingKey));
  }

  unbind(queue: string, exchange: string, routingKey: string): Promise<void> {
    return this.#request(`unbind ${queue}`, () => this.#broker.unbind(queue, exchange, routingKey));
  }

  deleteQueue(name: string): Promise<void> {
    return this.#request(`delete queue ${name}`, () => this.#broker.deleteQueue(name));
  }

  publish(message: ExchangeMessage): Promise<'confirmed' | 'unroutable' | 'refused'> {
    const opening = this.#open<'confirmed' | 'unroutable' | 'refused'>(`publish ${message.messageId}`);
    const copy = { ...message, body: copyOf(message.body), headers: { ...message.headers } };
    this.#there(`publish ${message.messageId}`, opening, () => {
      const { outcome, laterMs, isCut } = this.#broker.publish(copy);
      if (isCut) this.sever('connection reset');
      if (outcome === 'no-exchange') {
        this.#back('channel closed', () => this.#lost('NOT_FOUND - no such exchange'));
        return;
      }
      const confirm = (): void =>
        this.#back(`confirm ${message.messageId}`, () =>
          this.#settle(opening, () => opening.resolve(outcome)),
        );
      if (laterMs === 0) confirm();
      else if (laterMs !== undefined)
        this.#loop.schedule(this.#loop.nowMs + laterMs, `exchange late ${message.messageId}`, confirm);
    });
    return opening.promise;
  }

  close(): Promise<void> {
    if (this.#closing !== undefined) return this.#closing.promise;
    const closing = this.#loop.opening<void>(this.#life, 'exchange close');
    this.#closing = closing;
    if (!this.#isOpen) {
      closing.resolve();
      return closing.promise;
    }
    this.#there('close', closing, () => {
      this.#broker.disconnect(this);
      this.#back('closed', () => this.#lost('closed'));
    });
    const cancel = this.#loop.schedule(this.#loop.nowMs + GOODBYE_MS, 'exchange close timeout', () =>
      this.#lost('closed'),
    );
    return closing.promise.then(cancel);
  }

  sever(reason: string): void {
    this.#broker.disconnect(this);
    this.#isCut = true;
    this.#loop.schedule(this.#loop.nowMs, 'exchange cut', () => this.#lost(reason));
  }

  blocked(isBlocked: boolean): void {
    this.#back(isBlocked ? 'blocked' : 'unblocked', () => this.#events.blocked(isBlocked));
    if (isBlocked) return;
    const held = this.#held;
    this.#held = [];
    for (const carryOut of held) carryOut();
  }

  #request(what: string, carryOut: () => void): Promise<void> {
    const opening = this.#open<void>(what);
    this.#there(what, opening, () => {
      let refusal: Error | undefined;
      try {
        carryOut();
      } catch (error) {
        refusal = error instanceof Error ? error : new ExchangeRefused(String(error));
      }
      this.#back(`${what} done`, () =>
        this.#settle(opening, () => (refusal === undefined ? opening.resolve() : opening.reject(refusal))),
      );
    });
    return opening.promise;
  }

  #open<T>(what: string): Opening<T> {
    const opening = this.#loop.opening<T>(this.#life, `exchange ${what}`);
    if (!this.#isOpen || this.#closing !== undefined)
      opening.reject(new ExchangeLost('The session has ended'));
    return opening;
  }

  /** Carries something to the broker, in order. */
  #there(what: string, opening: Opening<unknown>, carryOut: Settle): void {
    if (!opening.isOpen) return;
    this.#unsettled.add(opening);
    this.#lastThereMs = this.#afterDelay(this.#lastThereMs);
    this.#loop.schedule(this.#lastThereMs, `exchange ${what}`, () => {
      if (!this.#isOpen || this.#isCut) return;
      if (this.#broker.isBlocked) this.#held.push(carryOut);
      else carryOut();
    });
  }

  /** Carries something back, in order. */
  #back(what: string, carryOut: Settle): void {
    this.#lastBackMs = this.#afterDelay(this.#lastBackMs);
    this.#loop.schedule(this.#lastBackMs, `exchange ${what}`, () => {
      if (this.#isOpen && !this.#isCut) carryOut();
    });
  }

  #afterDelay(lastMs: number): number {
    return Math.max(lastMs, this.#loop.nowMs + this.#stream.whole(SHORTEST_DELAY_MS, LONGEST_DELAY_MS));
  }

  #settle(opening: Opening<unknown>, settle: Settle): void {
    this.#unsettled.delete(opening);
    settle();
  }

  #lost(reason: string): void {
    if (!this.#isOpen) return;
    this.#end();
    const closing = this.#closing;
    for (const opening of this.#unsettled) {
      if (opening !== closing) opening.reject(new ExchangeLost(`The session ended: ${reason}`));
    }
    this.#unsettled.clear();
    this.#events.closed(reason);
    closing?.resolve();
  }

  #end(): void {
    this.#isOpen = false;
    this.#forget();
    this.#held = [];
    this.#broker.disconnect(this);
  }
}

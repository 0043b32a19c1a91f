import { copyOf } from '../flash/virtual-byte-copies.ts';
import type { VirtualLoop } from '../loop/virtual-loop.ts';
import type { PendingCall } from '../loop/virtual-pending-call.ts';
import type { ProcessScope } from '../loop/virtual-process-scope.ts';
import type { Random, Stream } from '../random/random.ts';
import {
  AmqpConnectionLost,
  type AmqpMessage,
  type AmqpPublisher,
  type AmqpPublisherEvents,
  type AmqpPublisherSession,
  type AmqpQueueOptions,
  AmqpRefused,
} from './amqp-publisher.ts';
import type { ExchangeType } from './exchange-routing.ts';
import type { VirtualAmqpBroker, VirtualAmqpConnection } from './virtual-amqp-broker.ts';

/** The one-way delay between a publisher and its broker, drawn for each frame: both in one data centre. */
const SHORTEST_DELAY_MS = 1;
const LONGEST_DELAY_MS = 4;

/** How long a disconnect may take: a blocked broker reads nothing. */
const CLOSE_TIMEOUT_MS = 2_000;

/** Connections of `scope` to the broker. */
export function virtualAmqpPublisher(
  loop: VirtualLoop,
  broker: VirtualAmqpBroker,
  random: Random,
  scope: ProcessScope,
): AmqpPublisher {
  let count = 0;
  return {
    open({ connectTimeoutMs }, events) {
      count += 1;
      const stream = random.stream(`exchange/${scope.name}/${count}`);
      const call = loop.pendingCall<AmqpPublisherSession>(scope, 'exchange open');
      if (!call.isPending) return call.promise;
      const cancel = loop.schedule(loop.nowMs + connectTimeoutMs, 'exchange connect timeout', () =>
        call.reject(new AmqpRefused(`no answer within ${connectTimeoutMs} ms`)),
      );
      call.promise.then(cancel, cancel);
      loop.schedule(
        loop.nowMs + stream.whole(SHORTEST_DELAY_MS, LONGEST_DELAY_MS),
        'exchange connect',
        () => {
          if (!call.isPending) return;
          if (broker.isDown) {
            broker.counts.away += 1;
            call.reject(new AmqpRefused('connection refused'));
          } else call.resolve(new VirtualAmqpPublisherSession(loop, broker, stream, scope, events));
        },
      );
      return call.promise;
    },
  };
}

type Settle = () => void;

class VirtualAmqpPublisherSession implements AmqpPublisherSession, VirtualAmqpConnection {
  readonly #loop: VirtualLoop;
  readonly #broker: VirtualAmqpBroker;
  readonly #stream: Stream;
  readonly #scope: ProcessScope;
  readonly #events: AmqpPublisherEvents;
  readonly #pendingCalls = new Set<PendingCall<unknown>>();
  readonly #cancelOnKill: () => void;
  /** Frames that the broker does not read while it is blocked. */
  #held: Settle[] = [];
  #lastToBrokerMs = 0;
  #lastToPublisherMs = 0;
  #isOpen: boolean = true;
  /** The broker has severed the connection, and this end will soon be notified. */
  #isCut: boolean = false;
  #pendingClose: PendingCall<void> | undefined;

  constructor(
    loop: VirtualLoop,
    broker: VirtualAmqpBroker,
    stream: Stream,
    scope: ProcessScope,
    events: AmqpPublisherEvents,
  ) {
    this.#loop = loop;
    this.#broker = broker;
    this.#stream = stream;
    this.#scope = scope;
    this.#events = events;
    this.#cancelOnKill = scope.onKill(() => this.#end());
    broker.connect(this);
  }

  declareExchange(name: string, type: ExchangeType): Promise<void> {
    return this.#request(`declare exchange ${name}`, () => this.#broker.declareExchange(name, type));
  }

  declareQueue(name: string, options: AmqpQueueOptions): Promise<void> {
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

  publish(message: AmqpMessage): Promise<'confirmed' | 'unroutable' | 'refused'> {
    const call = this.#pendingCall<'confirmed' | 'unroutable' | 'refused'>(`publish ${message.messageId}`);
    const copy = { ...message, body: copyOf(message.body), headers: { ...message.headers } };
    this.#sendToBroker(`publish ${message.messageId}`, call, () => {
      const { outcome, delayMs, isCut } = this.#broker.publish(copy);
      if (isCut) this.sever('connection reset');
      if (outcome === 'no-exchange') {
        this.#sendToPublisher('channel closed', () => this.#connectionLost('NOT_FOUND - no such exchange'));
        return;
      }
      const confirm = (): void =>
        this.#sendToPublisher(`confirm ${message.messageId}`, () =>
          this.#settle(call, () => call.resolve(outcome)),
        );
      if (delayMs === 0) confirm();
      else if (delayMs !== undefined)
        this.#loop.schedule(this.#loop.nowMs + delayMs, `exchange late ${message.messageId}`, confirm);
    });
    return call.promise;
  }

  close(): Promise<void> {
    if (this.#pendingClose !== undefined) return this.#pendingClose.promise;
    const closing = this.#loop.pendingCall<void>(this.#scope, 'exchange close');
    this.#pendingClose = closing;
    if (!this.#isOpen) {
      closing.resolve();
      return closing.promise;
    }
    this.#sendToBroker('close', closing, () => {
      this.#broker.disconnect(this);
      this.#sendToPublisher('closed', () => this.#connectionLost('closed'));
    });
    const cancel = this.#loop.schedule(this.#loop.nowMs + CLOSE_TIMEOUT_MS, 'exchange close timeout', () =>
      this.#connectionLost('closed'),
    );
    return closing.promise.then(cancel);
  }

  sever(reason: string): void {
    this.#broker.disconnect(this);
    this.#isCut = true;
    this.#loop.schedule(this.#loop.nowMs, 'exchange cut', () => this.#connectionLost(reason));
  }

  blocked(isBlocked: boolean): void {
    this.#sendToPublisher(isBlocked ? 'blocked' : 'unblocked', () => this.#events.blocked(isBlocked));
    if (isBlocked) return;
    const held = this.#held;
    this.#held = [];
    for (const run of held) run();
  }

  #request(what: string, run: () => void): Promise<void> {
    const call = this.#pendingCall<void>(what);
    this.#sendToBroker(what, call, () => {
      let refusal: Error | undefined;
      try {
        run();
      } catch (error) {
        refusal = error instanceof Error ? error : new AmqpRefused(String(error));
      }
      this.#sendToPublisher(`${what} done`, () =>
        this.#settle(call, () => (refusal === undefined ? call.resolve() : call.reject(refusal))),
      );
    });
    return call.promise;
  }

  #pendingCall<T>(what: string): PendingCall<T> {
    const call = this.#loop.pendingCall<T>(this.#scope, `exchange ${what}`);
    if (!this.#isOpen || this.#pendingClose !== undefined)
      call.reject(new AmqpConnectionLost('The session has ended'));
    return call;
  }

  /** Sends to the broker, in order. */
  #sendToBroker(what: string, call: PendingCall<unknown>, run: Settle): void {
    if (!call.isPending) return;
    this.#pendingCalls.add(call);
    this.#lastToBrokerMs = this.#afterDelay(this.#lastToBrokerMs);
    this.#loop.schedule(this.#lastToBrokerMs, `exchange ${what}`, () => {
      if (!this.#isOpen || this.#isCut) return;
      if (this.#broker.isBlocked) {
        this.#broker.counts.held += 1;
        this.#held.push(run);
      } else run();
    });
  }

  /** Sends to the publisher, in order. */
  #sendToPublisher(what: string, run: Settle): void {
    this.#lastToPublisherMs = this.#afterDelay(this.#lastToPublisherMs);
    this.#loop.schedule(this.#lastToPublisherMs, `exchange ${what}`, () => {
      if (this.#isOpen && !this.#isCut) run();
    });
  }

  #afterDelay(lastMs: number): number {
    return Math.max(lastMs, this.#loop.nowMs + this.#stream.whole(SHORTEST_DELAY_MS, LONGEST_DELAY_MS));
  }

  #settle(call: PendingCall<unknown>, settle: Settle): void {
    this.#pendingCalls.delete(call);
    settle();
  }

  #connectionLost(reason: string): void {
    if (!this.#isOpen) return;
    this.#end();
    const closing = this.#pendingClose;
    for (const call of this.#pendingCalls) {
      if (call !== closing) call.reject(new AmqpConnectionLost(`The session ended: ${reason}`));
    }
    this.#pendingCalls.clear();
    this.#events.closed(reason);
    closing?.resolve();
  }

  #end(): void {
    this.#isOpen = false;
    this.#cancelOnKill();
    this.#held = [];
    this.#broker.disconnect(this);
  }
}

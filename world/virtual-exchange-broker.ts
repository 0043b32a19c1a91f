import { type ExchangeMessage, ExchangeRefused, type QueueOptions } from './exchange.ts';
import type { Trace } from './trace.ts';
import { type ExchangeType, takes } from './virtual-routing.ts';

/** A message as it lies in a queue. */
export interface StoredMessage extends ExchangeMessage {
  readonly storedMs: number;
}

/** One end of a connection, as the broker holds it. */
export interface ExchangeConnection {
  /** The broker severs it. */
  sever(reason: string): void;
  blocked(isBlocked: boolean): void;
}

interface Queue {
  readonly messageTtlMs: number;
  readonly type: NonNullable<QueueOptions['type']>;
  messages: StoredMessage[];
}

interface Exchange {
  readonly type: ExchangeType;
  readonly bindings: { readonly queue: string; readonly routingKey: string }[];
  /** Which queues take a routing key, as long as the bindings stay as they are. */
  readonly routes: Map<string, readonly string[]>;
}

/** Of so many routing keys an exchange remembers the queues; beyond it the memory begins anew. */
const REMEMBERED_KEYS = 1_000;

/** What a publication comes to: the broker's word, and how its publisher hears of it. */
export interface Verdict {
  readonly outcome: Outcome;
  /** Undefined: never, while the connection lives on. */
  readonly laterMs: number | undefined;
  /** Its connection breaks in this moment. */
  readonly isCut?: true;
}

/** A confirm that is not to come as usual; `swallow-and-cut`: its connection breaks in that moment. */
type Mishap =
  | { readonly kind: 'swallow' | 'swallow-and-cut' }
  | { readonly kind: 'delay'; readonly byMs: number };

/** What became of a publication. `no-exchange` ends the channel, as AMQP has it (404 NOT_FOUND). */
export type Outcome = 'confirmed' | 'unroutable' | 'refused' | 'no-exchange';

/** An AMQP 0-9-1 broker as far as a publisher and a reader of its queues can tell. */
export class VirtualExchangeBroker {
  readonly #trace: Trace;
  readonly #nowMs: () => number;
  readonly #exchanges = new Map<string, Exchange>();
  readonly #queues = new Map<string, Queue>();
  readonly #connections = new Set<ExchangeConnection>();
  #isDown: boolean = false;
  #isBlocked: boolean = false;
  #refusalsToCome: number = 0;
  #isRefusing: boolean = false;
  readonly #mishaps: { readonly mishap: Mishap; left: number }[] = [];
  readonly #takers: (() => void)[] = [];
  readonly #listeners: ((queue: string, message: StoredMessage) => void)[] = [];

  constructor(trace: Trace, nowMs: () => number) {
    this.#trace = trace;
    this.#nowMs = nowMs;
  }

  /** Fault: it takes nobody in, and drops everybody when it goes down. Queues and messages are durable. */
  setDown(isDown: boolean): void {
    this.#isDown = isDown;
    this.#note(isDown ? 'down' : 'up');
    if (isDown) this.cut();
  }

  /** Fault: all connections break; what was under way is in doubt. */
  cut(): void {
    this.#note('cut');
    for (const connection of [...this.#connections]) connection.sever('connection reset');
  }

  /** Fault: connections are blocked (RabbitMQ's memory or disk alarm): what publishers send waits. */
  setBlocked(isBlocked: boolean): void {
    if (this.#isBlocked === isBlocked) return;
    this.#isBlocked = isBlocked;
    this.#note(isBlocked ? 'blocked' : 'unblocked');
    for (const connection of [...this.#connections]) connection.blocked(isBlocked);
  }

  /** Fault: the next `count` publications are refused (basic.nack). */
  refuseNext(count: number): void {
    this.#refusalsToCome += count;
  }

  /** Fault: every publication is refused (basic.nack) until it is over. */
  setRefusing(isRefusing: boolean): void {
    if (this.#isRefusing !== isRefusing) this.#note(isRefusing ? 'refusing' : 'taking');
    this.#isRefusing = isRefusing;
  }

  /**
   * Fault: the confirms of the next `count` publications never come; the messages are kept. `isCut`: with each its
   * connection breaks, and its publisher knows that it is in doubt. The returned function spares those that are left.
   */
  swallowConfirms(count: number, { isCut = false }: { readonly isCut?: boolean } = {}): () => void {
    return this.#expect(count, { kind: isCut ? 'swallow-and-cut' : 'swallow' });
  }

  /**
   * Fault: the confirms of the next `count` publications come that much later, and others pass them. The returned
   * function spares those that are left.
   */
  delayConfirms(count: number, byMs: number): () => void {
    return this.#expect(count, { kind: 'delay', byMs });
  }

  #expect(count: number, mishap: Mishap): () => void {
    const expected = { mishap, left: count };
    this.#mishaps.push(expected);
    return () => {
      expected.left = 0;
    };
  }

  #nextMishap(): Mishap | undefined {
    while (this.#mishaps[0]?.left === 0) this.#mishaps.shift();
    const [next] = this.#mishaps;
    if (next !== undefined) next.left -= 1;
    return next?.mishap;
  }

  /**
   * Calls `taken` with each publication that the broker has taken over, before its confirm is on its way. The
   * returned function takes that back.
   */
  whenTaken(taken: () => void): () => void {
    this.#takers.push(taken);
    return () => {
      const at = this.#takers.indexOf(taken);
      if (at >= 0) this.#takers.splice(at, 1);
    };
  }

  /** Calls `kept` with each message that comes to lie in a queue from now on. */
  listen(kept: (queue: string, message: StoredMessage) => void): void {
    this.#listeners.push(kept);
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  get isBlocked(): boolean {
    return this.#isBlocked;
  }

  /** Names of all queues, in the order in which they were declared. */
  get queueNames(): readonly string[] {
    return [...this.#queues.keys()];
  }

  /** What lies in a queue, oldest first; nothing where there is no such queue. */
  messages(queue: string): readonly StoredMessage[] {
    const found = this.#queues.get(queue);
    if (found === undefined) return [];
    const fromMs = this.#nowMs() - found.messageTtlMs;
    found.messages = found.messages.filter((message) => message.storedMs > fromMs);
    return [...found.messages];
  }

  /** Takes everything out of a queue, as a consumer that acknowledges it all. */
  drain(queue: string): readonly StoredMessage[] {
    const messages = this.messages(queue);
    const found = this.#queues.get(queue);
    if (found !== undefined) found.messages = [];
    return messages;
  }

  connect(connection: ExchangeConnection): void {
    this.#connections.add(connection);
    if (this.#isBlocked) connection.blocked(this.#isBlocked);
  }

  disconnect(connection: ExchangeConnection): void {
    this.#connections.delete(connection);
  }

  declareExchange(name: string, type: ExchangeType): void {
    const found = this.#exchanges.get(name);
    if (found !== undefined && found.type !== type)
      throw new ExchangeRefused(`PRECONDITION_FAILED - inequivalent arg 'type' for exchange '${name}'`);
    if (found === undefined) this.#exchanges.set(name, { type, bindings: [], routes: new Map() });
  }

  declareQueue(name: string, { messageTtlMs, type = 'classic' }: QueueOptions): void {
    const found = this.#queues.get(name);
    if (found === undefined) this.#queues.set(name, { messageTtlMs, type, messages: [] });
    else if (found.type !== type) throw inequivalent('x-queue-type', name);
    else if (found.messageTtlMs !== messageTtlMs) throw inequivalent('x-message-ttl', name);
  }

  bind(queue: string, exchange: string, routingKey: string): void {
    const { bindings, routes } = this.#pair(queue, exchange);
    const isBound = bindings.some((binding) => binding.queue === queue && binding.routingKey === routingKey);
    if (isBound) return;
    bindings.push({ queue, routingKey });
    routes.clear();
  }

  /** Taking back a binding that is not there does nothing, as RabbitMQ has it. */
  unbind(queue: string, exchange: string, routingKey: string): void {
    const found = this.#exchanges.get(exchange);
    if (found === undefined) return;
    const { bindings, routes } = found;
    const at = bindings.findIndex((binding) => binding.queue === queue && binding.routingKey === routingKey);
    if (at >= 0) bindings.splice(at, 1);
    routes.clear();
  }

  /** Deletes a queue with its bindings; one that is not there is no error. */
  deleteQueue(name: string): void {
    this.#queues.delete(name);
    for (const { bindings, routes } of this.#exchanges.values()) {
      routes.clear();
      for (let at = bindings.length - 1; at >= 0; at--)
        if (bindings[at]?.queue === name) bindings.splice(at, 1);
    }
  }

  /** Routes and keeps a message. */
  publish(message: ExchangeMessage): Verdict {
    if (this.#isRefusing || this.#refusalsToCome > 0) {
      if (!this.#isRefusing) this.#refusalsToCome -= 1;
      return usual(this.#outcome(message, 'refused'));
    }
    const targets = this.#route(message);
    if (targets === undefined) return usual(this.#outcome(message, 'no-exchange'));
    for (const queue of targets) this.#keep(queue, { ...message, storedMs: this.#nowMs() });
    const outcome = this.#outcome(message, targets.length === 0 ? 'unroutable' : 'confirmed');
    for (const taken of [...this.#takers]) taken();
    const mishap = this.#nextMishap();
    if (mishap === undefined) return usual(outcome);
    this.#note(`confirm-${mishap.kind}`);
    if (mishap.kind === 'delay') return { outcome, laterMs: mishap.byMs };
    return { outcome, laterMs: undefined, ...(mishap.kind === 'swallow-and-cut' ? { isCut: true } : {}) };
  }

  #keep(queue: string, message: StoredMessage): void {
    this.#queues.get(queue)?.messages.push(message);
    for (const listener of this.#listeners) listener(queue, message);
  }

  #route({ exchange, routingKey }: ExchangeMessage): readonly string[] | undefined {
    // Every queue is bound to the exchange without a name, by its own name.
    if (exchange === '') return this.#queues.has(routingKey) ? [routingKey] : [];
    const found = this.#exchanges.get(exchange);
    if (found === undefined) return undefined;
    const { type, bindings, routes } = found;
    const known = routes.get(routingKey);
    if (known !== undefined) return known;
    const taking = bindings.filter((binding) => takes(type, binding.routingKey, routingKey));
    const queues = [...new Set(taking.map((binding) => binding.queue))];
    if (routes.size >= REMEMBERED_KEYS) routes.clear();
    routes.set(routingKey, queues);
    return queues;
  }

  #pair(queue: string, exchange: string): Exchange {
    if (!this.#queues.has(queue)) throw new ExchangeRefused(`NOT_FOUND - no queue '${queue}'`);
    const found = this.#exchanges.get(exchange);
    if (found === undefined) throw new ExchangeRefused(`NOT_FOUND - no exchange '${exchange}'`);
    return found;
  }

  #outcome(message: ExchangeMessage, outcome: Outcome): Outcome {
    this.#trace.note({
      who: 'exchange',
      what: outcome,
      detail: `${message.exchange} ${message.routingKey} ${message.messageId}`,
      bytes: message.body,
    });
    return outcome;
  }

  #note(what: string): void {
    this.#trace.note({ who: 'exchange', what });
  }
}

function usual(outcome: Outcome): Verdict {
  return { outcome, laterMs: 0 };
}

function inequivalent(argument: string, queue: string): ExchangeRefused {
  return new ExchangeRefused(`PRECONDITION_FAILED - inequivalent arg '${argument}' for queue '${queue}'`);
}

import type { Trace } from '../trace/trace.ts';
import { type AmqpMessage, type AmqpQueueOptions, AmqpRefused } from './amqp-publisher.ts';
import { type ExchangeType, matchesTopic, topicWords } from './exchange-routing.ts';
import { PublisherFaults } from './publisher-faults.ts';

/** A message in a queue. */
export interface StoredAmqpMessage extends AmqpMessage {
  readonly storedMs: number;
}

/** The broker's view of a connection. */
export interface VirtualAmqpConnection {
  /** Called when the broker severs the connection. */
  sever(reason: string): void;
  blocked(isBlocked: boolean): void;
}

interface VirtualAmqpQueue {
  readonly messageTtlMs: number;
  readonly type: NonNullable<AmqpQueueOptions['type']>;
  messages: StoredAmqpMessage[];
}

interface VirtualAmqpExchange {
  readonly type: ExchangeType;
  readonly bindings: { readonly queue: string; readonly routingKey: string }[];
  /** Cache: the queues that a routing key reaches. Cleared when the bindings change. */
  readonly routes: Map<string, readonly string[]>;
}

/** How many routing keys the cache of an exchange holds; beyond it the cache is cleared. */
const CACHED_KEYS = 1_000;

/** The outcome of a publication, and when its publisher is notified. */
export interface PublishResult {
  readonly outcome: PublishOutcome;
  /** Undefined: never, while the connection is up. */
  readonly delayMs: number | undefined;
  /** The connection is severed now. */
  readonly isCut?: true;
}

/** `no-exchange` closes the channel, as in AMQP (404 NOT_FOUND). */
export type PublishOutcome = 'confirmed' | 'unroutable' | 'refused' | 'no-exchange';

/** An AMQP 0-9-1 broker, as its publishers and the consumers of its queues see it. */
export class VirtualAmqpBroker extends PublisherFaults {
  readonly #trace: Trace;
  readonly #nowMs: () => number;
  readonly #exchanges = new Map<string, VirtualAmqpExchange>();
  readonly #queues = new Map<string, VirtualAmqpQueue>();
  readonly #connections = new Set<VirtualAmqpConnection>();
  readonly #unreachable = new Set<string>();
  #isDown: boolean = false;
  readonly #listeners: ((queue: string, message: StoredAmqpMessage) => void)[] = [];

  constructor(trace: Trace, nowMs: () => number) {
    super();
    this.#trace = trace;
    this.#nowMs = nowMs;
  }

  /**
   * Fault: while down, the broker refuses connections; going down drops all. Queues and messages are durable.
   */
  setDown(isDown: boolean): void {
    this.#isDown = isDown;
    this.#note(isDown ? 'down' : 'up');
    if (!isDown) return;
    this.counts.away += this.#connections.size;
    this.cut();
  }

  /** Fault: severs all connections. Whether requests in flight arrived is unknown to the publishers. */
  cut(): void {
    this.#note('cut');
    for (const connection of [...this.#connections]) connection.sever('connection reset');
  }

  /**
   * Fault: while it is unreachable, a queue is at a node of the broker's cluster that is down. It can be neither declared
   * nor bound nor deleted, and no message reaches it.
   */
  setUnreachable(queue: string, isUnreachable: boolean): void {
    this.#note(isUnreachable ? 'queue-unreachable' : 'queue-reachable');
    if (isUnreachable) this.#unreachable.add(queue);
    else this.#unreachable.delete(queue);
  }

  protected override blockedChanged(isBlocked: boolean): void {
    this.#note(isBlocked ? 'blocked' : 'unblocked');
    for (const connection of [...this.#connections]) connection.blocked(isBlocked);
  }

  protected override refusingChanged(isRefusing: boolean): void {
    this.#note(isRefusing ? 'refusing' : 'taking');
  }

  /** Calls `kept` with each message that is queued from now on. */
  listen(kept: (queue: string, message: StoredAmqpMessage) => void): void {
    this.#listeners.push(kept);
  }

  get isDown(): boolean {
    return this.#isDown;
  }

  /** Names of all queues, in the order in which they were declared. */
  get queueNames(): readonly string[] {
    return [...this.#queues.keys()];
  }

  /** The messages of a queue, oldest first; none if there is no such queue. */
  messages(queue: string): readonly StoredAmqpMessage[] {
    const found = this.#queues.get(queue);
    if (found === undefined) return [];
    const fromMs = this.#nowMs() - found.messageTtlMs;
    found.messages = found.messages.filter((message) => message.storedMs > fromMs);
    return [...found.messages];
  }

  /** Removes and returns all messages of a queue, as a consumer that acknowledges them all. */
  drain(queue: string): readonly StoredAmqpMessage[] {
    const messages = this.messages(queue);
    const found = this.#queues.get(queue);
    if (found !== undefined) found.messages = [];
    return messages;
  }

  connect(connection: VirtualAmqpConnection): void {
    this.#connections.add(connection);
    if (this.isBlocked) connection.blocked(true);
  }

  disconnect(connection: VirtualAmqpConnection): void {
    this.#connections.delete(connection);
  }

  declareExchange(name: string, type: ExchangeType): void {
    const found = this.#exchanges.get(name);
    if (found !== undefined && found.type !== type)
      throw new AmqpRefused(`PRECONDITION_FAILED - inequivalent arg 'type' for exchange '${name}'`);
    if (found === undefined) this.#exchanges.set(name, { type, bindings: [], routes: new Map() });
  }

  declareQueue(name: string, { messageTtlMs, type = 'classic' }: AmqpQueueOptions): void {
    this.#expectReachable(name);
    const found = this.#queues.get(name);
    if (found === undefined) this.#queues.set(name, { messageTtlMs, type, messages: [] });
    else if (found.type !== type) throw inequivalent('x-queue-type', name);
    else if (found.messageTtlMs !== messageTtlMs) throw inequivalent('x-message-ttl', name);
  }

  bind(queue: string, exchange: string, routingKey: string): void {
    this.#expectReachable(queue);
    const { bindings, routes } = this.#exchangeOfBinding(queue, exchange);
    const isBound = bindings.some((binding) => binding.queue === queue && binding.routingKey === routingKey);
    if (isBound) return;
    bindings.push({ queue, routingKey });
    routes.clear();
  }

  /** Removing a binding that does not exist does nothing, as in RabbitMQ. */
  unbind(queue: string, exchange: string, routingKey: string): void {
    const found = this.#exchanges.get(exchange);
    if (found === undefined) return;
    const { bindings, routes } = found;
    const at = bindings.findIndex((binding) => binding.queue === queue && binding.routingKey === routingKey);
    if (at >= 0) bindings.splice(at, 1);
    routes.clear();
  }

  /** Deletes a queue with its bindings. A queue that does not exist is no error. Returns whether there was one. */
  deleteQueue(name: string): boolean {
    this.#expectReachable(name);
    const wasThere = this.#queues.delete(name);
    for (const { bindings, routes } of this.#exchanges.values()) {
      routes.clear();
      for (let at = bindings.length - 1; at >= 0; at--)
        if (bindings[at]?.queue === name) bindings.splice(at, 1);
    }
    return wasThere;
  }

  /** Routes a message and stores it in queues. */
  publish(message: AmqpMessage): PublishResult {
    if (this.isRefused()) return confirmedAtOnce(this.#outcome(message, 'refused'));
    const targets = this.#reachable(this.#route(message));
    if (targets === undefined) return confirmedAtOnce(this.#outcome(message, 'no-exchange'));
    const onTheWay = this.nextPublicationFault();
    if (onTheWay === 'lose' || onTheWay === 'lose-and-cut') {
      this.#note(`publication-${onTheWay}`);
      const lost = { outcome: 'confirmed', delayMs: undefined } as const;
      return onTheWay === 'lose' ? lost : { ...lost, isCut: true };
    }
    for (const queue of targets) this.#store(queue, { ...message, storedMs: this.#nowMs() });
    if (onTheWay === 'double') {
      this.#note('publication-double');
      for (const queue of targets) this.#store(queue, { ...message, storedMs: this.#nowMs() });
    }
    const outcome = this.#outcome(message, targets.length === 0 ? 'unroutable' : 'confirmed');
    this.taken();
    const fault = this.nextFault();
    if (fault === undefined) return confirmedAtOnce(outcome);
    this.#note(`confirm-${fault.kind}`);
    if (fault.kind === 'delay') return { outcome, delayMs: fault.byMs };
    return { outcome, delayMs: undefined, ...(fault.kind === 'swallow-and-cut' ? { isCut: true } : {}) };
  }

  #store(queue: string, message: StoredAmqpMessage): void {
    this.#queues.get(queue)?.messages.push(message);
    for (const listener of this.#listeners) listener(queue, message);
  }

  #route({ exchange, routingKey }: AmqpMessage): readonly string[] | undefined {
    // The default exchange: every queue is bound to it by its own name.
    if (exchange === '') return this.#queues.has(routingKey) ? [routingKey] : [];
    const found = this.#exchanges.get(exchange);
    if (found === undefined) return undefined;
    const { type, bindings, routes } = found;
    const known = routes.get(routingKey);
    if (known !== undefined) return known;
    const taking = bindings.filter((binding) => matchesBinding(type, binding.routingKey, routingKey));
    const queues = [...new Set(taking.map((binding) => binding.queue))];
    if (routes.size >= CACHED_KEYS) routes.clear();
    routes.set(routingKey, queues);
    return queues;
  }

  #reachable(queues: readonly string[] | undefined): readonly string[] | undefined {
    return this.#unreachable.size === 0 ? queues : queues?.filter((queue) => !this.#unreachable.has(queue));
  }

  /** In RabbitMQ's words. */
  #expectReachable(queue: string): void {
    if (!this.#unreachable.has(queue)) return;
    throw new AmqpRefused(
      `NOT_FOUND - home node 'rabbit@away' of durable queue '${queue}' in vhost '/' is down or inaccessible`,
    );
  }

  #exchangeOfBinding(queue: string, exchange: string): VirtualAmqpExchange {
    if (!this.#queues.has(queue)) throw new AmqpRefused(`NOT_FOUND - no queue '${queue}'`);
    const found = this.#exchanges.get(exchange);
    if (found === undefined) throw new AmqpRefused(`NOT_FOUND - no exchange '${exchange}'`);
    return found;
  }

  #outcome(message: AmqpMessage, outcome: PublishOutcome): PublishOutcome {
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

/** Whether a binding with `bindingKey` takes a message with `routingKey`. */
function matchesBinding(type: ExchangeType, bindingKey: string, routingKey: string): boolean {
  switch (type) {
    case 'direct':
      return bindingKey === routingKey;
    case 'topic':
      return matchesTopic(topicWords(bindingKey), topicWords(routingKey));
    case 'fanout':
    case 'headers':
      // This port binds without arguments, and a headers binding without conditions matches every message.
      return true;
    default:
      return type satisfies never;
  }
}

function confirmedAtOnce(outcome: PublishOutcome): PublishResult {
  return { outcome, delayMs: 0 };
}

function inequivalent(argument: string, queue: string): AmqpRefused {
  return new AmqpRefused(`PRECONDITION_FAILED - inequivalent arg '${argument}' for queue '${queue}'`);
}

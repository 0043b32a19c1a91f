import { forget, isKept, pump } from './message-flow.ts';
import { bindingKey } from './routing.ts';
import { enter, methodFrame, write } from './sending.ts';
import type { Binding, BrokerState, Consumer, ExchangeState, QueueState } from './state.ts';

/** Adds a binding, unless it is there. */
export function addBinding(state: BrokerState, source: ExchangeState, binding: Binding): void {
  const key = bindingKey(binding);
  if (source.bindings.has(key)) return;
  source.bindings.set(key, binding);
  state.bindingCount++;
  if (isDurable(state, source, binding)) enter(state, { kind: 'put-binding', binding, key });
}

/** Removes a binding, and an exchange that lives only while something is bound to it. */
export function removeBinding(state: BrokerState, source: ExchangeState, key: string): void {
  const binding = source.bindings.get(key);
  if (binding === undefined) return;
  source.bindings.delete(key);
  state.bindingCount--;
  if (isDurable(state, source, binding)) enter(state, { kind: 'drop-binding', key });
  if (source.autoDelete && source.bindings.size === 0) removeExchange(state, source);
}

/** A binding outlives a restart where both its ends do. */
function isDurable(state: BrokerState, source: ExchangeState, { destination }: Binding): boolean {
  const { kind, name } = destination;
  const queue = state.queues.get(name);
  const isEndDurable =
    kind === 'queue' ? queue !== undefined && isKept(queue) : state.exchanges.get(name)?.durable === true;
  return source.durable && isEndDurable;
}

function removeBindingsTo(state: BrokerState, kind: 'queue' | 'exchange', name: string): void {
  for (const exchange of [...state.exchanges.values()]) {
    for (const [key, { destination }] of [...exchange.bindings]) {
      if (destination.kind === kind && destination.name === name) removeBinding(state, exchange, key);
    }
  }
}

/** Removes an exchange and all bindings from and to it. */
export function removeExchange(state: BrokerState, exchange: ExchangeState): void {
  if (!state.exchanges.has(exchange.name)) return;
  for (const key of [...exchange.bindings.keys()]) {
    const binding = exchange.bindings.get(key);
    if (binding !== undefined && isDurable(state, exchange, binding))
      enter(state, { kind: 'drop-binding', key });
    exchange.bindings.delete(key);
    state.bindingCount--;
  }
  removeBindingsTo(state, 'exchange', exchange.name);
  state.exchanges.delete(exchange.name);
  if (exchange.durable) enter(state, { kind: 'drop-exchange', name: exchange.name });
}

/** Removes a queue with its messages, bindings and consumers. Returns how many messages were ready. */
export function removeQueue(state: BrokerState, queue: QueueState): number {
  if (queue.isDeleted) return 0;
  // First the bindings: whether one is on disk depends on its queue.
  removeBindingsTo(state, 'queue', queue.name);
  queue.isDeleted = true;
  state.queues.delete(queue.name);
  const count = purge(state, queue);
  if (isKept(queue)) enter(state, { kind: 'drop-queue', name: queue.name });
  for (const consumer of queue.consumers) {
    const { connection, channel, tag } = consumer;
    channel.consumers.delete(tag);
    if (!connection.capabilities.cancels || channel.isClosing) continue;
    write(state, connection, methodFrame(channel.number, 'basic.cancel', { consumerTag: tag, noWait: true }));
  }
  queue.consumers = [];
  return count;
}

/** Forgets all that is ready. Returns how many messages that were. */
export function purge(state: BrokerState, queue: QueueState): number {
  const entries = queue.ready.clear();
  for (const entry of entries) forget(state, entry);
  queue.readyBytes = 0;
  return entries.length;
}

/** Takes a consumer from its queue; a queue that deletes itself goes with its last one. */
export function removeConsumer(state: BrokerState, consumer: Consumer): void {
  const { queue, channel, tag } = consumer;
  channel.consumers.delete(tag);
  queue.consumers = queue.consumers.filter((each) => each !== consumer);
  queue.usedAtMs = state.nowMs;
  if (queue.autoDelete && queue.consumers.length === 0) removeQueue(state, queue);
  else pump(state, queue);
}

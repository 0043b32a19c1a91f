import { deliverReady, isDurableQueue, releaseEntry } from './message-flow.ts';
import { bindingKey } from './routing.ts';
import { addToJournal, methodFrame, writeBytes } from './sending.ts';
import type { Binding, BrokerState, ExchangeState, QueueConsumer, QueueState } from './state.ts';

/** A binding to be added. */
export type NewBinding = Omit<Binding, 'storedAt'>;

/** Adds a binding unless it exists; returns the number of records with which it is on disk. */
export function addBinding(state: BrokerState, source: ExchangeState, binding: NewBinding): number {
  const key = bindingKey(binding);
  const isKept = isDurableBinding(state, source, binding);
  const storedAt = isKept ? addToJournal(state, { kind: 'put-binding', binding, key }) : 0;
  source.bindings.set(key, { ...binding, storedAt });
  state.bindingCount++;
  return storedAt;
}

/** Removes a binding, and with the last one an exchange that is auto-delete. */
export function removeBinding(state: BrokerState, source: ExchangeState, key: string): void {
  const binding = source.bindings.get(key);
  if (binding === undefined) return;
  source.bindings.delete(key);
  state.bindingCount--;
  if (isDurableBinding(state, source, binding))
    state.removedAt = addToJournal(state, { kind: 'drop-binding', key });
  if (source.autoDelete && source.bindings.size === 0) removeExchange(state, source);
}

/** A binding is durable if both its ends are. */
export function isDurableBinding(
  state: BrokerState,
  source: ExchangeState,
  { destination }: Pick<Binding, 'destination'>,
): boolean {
  const { kind, name } = destination;
  const queue = state.queues.get(name);
  const isEndDurable =
    kind === 'queue'
      ? queue !== undefined && isDurableQueue(queue)
      : state.exchanges.get(name)?.durable === true;
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
    if (binding !== undefined && isDurableBinding(state, exchange, binding))
      state.removedAt = addToJournal(state, { kind: 'drop-binding', key });
    exchange.bindings.delete(key);
    state.bindingCount--;
  }
  removeBindingsTo(state, 'exchange', exchange.name);
  state.exchanges.delete(exchange.name);
  if (exchange.durable) state.removedAt = addToJournal(state, { kind: 'drop-exchange', name: exchange.name });
}

/** Removes a queue with its messages, bindings and consumers. Returns how many messages were ready. */
export function removeQueue(state: BrokerState, queue: QueueState): number {
  if (queue.isDeleted) return 0;
  // First the bindings: whether one is on disk depends on its queue.
  removeBindingsTo(state, 'queue', queue.name);
  queue.isDeleted = true;
  state.queues.delete(queue.name);
  const count = purge(state, queue);
  if (isDurableQueue(queue)) state.removedAt = addToJournal(state, { kind: 'drop-queue', name: queue.name });
  for (const consumer of queue.consumers) {
    const { connection, channel, tag } = consumer;
    channel.consumers.delete(tag);
    if (!connection.capabilities.cancels || channel.isClosing) continue;
    writeBytes(
      state,
      connection,
      methodFrame(channel.number, 'basic.cancel', { consumerTag: tag, noWait: true }),
    );
  }
  queue.consumers = [];
  return count;
}

/** Removes all ready messages. Returns their number. */
export function purge(state: BrokerState, queue: QueueState): number {
  const entries = queue.ready.clear();
  for (const entry of entries) releaseEntry(state, entry);
  queue.readyBytes = 0;
  if (entries.some(({ isStored }) => isStored)) state.removedAt = state.journalCount;
  return entries.length;
}

/** Removes a consumer from its queue; an auto-delete queue is removed with its last consumer. */
export function removeConsumer(state: BrokerState, consumer: QueueConsumer): void {
  const { queue, channel, tag } = consumer;
  channel.consumers.delete(tag);
  queue.consumers = queue.consumers.filter((each) => each !== consumer);
  queue.usedAtMs = state.nowMs;
  if (queue.autoDelete && queue.consumers.length === 0) removeQueue(state, queue);
  else deliverReady(state, queue);
}

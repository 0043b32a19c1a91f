import { isFault } from '../channel-context.ts';
import { textOf } from '../codec/fields.ts';
import { fromStored } from '../further-keys.ts';
import { retainMessage } from '../message-flow.ts';
import { queueRules } from '../queue-rules.ts';
import { ReadyQueue } from '../ready-queue.ts';
import type { BrokerState } from '../state.ts';
import type { StoredBroker } from './message-store.ts';

/**
 * Fills a new broker with the stored data. It is unknown which messages were delivered before, so all count
 * as redelivered. Messages of a queue that is not stored are skipped; our own files contain none.
 */
export function restore(state: BrokerState, stored: StoredBroker): void {
  for (const { name, type, autoDelete, internal, args } of stored.exchanges) {
    const alternate = textOf(args.get('alternate-exchange'));
    const bindings = new Map();
    state.exchanges.set(name, {
      name,
      type,
      autoDelete,
      internal,
      args,
      alternate,
      bindings,
      durable: true,
      storedAt: 0,
    });
  }
  for (const { name, autoDelete, args } of stored.queues) {
    const rules = queueRules(name, args);
    if (isFault(rules)) continue;
    state.queues.set(name, {
      name,
      autoDelete,
      args,
      rules,
      durable: true,
      owner: undefined,
      ready: new ReadyQueue(),
      readyBytes: 0,
      consumers: [],
      usedAtMs: state.nowMs,
      isDeleted: false,
      storedAt: 0,
    });
  }
  for (const { key, binding } of stored.bindings) {
    const source = state.exchanges.get(binding.source);
    if (source === undefined) continue;
    source.bindings.set(key, { ...binding, storedAt: 0 });
    state.bindingCount++;
  }
  for (const {
    position,
    queue: name,
    exchange,
    routingKey,
    properties,
    body,
    expiresAtMs,
  } of stored.messages) {
    state.nextPosition = Math.max(state.nextPosition, position + 1);
    const queue = state.queues.get(name);
    if (queue === undefined) continue;
    const content = fromStored(properties);
    const message = { exchange, routingKey, ...content, body, isPersistent: true, holders: 0 };
    retainMessage(state, message);
    queue.ready.push({
      position,
      message,
      redelivered: true,
      returns: 0,
      isStored: true,
      expiresAtMs: expiresAtMs ?? undefined,
    });
    queue.readyBytes += body.length;
  }
}

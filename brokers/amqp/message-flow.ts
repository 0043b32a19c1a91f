import { deadLettered } from './dead-letter.ts';
import { limits } from './limits.ts';
import { decodeProperties } from './properties.ts';
import { route } from './routing.ts';
import { enter, sendMessage } from './sending.ts';
import type { BrokerState, Consumer, Entry, Message, QueueState } from './state.ts';

/** Puts a message into a queue, hands it to a consumer where one has room, and keeps to the queue's bounds. */
export function enqueue(
  state: BrokerState,
  queue: QueueState,
  message: Message,
  expirationMs: number | undefined,
  depth = 0,
): void {
  const ttlMs = lower(queue.rules.ttlMs, expirationMs);
  const entry: Entry = {
    position: state.nextPosition++,
    message,
    expiresAtMs: ttlMs === undefined ? undefined : state.nowMs + ttlMs,
    redelivered: false,
    isStored: message.isPersistent && isKept(queue),
  };
  hold(state, message);
  queue.ready.push(entry);
  queue.readyBytes += message.body.length;
  if (entry.isStored) enter(state, { kind: 'put-message', queue: queue.name, entry });
  pump(state, queue, depth);
  dropBeyondLength(state, queue, depth);
}

/** Its definition and its messages are on disk. */
export function isKept(queue: Pick<QueueState, 'durable' | 'owner'>): boolean {
  return queue.durable && queue.owner === undefined;
}

function lower(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : other === undefined ? one : Math.min(one, other);
}

export function costOf({ body, properties }: Message): number {
  return body.length + properties.length + limits.messageOverheadBytes;
}

/** A queue holds the message. Its bytes are counted once, however many queues hold it. */
export function hold(state: BrokerState, message: Message): void {
  if (message.holders === 0) state.messageBytes += costOf(message);
  message.holders++;
}

/** An entry is gone for good: acknowledged, purged, expired. */
export function forget(state: BrokerState, entry: Entry): void {
  entry.message.holders--;
  if (entry.message.holders === 0) state.messageBytes -= costOf(entry.message);
  if (entry.isStored) enter(state, { kind: 'drop-message', position: entry.position });
}

/** Whether one more message keeps to the length of a queue; only for those that refuse rather than drop. */
export function hasRoom(queue: QueueState, bodyBytes: number): boolean {
  const { overflow, maxLength, maxBytes } = queue.rules;
  if (overflow === 'drop-head') return true;
  if (maxLength !== undefined && queue.ready.length >= maxLength) return false;
  return maxBytes === undefined || queue.readyBytes + bodyBytes <= maxBytes;
}

function dropBeyondLength(state: BrokerState, queue: QueueState, depth: number): void {
  const { overflow, maxLength = Infinity, maxBytes = Infinity } = queue.rules;
  if (overflow !== 'drop-head') return;
  while (queue.ready.length > maxLength || queue.readyBytes > maxBytes) {
    const entry = takeFirst(queue);
    if (entry === undefined) return;
    bury(state, queue, entry, 'maxlen', depth);
  }
}

/** Takes the oldest entry out of a queue, without looking at its age. */
function takeFirst(queue: QueueState): Entry | undefined {
  const entry = queue.ready.shift();
  if (entry !== undefined) queue.readyBytes -= entry.message.body.length;
  return entry;
}

/** Takes the oldest entry that is not too old out of a queue. */
export function takeReady(state: BrokerState, queue: QueueState, depth = 0): Entry | undefined {
  expire(state, queue, depth);
  return takeFirst(queue);
}

/** Buries what is too old, from the head as far as the first that is not: as RabbitMQ does. */
export function expire(state: BrokerState, queue: QueueState, depth = 0): void {
  for (let first = queue.ready.first(); first !== undefined; first = queue.ready.first()) {
    if (first.expiresAtMs === undefined || first.expiresAtMs > state.nowMs) return;
    const entry = takeFirst(queue);
    if (entry !== undefined) bury(state, queue, entry, 'expired', depth);
  }
}

/** Sends a message that a queue gives up to the queue's dead letter exchange, and forgets it here. */
export function bury(
  state: BrokerState,
  queue: QueueState,
  entry: Entry,
  reason: 'expired' | 'maxlen' | 'rejected',
  depth = 0,
): void {
  const { deadLetterExchange } = queue.rules;
  const exchange = deadLetterExchange === undefined ? undefined : state.exchanges.get(deadLetterExchange);
  if (exchange !== undefined && depth < limits.deadLetterDepth) {
    const dead = deadLettered(entry.message, queue, reason, state.nowMs);
    const properties = decodeProperties(dead.message.properties);
    const headers = 'malformed' in properties ? undefined : properties.headers;
    for (const target of route(state, exchange, [dead.message.routingKey], headers)) {
      if (dead.cycleQueues.has(target.name)) continue;
      if (hasRoom(target, dead.message.body.length))
        enqueue(state, target, dead.message, undefined, depth + 1);
    }
  }
  forget(state, entry);
}

/** Puts an entry back to its place. */
export function requeue(queue: QueueState, entry: Entry): void {
  entry.redelivered = true;
  queue.ready.putBack(entry);
  queue.readyBytes += entry.message.body.length;
}

/** Hands out what is ready to the consumers that have room, in turn. */
export function pump(state: BrokerState, queue: QueueState, depth = 0): void {
  while (queue.ready.length > 0) {
    const consumer = nextConsumer(queue);
    if (consumer === undefined) {
      expire(state, queue, depth);
      return;
    }
    const entry = takeReady(state, queue, depth);
    if (entry === undefined) return;
    deliver(state, consumer, entry);
  }
}

function nextConsumer(queue: QueueState): Consumer | undefined {
  if (queue.rules.singleActive) {
    const first = queue.consumers[0];
    return first !== undefined && isFree(first) ? first : undefined;
  }
  const at = queue.consumers.findIndex(isFree);
  const consumer = queue.consumers[at];
  // Whoever was served goes behind the others.
  if (consumer !== undefined && queue.consumers.length > 1) {
    queue.consumers.splice(at, 1);
    queue.consumers.push(consumer);
  }
  return consumer;
}

function isFree({ connection, channel, noAck, prefetch, unacknowledged }: Consumer): boolean {
  if (connection.outstandingBytes >= limits.outstandingBytes || channel.isClosing) return false;
  if (connection.phase !== 'running') return false;
  if (noAck) return true;
  if (channel.unacknowledged.size >= limits.unacknowledgedPerChannel) return false;
  if (prefetch > 0 && unacknowledged >= prefetch) return false;
  return channel.channelPrefetch === 0 || channel.consumerUnacknowledged < channel.channelPrefetch;
}

function deliver(state: BrokerState, consumer: Consumer, entry: Entry): void {
  const { channel, connection, queue } = consumer;
  const deliveryTag = channel.nextDeliveryTag++;
  const { exchange, routingKey } = entry.message;
  sendMessage(
    state,
    connection,
    channel,
    'basic.deliver',
    {
      consumerTag: consumer.tag,
      deliveryTag: BigInt(deliveryTag),
      redelivered: entry.redelivered,
      exchange,
      routingKey,
    },
    entry.message,
  );
  if (consumer.noAck) {
    forget(state, entry);
    return;
  }
  channel.unacknowledged.set(deliveryTag, { entry, queue, consumer });
  channel.consumerUnacknowledged++;
  consumer.unacknowledged++;
}

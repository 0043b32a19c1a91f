import { limits } from '../limits.ts';
import { decodeProperties, encodeProperties } from './codec/properties.ts';
import { type DeathReason, deadLettered } from './dead-letter.ts';
import { routingKeysOf } from './further-keys.ts';
import { route } from './routing.ts';
import { addToJournal, sendMessage } from './sending.ts';
import type { BrokerMessage, BrokerState, QueueConsumer, QueueEntry, QueueState } from './state.ts';

/** Adds a message to a queue, delivers it if a consumer has room, and enforces the queue's limits. */
export function enqueue(
  state: BrokerState,
  queue: QueueState,
  message: BrokerMessage,
  expirationMs: number | undefined,
  depth = 0,
): void {
  const ttlMs = lowerOf(queue.rules.ttlMs, expirationMs);
  const entry: QueueEntry = {
    position: state.nextPosition++,
    message,
    expiresAtMs: ttlMs === undefined ? undefined : state.nowMs + ttlMs,
    redelivered: false,
    returns: 0,
    isStored: isStoredIn(queue, message),
  };
  retainMessage(state, message);
  if (entry.isStored) addToJournal(state, { kind: 'put-message', queue: queue.name, entry });
  const consumer = queue.ready.length === 0 ? nextConsumer(queue) : undefined;
  // As in RabbitMQ, a message for which a consumer has room at once cannot expire before.
  if (consumer !== undefined) {
    deliver(state, consumer, entry);
    return;
  }
  queue.ready.push(entry);
  queue.readyBytes += message.body.length;
  deliverReady(state, queue, depth);
}

/** Its definition and its messages are on disk. */
export function isDurableQueue(queue: Pick<QueueState, 'durable' | 'owner'>): boolean {
  return queue.durable && queue.owner === undefined;
}

/** Whether the message is on disk as long as this queue has it. */
export function isStoredIn(queue: QueueState, { isPersistent }: BrokerMessage): boolean {
  return (isPersistent || queue.rules.isQuorum) && isDurableQueue(queue);
}

function lowerOf(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : other === undefined ? one : Math.min(one, other);
}

export function costOf({ body, properties }: BrokerMessage): number {
  return body.length + properties.length + limits.amqp.messageOverheadBytes;
}

/** Counts a queue that holds the message. Its bytes count once, however many queues hold it. */
export function retainMessage(state: BrokerState, message: BrokerMessage): void {
  if (message.holders === 0) state.messageBytes += costOf(message);
  message.holders++;
}

/** Removes an entry permanently: acknowledged, purged, expired. */
export function releaseEntry(state: BrokerState, entry: QueueEntry): void {
  entry.message.holders--;
  if (entry.message.holders === 0) state.messageBytes -= costOf(entry.message);
  if (entry.isStored) addToJournal(state, { kind: 'drop-message', position: entry.position });
}

/**
 * Whether one more message is within the length limit of a queue; only for queues that refuse instead of
 * dropping.
 */
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
    deadLetter(state, queue, entry, 'maxlen', depth);
  }
}

/** Removes the oldest entry of a queue, without checking its age. */
function takeFirst(queue: QueueState): QueueEntry | undefined {
  const entry = queue.ready.shift();
  if (entry !== undefined) queue.readyBytes -= entry.message.body.length;
  return entry;
}

/** Removes the oldest entry of a queue that has not expired. */
export function takeReady(state: BrokerState, queue: QueueState, depth = 0): QueueEntry | undefined {
  expire(state, queue, depth);
  return takeFirst(queue);
}

/** Dead-letters expired entries from the head up to the first one that is not expired, as RabbitMQ does. */
export function expire(state: BrokerState, queue: QueueState, depth = 0): void {
  for (let first = queue.ready.first(); first !== undefined; first = queue.ready.first()) {
    if (first.expiresAtMs === undefined || first.expiresAtMs > state.nowMs) return;
    const entry = takeFirst(queue);
    if (entry !== undefined) deadLetter(state, queue, entry, 'expired', depth);
  }
}

/** Publishes a message that a queue drops to the queue's dead letter exchange, and removes it here. */
export function deadLetter(
  state: BrokerState,
  queue: QueueState,
  entry: QueueEntry,
  reason: DeathReason,
  depth = 0,
): void {
  publishDeadLetter(state, queue, entry.message, reason, depth);
  releaseEntry(state, entry);
}

function publishDeadLetter(
  state: BrokerState,
  queue: QueueState,
  message: BrokerMessage,
  reason: DeathReason,
  depth: number,
): void {
  const { deadLetterExchange } = queue.rules;
  const exchange = deadLetterExchange === undefined ? undefined : state.exchanges.get(deadLetterExchange);
  if (exchange === undefined || depth >= limits.amqp.deadLetterDepth) return;
  const dead = deadLettered(message, queue, reason, state.nowMs);
  const properties = decodeProperties(dead.message.properties);
  const headers = 'malformed' in properties ? undefined : properties.headers;
  const keys = routingKeysOf(dead.message.routingKey, headers, dead.message.hiddenKeys);
  for (const target of route(state, exchange, [...new Set(keys)], headers)) {
    if (dead.cycleQueues.has(target.name)) continue;
    if (hasRoom(target, dead.message.body.length)) enqueue(state, target, dead.message, undefined, depth + 1);
    else refuse(state, target, dead.message, depth + 1);
  }
}

/** A message for which a queue has no room is a dead letter, where the queue says so; it is refused in any case. */
export function refuse(state: BrokerState, queue: QueueState, message: BrokerMessage, depth = 0): void {
  if (queue.rules.overflow === 'reject-publish-dlx')
    publishDeadLetter(state, queue, message, 'maxlen', depth);
}

/** Puts an entry back to its position, or dead-letters it where it has come back too often. */
export function requeue(state: BrokerState, queue: QueueState, entry: QueueEntry): void {
  entry.redelivered = true;
  entry.returns++;
  const { deliveryLimit } = queue.rules;
  if (deliveryLimit !== undefined && entry.returns > deliveryLimit) {
    deadLetter(state, queue, entry, 'delivery_limit');
    return;
  }
  queue.ready.putBack(entry);
  queue.readyBytes += entry.message.body.length;
}

/**
 * Enforces the length of a queue, then the age of its messages, and delivers what is left to the consumers that have room,
 * in turn: RabbitMQ's order.
 */
export function deliverReady(state: BrokerState, queue: QueueState, depth = 0): void {
  dropBeyondLength(state, queue, depth);
  admitBlocked(queue);
  for (expire(state, queue, depth); queue.ready.length > 0; expire(state, queue, depth)) {
    const consumer = nextConsumer(queue);
    const entry = consumer === undefined ? undefined : takeFirst(queue);
    if (consumer === undefined || entry === undefined) return;
    deliver(state, consumer, entry);
  }
}

function nextConsumer(queue: QueueState): QueueConsumer | undefined {
  if (queue.rules.singleActive) {
    const first = queue.consumers[0];
    return first !== undefined && canTake(first) ? first : undefined;
  }
  admitBlocked(queue);
  // Round-robin: the consumer that is served moves to the end. As in RabbitMQ, so does one that has no room, and it is
  // asked again once it has.
  for (let at = nextAsked(queue); at >= 0; at = nextAsked(queue)) {
    const [consumer] = queue.consumers.splice(at, 1);
    if (consumer === undefined) return undefined;
    queue.consumers.push(consumer);
    if (canTake(consumer)) return consumer;
    consumer.isBlocked = true;
  }
  return undefined;
}

const nextAsked = ({ consumers }: QueueState) => consumers.findIndex(({ isBlocked }) => !isBlocked);

/** Consumers that have room again come after all others. */
function admitBlocked(queue: QueueState): void {
  const admitted = queue.consumers.filter((each) => each.isBlocked && canTake(each));
  if (admitted.length === 0) return;
  for (const each of admitted) each.isBlocked = false;
  queue.consumers = [...queue.consumers.filter((each) => !admitted.includes(each)), ...admitted];
}

function canTake({ connection, channel, noAck, prefetch, unacknowledged }: QueueConsumer): boolean {
  if (connection.outstandingBytes >= limits.amqp.outstandingBytes || channel.isClosing) return false;
  if (connection.phase !== 'running') return false;
  if (channel.channelPrefetch > 0 && channel.consumerUnacknowledged >= channel.channelPrefetch) return false;
  if (noAck) return true;
  if (channel.unacknowledged.size >= limits.amqp.unacknowledgedPerChannel) return false;
  return prefetch === 0 || unacknowledged < prefetch;
}

/**
 * An entry as a client receives it: a quorum queue says how often it was delivered before. As in RabbitMQ, basic.get
 * says so the first time too.
 */
export function withDeliveryCount(
  { rules }: QueueState,
  { message, returns }: QueueEntry,
): Pick<BrokerMessage, 'properties' | 'body'> {
  if (!rules.isQuorum) return message;
  const properties = decodeProperties(message.properties);
  if ('malformed' in properties) return message;
  const headers = new Map(properties.headers);
  headers.set('x-delivery-count', { type: 'l', value: BigInt(returns) });
  return { properties: encodeProperties({ ...properties, headers }), body: message.body };
}

function deliver(state: BrokerState, consumer: QueueConsumer, entry: QueueEntry): void {
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
    entry.returns === 0 ? entry.message : withDeliveryCount(queue, entry),
  );
  if (consumer.noAck) {
    releaseEntry(state, entry);
    return;
  }
  channel.unacknowledged.set(deliveryTag, { entry, queue, consumer });
  channel.consumerUnacknowledged++;
  consumer.unacknowledged++;
}

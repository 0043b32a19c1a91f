import { findQueue, type Handler, isFault, nameOf, reply } from './channel-context.ts';
import { consumeReplies, endReplies, isReplyQueue } from './direct-reply.ts';
import { type Fault, fault, queueIn } from './faults.ts';
import { type Table, TYPE_NAMES, wholeOf } from './fields.ts';
import { limits } from './limits.ts';
import { forget, pump, takeReady } from './message-flow.ts';
import { misplacedArgument } from './queue-rules.ts';
import { sendMessage } from './sending.ts';
import type { Consumer, QueueState } from './state.ts';
import { removeConsumer } from './topology.ts';

export const qos: Handler<'basic.qos'> = (place, { prefetchSize, prefetchCount, global }) => {
  const { state, channel } = place;
  if (prefetchSize !== 0) return fault(540, `prefetch_size!=0 (${prefetchSize})`);
  if (global) channel.channelPrefetch = prefetchCount;
  else channel.prefetch = prefetchCount;
  reply(place, true, 'basic.qos-ok', {});
  for (const { queue } of channel.consumers.values()) pump(state, queue);
  return undefined;
};

export const consume: Handler<'basic.consume'> = (place, args) => {
  const { state, connection, channel } = place;
  if (isReplyQueue(nameOf(place, args.queue))) return consumeReplies(place, args);
  const queue = findQueue(place, args.queue, 'read');
  if (isFault(queue)) return queue;
  const tag = args.consumerTag === '' ? `amq.ctag-${state.services.mintName()}` : args.consumerTag;
  if (channel.consumers.has(tag)) return fault(530, `attempt to reuse consumer tag '${tag}'`);
  const unfit = unfitArgument(queue, args.arguments);
  if (unfit !== undefined) return unfit;
  const isTaken = queue.consumers.some((each) => each.exclusive);
  const isShared = queue.consumers.length > 0 || queue.rules.singleActive;
  if (isTaken || (args.exclusive && isShared)) return fault(403, `${queueIn(queue.name)} in exclusive use`);
  if (channel.consumers.size >= limits.consumersPerChannel)
    return fault(406, `a channel may have ${limits.consumersPerChannel} consumers`);
  const consumer: Consumer = {
    ...{ tag, queue, connection, channel, noAck: args.noAck, exclusive: args.exclusive },
    prefetch: channel.prefetch,
    unacknowledged: 0,
  };
  channel.consumers.set(tag, consumer);
  queue.consumers.push(consumer);
  reply(place, !args.noWait, 'basic.consume-ok', { consumerTag: tag });
  pump(state, queue);
  return undefined;
};

/** Why arguments of a consumer are no good, as RabbitMQ says it. */
function unfitArgument({ name, args: queueArgs }: QueueState, args: Table): Fault | undefined {
  const misplaced = misplacedArgument(name, queueArgs, args);
  if (misplaced !== undefined) return misplaced;
  const [priority, cancel] = [args.get('x-priority'), args.get('x-cancel-on-ha-failover')];
  if (priority !== undefined && wholeOf(priority) === undefined)
    return fault(
      406,
      `invalid arg 'x-priority' for ${queueIn(name)}: "expected integer, got ${TYPE_NAMES[priority.type]}"`,
    );
  return cancel === undefined || cancel.type === 't'
    ? undefined
    : fault(
        406,
        `invalid arg 'x-cancel-on-ha-failover' for ${queueIn(name)}: {unacceptable_type,${TYPE_NAMES[cancel.type]}}`,
      );
}

export const cancel: Handler<'basic.cancel'> = (place, { consumerTag, noWait }) => {
  const consumer = place.channel.consumers.get(consumerTag);
  if (place.channel.replyConsumer?.tag === consumerTag) endReplies(place.state, place.channel);
  else if (consumer !== undefined) removeConsumer(place.state, consumer);
  return reply(place, !noWait, 'basic.cancel-ok', { consumerTag });
};

export const get: Handler<'basic.get'> = (place, args) => {
  const { state, connection, channel } = place;
  const queue = findQueue(place, args.queue, 'read');
  if (isFault(queue)) return queue;
  if (channel.unacknowledged.size >= limits.unacknowledgedPerChannel)
    return fault(406, `a channel may have ${limits.unacknowledgedPerChannel} messages unacknowledged`);
  queue.usedAtMs = state.nowMs;
  const entry = takeReady(state, queue);
  if (entry === undefined) return reply(place, true, 'basic.get-empty', { reserved1: '' });
  const deliveryTag = channel.nextDeliveryTag++;
  const said = {
    deliveryTag: BigInt(deliveryTag),
    redelivered: entry.redelivered,
    exchange: entry.message.exchange,
    routingKey: entry.message.routingKey,
    messageCount: queue.ready.length,
  };
  sendMessage(state, connection, channel, 'basic.get-ok', said, entry.message);
  if (args.noAck) forget(state, entry);
  else channel.unacknowledged.set(deliveryTag, { entry, queue, consumer: undefined });
  return undefined;
};

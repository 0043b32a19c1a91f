import { limits } from '../limits.ts';
import { findQueue, isFault, type MethodHandler, queueNameOf, reply } from './channel-context.ts';
import { type AmqpTable, integerOf, TYPE_NAMES } from './codec/fields.ts';
import { consumeReplies, endReplies, isReplyQueue } from './direct-reply.ts';
import { type AmqpFault, describeQueue, fault } from './faults.ts';
import { deliverReady, expire, releaseEntry, takeReady, withDeliveryCount } from './message-flow.ts';
import { misplacedArgument } from './queue-rules.ts';
import { sendMessage } from './sending.ts';
import type { QueueConsumer, QueueState } from './state.ts';
import { removeConsumer } from './topology.ts';

export const qos: MethodHandler<'basic.qos'> = (context, { prefetchSize, prefetchCount, global }) => {
  const { state, channel } = context;
  if (prefetchSize !== 0) return fault(540, `prefetch_size!=0 (${prefetchSize})`);
  // As in RabbitMQ 3.10, a prefetch for later consumers ends one for the whole channel.
  channel.channelPrefetch = global ? prefetchCount : 0;
  if (!global) channel.prefetch = prefetchCount;
  reply(context, true, 'basic.qos-ok', {});
  for (const { queue } of channel.consumers.values()) deliverReady(state, queue);
  return undefined;
};

export const consume: MethodHandler<'basic.consume'> = (context, args) => {
  const { state, connection, channel } = context;
  if (isReplyQueue(queueNameOf(context, args.queue))) return consumeReplies(context, args);
  const tag = args.consumerTag === '' ? `amq.ctag-${state.services.makeName()}` : args.consumerTag;
  if (channel.consumers.has(tag)) return fault(530, `attempt to reuse consumer tag '${tag}'`);
  const queue = findQueue(context, args.queue, 'read');
  if (isFault(queue)) return queue;
  if (queue.rules.isQuorum && channel.channelPrefetch > 0)
    return fault(540, `${describeQueue(queue.name)} does not support global qos`);
  const unfit = unfitArgument(queue, args.arguments);
  if (unfit !== undefined) return unfit;
  const isTaken = queue.consumers.some((each) => each.exclusive);
  const isShared = queue.consumers.length > 0 || queue.rules.singleActive;
  if (isTaken || (args.exclusive && isShared))
    return fault(403, `${describeQueue(queue.name)} in exclusive use`);
  if (channel.consumers.size >= limits.amqp.consumersPerChannel)
    return fault(406, `a channel may have ${limits.amqp.consumersPerChannel} consumers`);
  const consumer: QueueConsumer = {
    tag,
    queue,
    connection,
    channel,
    noAck: args.noAck,
    exclusive: args.exclusive,
    prefetch: channel.prefetch,
    unacknowledged: 0,
    isBlocked: false,
  };
  channel.consumers.set(tag, consumer);
  queue.consumers.push(consumer);
  reply(context, !args.noWait, 'basic.consume-ok', { consumerTag: tag });
  deliverReady(state, queue);
  return undefined;
};

/** Why arguments of a consumer are invalid, in RabbitMQ's words. */
function unfitArgument({ name, args: queueArgs }: QueueState, args: AmqpTable): AmqpFault | undefined {
  const misplaced = misplacedArgument(name, queueArgs, args);
  if (misplaced !== undefined) return misplaced;
  const [priority, cancel] = [args.get('x-priority'), args.get('x-cancel-on-ha-failover')];
  if (priority !== undefined && integerOf(priority) === undefined)
    return fault(
      406,
      `invalid arg 'x-priority' for ${describeQueue(name)}: "expected integer, got ${TYPE_NAMES[priority.type]}"`,
    );
  return cancel === undefined || cancel.type === 't'
    ? undefined
    : fault(
        406,
        `invalid arg 'x-cancel-on-ha-failover' for ${describeQueue(name)}: {unacceptable_type,${TYPE_NAMES[cancel.type]}}`,
      );
}

export const cancel: MethodHandler<'basic.cancel'> = (context, { consumerTag, noWait }) => {
  const consumer = context.channel.consumers.get(consumerTag);
  if (context.channel.replyConsumer?.tag === consumerTag) endReplies(context.state, context.channel);
  else if (consumer !== undefined) removeConsumer(context.state, consumer);
  return reply(context, !noWait, 'basic.cancel-ok', { consumerTag });
};

export const get: MethodHandler<'basic.get'> = (context, args) => {
  const { state, connection, channel } = context;
  const queue = findQueue(context, args.queue, 'read');
  if (isFault(queue)) return queue;
  if (channel.unacknowledged.size >= limits.amqp.unacknowledgedPerChannel)
    return fault(406, `a channel may have ${limits.amqp.unacknowledgedPerChannel} messages unacknowledged`);
  queue.usedAtMs = state.nowMs;
  const entry = takeReady(state, queue);
  // What waited behind it may have expired long ago: it counts no more.
  expire(state, queue);
  if (entry === undefined) return reply(context, true, 'basic.get-empty', { reserved1: '' });
  const deliveryTag = channel.nextDeliveryTag++;
  const getOkArgs = {
    deliveryTag: BigInt(deliveryTag),
    redelivered: entry.redelivered,
    exchange: entry.message.exchange,
    routingKey: entry.message.routingKey,
    messageCount: queue.ready.length,
  };
  sendMessage(state, connection, channel, 'basic.get-ok', getOkArgs, withDeliveryCount(queue, entry));
  if (args.noAck) releaseEntry(state, entry);
  else channel.unacknowledged.set(deliveryTag, { entry, queue, consumer: undefined });
  return undefined;
};

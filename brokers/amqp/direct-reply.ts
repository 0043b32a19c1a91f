import { limits } from '../limits.ts';
import { type MethodContext, reply } from './channel-context.ts';
import type { MethodArguments } from './codec/method-codec.ts';
import type { AmqpProperties } from './codec/properties.ts';
import { type AmqpFault, fault, noQueue } from './faults.ts';
import { closeConnection, sendMessage } from './sending.ts';
import type { BrokerMessage, BrokerState, ChannelState } from './state.ts';

/**
 * RabbitMQ's direct reply-to: a caller consumes this pseudo-queue and names it in reply_to. The broker
 * replaces that by a unique name; a message that is published to this name at the default exchange is sent
 * directly to the caller.
 */
const REPLY_TO = 'amq.rabbitmq.reply-to';

export const isReplyQueue = (queue: string) => queue === REPLY_TO;
/** Whether queue.declare names the pseudo-queue of direct replies, or a caller. */
export const isReplyQueueName = (queue: string) => queue.startsWith(REPLY_TO);

/** basic.consume of direct replies. It needs no permission. */
export function consumeReplies(
  context: MethodContext,
  args: MethodArguments<'basic.consume'>,
): AmqpFault | undefined {
  const { state, connection, channel } = context;
  if (channel.consumers.has(args.consumerTag))
    return fault(530, `attempt to reuse consumer tag '${args.consumerTag}'`);
  if (!args.noAck) return fault(406, 'reply consumer cannot acknowledge');
  if (channel.replyConsumer !== undefined) return fault(406, 'reply consumer already set');
  const tag = args.consumerTag === '' ? `amq.ctag-${state.services.makeName()}` : args.consumerTag;
  const name = `${REPLY_TO}.${state.services.makeName()}`;
  channel.replyConsumer = { tag, name, connection, channel };
  state.replyConsumers.set(name, channel.replyConsumer);
  return reply(context, !args.noWait, 'basic.consume-ok', { consumerTag: tag });
}

/** Ends the direct replies of a channel: later replies are dropped. */
export function endReplies(state: BrokerState, channel: ChannelState): void {
  if (channel.replyConsumer !== undefined) state.replyConsumers.delete(channel.replyConsumer.name);
  channel.replyConsumer = undefined;
}

/** queue.declare of the pseudo-queue, or of a caller's name: whether the caller is still there. */
export function declareReplies(
  context: MethodContext,
  { queue, noWait }: MethodArguments<'queue.declare'>,
): AmqpFault | undefined {
  if (!isReplyQueue(queue) && !context.state.replyConsumers.has(queue)) return noQueue(queue);
  context.channel.lastQueue = queue;
  return reply(context, !noWait, 'queue.declare-ok', { queue, messageCount: 0, consumerCount: 1 });
}

/** The properties with the caller's unique name in reply_to, if they ask for direct replies. */
export function withReplyName(
  { channel }: MethodContext,
  properties: AmqpProperties,
): AmqpProperties | AmqpFault {
  if (properties.replyTo !== REPLY_TO) return properties;
  const { replyConsumer } = channel;
  if (replyConsumer === undefined) return fault(406, 'fast reply consumer does not exist');
  return { ...properties, replyTo: replyConsumer.name };
}

/**
 * Sends a message of the default exchange to the callers that the routing keys name. As in RabbitMQ, it
 * counts as unroutable for the publisher, and its delivery tag is that of the next delivery.
 */
export function deliverReplies(state: BrokerState, keys: readonly string[], message: BrokerMessage): void {
  for (const key of keys) {
    const consumer = state.replyConsumers.get(key);
    if (consumer === undefined || consumer.connection.phase !== 'running') continue;
    const { connection, channel, tag } = consumer;
    if (connection.outstandingBytes > limits.amqp.outstandingReplyBytes) {
      const reason = `more than ${limits.amqp.outstandingReplyBytes} unread bytes: no room for a reply`;
      closeConnection(state, connection, fault(506, reason));
      continue;
    }
    const { exchange, routingKey } = message;
    const deliveryTag = BigInt(channel.nextDeliveryTag);
    const args = { consumerTag: tag, deliveryTag, redelivered: false, exchange, routingKey };
    sendMessage(state, connection, channel, 'basic.deliver', args, message);
  }
}

import { type Place, reply } from './channel-context.ts';
import { type Fault, fault, noQueue } from './faults.ts';
import { limits } from './limits.ts';
import type { Arguments } from './method-codec.ts';
import type { Properties } from './properties.ts';
import { closeConnection, sendMessage } from './sending.ts';
import type { BrokerState, ChannelState, Message } from './state.ts';

/**
 * RabbitMQ's direct reply-to: a caller consumes this queue, which nobody keeps, and names it in reply_to. The broker
 * puts a name of its own there, and what is published to that name by the default exchange goes straight to the caller.
 */
const REPLY_TO = 'amq.rabbitmq.reply-to';

export const isReplyQueue = (queue: string) => queue === REPLY_TO;
/** Whether queue.declare asks for direct replies, or for a caller by its name. */
export const isOfReplies = (queue: string) => queue.startsWith(REPLY_TO);

/** basic.consume of the queue of direct replies. It asks for no right. */
export function consumeReplies(place: Place, args: Arguments<'basic.consume'>): Fault | undefined {
  const { state, connection, channel } = place;
  if (channel.consumers.has(args.consumerTag))
    return fault(530, `attempt to reuse consumer tag '${args.consumerTag}'`);
  if (!args.noAck) return fault(406, 'reply consumer cannot acknowledge');
  if (channel.replyConsumer !== undefined) return fault(406, 'reply consumer already set');
  const tag = args.consumerTag === '' ? `amq.ctag-${state.services.mintName()}` : args.consumerTag;
  const name = `${REPLY_TO}.${state.services.mintName()}`;
  channel.replyConsumer = { tag, name, connection, channel };
  state.replyConsumers.set(name, channel.replyConsumer);
  return reply(place, !args.noWait, 'basic.consume-ok', { consumerTag: tag });
}

/** Ends the direct replies of a channel: what comes later finds nobody. */
export function endReplies(state: BrokerState, channel: ChannelState): void {
  if (channel.replyConsumer !== undefined) state.replyConsumers.delete(channel.replyConsumer.name);
  channel.replyConsumer = undefined;
}

/** queue.declare of the queue of direct replies, or of a caller's name: whether the caller is still there. */
export function declareReplies(
  place: Place,
  { queue, noWait }: Arguments<'queue.declare'>,
): Fault | undefined {
  if (!isReplyQueue(queue) && !place.state.replyConsumers.has(queue)) return noQueue(queue);
  place.channel.lastQueue = queue;
  return reply(place, !noWait, 'queue.declare-ok', { queue, messageCount: 0, consumerCount: 1 });
}

/** The properties with the caller's own name in reply_to, where they ask for direct replies. */
export function withReplyName({ channel }: Place, properties: Properties): Properties | Fault {
  if (properties.replyTo !== REPLY_TO) return properties;
  const { replyConsumer } = channel;
  if (replyConsumer === undefined) return fault(406, 'fast reply consumer does not exist');
  return { ...properties, replyTo: replyConsumer.name };
}

/**
 * Hands a message that the default exchange got to the callers whom the routing keys name. To the publisher it counts
 * as routed nowhere, and its delivery tag is that of the next delivery, as at RabbitMQ.
 */
export function deliverReplies(state: BrokerState, keys: readonly string[], message: Message): void {
  for (const key of keys) {
    const consumer = state.replyConsumers.get(key);
    if (consumer === undefined || consumer.connection.phase !== 'running') continue;
    const { connection, channel, tag } = consumer;
    if (connection.outstandingBytes > limits.outstandingReplyBytes) {
      const reason = `more than ${limits.outstandingReplyBytes} bytes are written and not taken: no reply finds room`;
      closeConnection(state, connection, fault(506, reason));
      continue;
    }
    const { exchange, routingKey } = message;
    const deliveryTag = BigInt(channel.nextDeliveryTag);
    const said = { consumerTag: tag, deliveryTag, redelivered: false, exchange, routingKey };
    sendMessage(state, connection, channel, 'basic.deliver', said, message);
  }
}

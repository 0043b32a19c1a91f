import { type MethodContext, type MethodHandler, reply } from './channel-context.ts';
import { type AmqpFault, fault } from './faults.ts';
import { deadLetter, deliverReady, releaseEntry, requeue } from './message-flow.ts';
import type { BrokerState, ChannelState, QueueState, UnacknowledgedDelivery } from './state.ts';

type Settlement = 'done' | 'dead' | 'again';

/** Removes deliveries from a channel: one, or all up to one. 0 with `multiple` means all. */
function settleTag(
  { state, channel }: MethodContext,
  tag: bigint,
  multiple: boolean,
  settlement: Settlement,
): AmqpFault | undefined {
  const number = Number(tag);
  const { unacknowledged } = channel;
  if (!(multiple && number === 0) && !unacknowledged.has(number))
    return fault(406, `unknown delivery tag ${tag}`);
  const settled: UnacknowledgedDelivery[] = [];
  const tags = multiple ? upTo(unacknowledged, number) : [number];
  for (const each of tags) {
    const delivery = unacknowledged.get(each);
    if (delivery === undefined) continue;
    unacknowledged.delete(each);
    settled.push(delivery);
  }
  settleDeliveries(state, channel, settled, settlement);
  return undefined;
}

function upTo(
  unacknowledged: ReadonlyMap<number, UnacknowledgedDelivery>,
  highest: number,
): readonly number[] {
  const tags: number[] = [];
  for (const tag of unacknowledged.keys()) {
    if (highest !== 0 && tag > highest) break;
    tags.push(tag);
  }
  return tags;
}

/**
 * Settles deliveries that were removed from the channel's list, and serves the queues whose consumers have
 * room again. RabbitMQ goes by queues and consumers: a queue delivers what one has given back before the next one
 * gives back.
 */
export function settleDeliveries(
  state: BrokerState,
  channel: ChannelState,
  settled: readonly UnacknowledgedDelivery[],
  settlement: Settlement,
): void {
  channel.consumerUnacknowledged -= settled.filter(({ consumer }) => consumer !== undefined).length;
  const byConsumer = Map.groupBy(settled, ({ consumer }) => consumer?.tag ?? '');
  for (const tag of [...byConsumer.keys()].sort())
    settleOfConsumer(state, channel, byConsumer.get(tag) ?? [], settlement);
}

function settleOfConsumer(
  state: BrokerState,
  channel: ChannelState,
  settled: readonly UnacknowledgedDelivery[],
  settlement: Settlement,
): void {
  const queues = new Set<QueueState>();
  for (const { entry, queue, consumer } of settled) {
    if (consumer !== undefined) consumer.unacknowledged--;
    queues.add(queue);
    if (settlement === 'done' || queue.isDeleted) releaseEntry(state, entry);
    else if (settlement === 'dead') deadLetter(state, queue, entry, 'rejected');
    else requeue(state, queue, entry);
  }
  // With a prefetch for the whole channel, each of its consumers may have room now.
  if (channel.channelPrefetch > 0) for (const { queue } of channel.consumers.values()) queues.add(queue);
  for (const queue of queues) if (!queue.isDeleted) deliverReady(state, queue);
}

export const ack: MethodHandler<'basic.ack'> = (context, { deliveryTag, multiple }) =>
  settleTag(context, deliveryTag, multiple, 'done');

export const nack: MethodHandler<'basic.nack'> = (context, { deliveryTag, multiple, requeue: again }) =>
  settleTag(context, deliveryTag, multiple, again ? 'again' : 'dead');

export const reject: MethodHandler<'basic.reject'> = (context, { deliveryTag, requeue: again }) =>
  settleTag(context, deliveryTag, false, again ? 'again' : 'dead');

export const recover: MethodHandler<'basic.recover'> = (context, { requeue: again }) => {
  if (!again) return fault(540, 'requeue=false');
  requeueAll(context.state, context.channel);
  return reply(context, true, 'basic.recover-ok', {});
};

export const recoverAsync: MethodHandler<'basic.recover-async'> = (context, { requeue: again }) => {
  if (!again) return fault(540, 'requeue=false');
  requeueAll(context.state, context.channel);
  return undefined;
};

/** Requeues everything that a channel has not acknowledged. */
export function requeueAll(state: BrokerState, channel: ChannelState): void {
  const settled = [...channel.unacknowledged.values()];
  channel.unacknowledged.clear();
  settleDeliveries(state, channel, settled, 'again');
}

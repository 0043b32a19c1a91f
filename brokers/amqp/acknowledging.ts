import { type Handler, type Place, reply } from './channel-context.ts';
import { type Fault, fault } from './faults.ts';
import { bury, forget, pump, requeue } from './message-flow.ts';
import type { BrokerState, ChannelState, QueueState, Unacknowledged } from './state.ts';

type Verdict = 'done' | 'dead' | 'again';

/** Takes deliveries from a channel: one, or all up to one. 0 with `multiple` is all of them. */
function settle(
  { state, channel }: Place,
  tag: bigint,
  multiple: boolean,
  verdict: Verdict,
): Fault | undefined {
  const number = Number(tag);
  const { unacknowledged } = channel;
  if (!(multiple && number === 0) && !unacknowledged.has(number))
    return fault(406, `unknown delivery tag ${tag}`);
  const settled: Unacknowledged[] = [];
  const tags = multiple ? upTo(unacknowledged, number) : [number];
  for (const each of tags) {
    const delivery = unacknowledged.get(each);
    if (delivery === undefined) continue;
    unacknowledged.delete(each);
    settled.push(delivery);
  }
  release(state, channel, settled, verdict);
  return undefined;
}

function upTo(unacknowledged: ReadonlyMap<number, Unacknowledged>, highest: number): readonly number[] {
  const tags: number[] = [];
  for (const tag of unacknowledged.keys()) {
    if (highest !== 0 && tag > highest) break;
    tags.push(tag);
  }
  return tags;
}

/** Gives up deliveries that are no longer in the channel's list, and serves the queues that this makes room in. */
export function release(
  state: BrokerState,
  channel: ChannelState,
  settled: readonly Unacknowledged[],
  verdict: Verdict,
): void {
  const queues = new Set<QueueState>();
  for (const { entry, queue, consumer } of settled) {
    if (consumer !== undefined) {
      consumer.unacknowledged--;
      channel.consumerUnacknowledged--;
    }
    queues.add(queue);
    if (verdict === 'done' || queue.isDeleted) forget(state, entry);
    else if (verdict === 'dead') bury(state, queue, entry, 'rejected');
    else requeue(queue, entry);
  }
  // With a prefetch for the whole channel, each of its consumers may have room now.
  if (channel.channelPrefetch > 0) for (const { queue } of channel.consumers.values()) queues.add(queue);
  for (const queue of queues) if (!queue.isDeleted) pump(state, queue);
}

export const ack: Handler<'basic.ack'> = (place, { deliveryTag, multiple }) =>
  settle(place, deliveryTag, multiple, 'done');

export const nack: Handler<'basic.nack'> = (place, { deliveryTag, multiple, requeue: again }) =>
  settle(place, deliveryTag, multiple, again ? 'again' : 'dead');

export const reject: Handler<'basic.reject'> = (place, { deliveryTag, requeue: again }) =>
  settle(place, deliveryTag, false, again ? 'again' : 'dead');

export const recover: Handler<'basic.recover'> = (place, { requeue: again }) => {
  if (!again) return fault(540, 'requeue=false');
  requeueAll(place.state, place.channel);
  return reply(place, true, 'basic.recover-ok', {});
};

export const recoverAsync: Handler<'basic.recover-async'> = (place, { requeue: again }) => {
  if (!again) return fault(540, 'requeue=false');
  requeueAll(place.state, place.channel);
  return undefined;
};

/** Puts everything back that a channel has not acknowledged. */
export function requeueAll(state: BrokerState, channel: ChannelState): void {
  const settled = [...channel.unacknowledged.values()];
  channel.unacknowledged.clear();
  release(state, channel, settled, 'again');
}

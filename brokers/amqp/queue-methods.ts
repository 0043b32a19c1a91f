import {
  findQueue,
  type Handler,
  isFault,
  locked,
  noLastQueue,
  type Place,
  refusal,
  reply,
  unwritable,
} from './channel-context.ts';
import { declareReplies, isOfReplies } from './direct-reply.ts';
import { type Fault, fault, noQueue, queueIn } from './faults.ts';
import { textOf } from './fields.ts';
import { limits } from './limits.ts';
import { expire, isKept } from './message-flow.ts';
import type { Arguments } from './method-codec.ts';
import { inequivalent, inequivalentArgument, misplacedArgument, queueRules } from './queue-rules.ts';
import { ReadyQueue } from './ready-queue.ts';
import { enter } from './sending.ts';
import type { QueueState } from './state.ts';
import { purge, removeQueue } from './topology.ts';

export const declareQueue: Handler<'queue.declare'> = (place, args) => {
  const { state, connection, channel } = place;
  if (isOfReplies(args.queue)) return declareReplies(place, args);
  const current = state.queues.get(args.queue);
  if (args.passive && !mayKnow(place, args.queue)) return refusal(place, 'read', 'queue', args.queue);
  if (args.passive && current === undefined) return noQueue(args.queue);
  const name = args.queue === '' ? `amq.gen-${state.services.mintName()}` : args.queue;
  const refused = args.passive ? undefined : refusal(place, 'configure', 'queue', name);
  if (refused !== undefined) return refused;
  if (current?.owner !== undefined && current.owner !== connection) return locked(args.queue);
  if (args.passive && current !== undefined) return declared(place, current, args.noWait);
  if (current !== undefined) return difference(current, args) ?? declared(place, current, args.noWait);
  const queue = newQueue(place, name, args);
  if (isFault(queue)) return queue;
  const lost = isKept(queue) ? unwritable(place, queueIn(name)) : undefined;
  if (lost !== undefined) return lost;
  state.queues.set(name, queue);
  channel.lastQueue = name;
  if (isKept(queue)) queue.storedAt = enter(state, { kind: 'put-queue', queue });
  return declared(place, queue, args.noWait);
};

/** A passive declaration tells a queue's length: it is for those who have any right to the queue. */
function mayKnow({ state, connection: { user } }: Place, name: string): boolean {
  const operations = ['read', 'write', 'configure'] as const;
  return operations.some((operation) => state.services.permits(user, operation, name));
}

function declared(place: Place, queue: QueueState, noWait: boolean): undefined {
  queue.usedAtMs = place.state.nowMs;
  place.channel.lastQueue = queue.name;
  expire(place.state, queue);
  const said = {
    queue: queue.name,
    messageCount: queue.ready.length,
    consumerCount: queue.consumers.length,
  };
  return reply(place, !noWait, 'queue.declare-ok', said, queue.storedAt);
}

function newQueue(
  place: Place,
  name: string,
  { exclusive, autoDelete, queue, arguments: args, ...asked }: Arguments<'queue.declare'>,
): QueueState | Fault {
  const { state, connection } = place;
  if (queue.startsWith('amq.')) return fault(403, `queue name '${name}' contains reserved prefix 'amq.*'`);
  // Not among the rules: a queue that an older version took is kept with what it has.
  const misplaced = misplacedArgument(name, args, args);
  if (misplaced !== undefined) return misplaced;
  const rules = queueRules(name, args);
  if (isFault(rules)) return rules;
  const durable = isDurable({ durable: asked.durable, exclusive });
  const unfit =
    textOf(args.get('x-queue-type')) === 'quorum' && quorumLacks({ durable, exclusive, autoDelete });
  if (unfit) return fault(406, `invalid property '${unfit}' for ${queueIn(name)}`);
  const { deadLetterExchange } = rules;
  if (deadLetterExchange !== undefined) {
    const may =
      refusal(place, 'read', 'queue', name) ?? refusal(place, 'write', 'exchange', deadLetterExchange);
    if (may !== undefined) return may;
  }
  if (state.queues.size >= limits.queues)
    return fault(
      406,
      `cannot declare ${queueIn(name)}: queue limit in vhost '/' (${limits.queues}) is reached`,
    );
  return {
    ...{ name, durable, autoDelete, args, rules },
    owner: exclusive ? connection : undefined,
    ready: new ReadyQueue(),
    readyBytes: 0,
    consumers: [],
    usedAtMs: state.nowMs,
    isDeleted: false,
    storedAt: 0,
  };
}

/** A queue that goes with its connection outlives nothing. */
function isDurable({
  durable,
  exclusive,
}: Pick<Arguments<'queue.declare'>, 'durable' | 'exclusive'>): boolean {
  return durable && !exclusive;
}

/** What a quorum queue may not be, in RabbitMQ's words and order; empty where it is fit. */
function quorumLacks({
  durable,
  exclusive,
  autoDelete,
}: Pick<Arguments<'queue.declare'>, 'durable' | 'exclusive' | 'autoDelete'>): string {
  if (autoDelete) return 'auto-delete';
  if (exclusive) return 'exclusive-owner';
  return durable ? '' : 'non-durable';
}

function difference(current: QueueState, asked: Arguments<'queue.declare'>): Fault | undefined {
  const of = queueIn(current.name);
  const durable = isDurable(asked);
  if (durable !== current.durable) return inequivalent('durable', of, durable, current.durable);
  if (asked.exclusive !== (current.owner !== undefined)) return locked(current.name);
  if (asked.autoDelete !== current.autoDelete)
    return inequivalent('auto_delete', of, asked.autoDelete, current.autoDelete);
  const rules = queueRules(current.name, asked.arguments);
  if (isFault(rules)) return rules;
  const reason = inequivalentArgument(asked.arguments, current.args, of);
  return reason === undefined ? undefined : fault(406, reason);
}

export const purgeQueue: Handler<'queue.purge'> = (place, args) => {
  const queue = findQueue(place, args.queue, 'read');
  if (isFault(queue)) return queue;
  expire(place.state, queue);
  const lost =
    isKept(queue) && queue.ready.length > 0
      ? unwritable(place, `a purge of ${queueIn(queue.name)}`)
      : undefined;
  if (lost !== undefined) return lost;
  const messageCount = purge(place.state, queue);
  return reply(place, !args.noWait, 'queue.purge-ok', { messageCount }, place.state.removedAt);
};

export const deleteQueue: Handler<'queue.delete'> = (place, args) => {
  const { state, connection, channel } = place;
  if (args.queue === '' && channel.lastQueue === undefined) return noLastQueue();
  const name = args.queue === '' ? (channel.lastQueue ?? '') : args.queue;
  const refused = refusal(place, 'configure', 'queue', name);
  if (refused !== undefined) return refused;
  const done = (messageCount: number) =>
    reply(place, !args.noWait, 'queue.delete-ok', { messageCount }, state.removedAt);
  const queue = state.queues.get(name);
  if (queue === undefined) return done(0);
  if (queue.owner !== undefined && queue.owner !== connection) return locked(name);
  if (args.ifUnused && queue.consumers.length > 0) return fault(406, `${queueIn(name)} in use`);
  expire(state, queue);
  if (args.ifEmpty && queue.ready.length > 0) return fault(406, `${queueIn(name)} not empty`);
  const lost = isKept(queue) ? unwritable(place, `a deletion of ${queueIn(name)}`) : undefined;
  return lost ?? done(removeQueue(state, queue));
};

import { limits } from '../limits.ts';
import {
  findQueue,
  isFault,
  type MethodContext,
  type MethodHandler,
  noLastQueue,
  queueLocked,
  refuseAccess,
  refuseWhileDiskFull,
  reply,
} from './channel-context.ts';
import { textOf } from './codec/fields.ts';
import type { MethodArguments } from './codec/method-codec.ts';
import { declareReplies, isReplyQueueName } from './direct-reply.ts';
import { type AmqpFault, describeQueue, fault, noQueue } from './faults.ts';
import { expire, isDurableQueue } from './message-flow.ts';
import { inequivalent, inequivalentArgument, misplacedArgument, queueRules } from './queue-rules.ts';
import { ReadyQueue } from './ready-queue.ts';
import { addToJournal } from './sending.ts';
import type { QueueState } from './state.ts';
import { purge, removeQueue } from './topology.ts';

export const declareQueue: MethodHandler<'queue.declare'> = (context, args) => {
  const { state, connection, channel } = context;
  if (isReplyQueueName(args.queue)) return declareReplies(context, args);
  const current = state.queues.get(args.queue);
  if (args.passive && !mayInspect(context, args.queue))
    return refuseAccess(context, 'read', 'queue', args.queue);
  if (args.passive && current === undefined) return noQueue(args.queue);
  const name = args.queue === '' ? `amq.gen-${state.services.makeName()}` : args.queue;
  const refused = args.passive ? undefined : refuseAccess(context, 'configure', 'queue', name);
  if (refused !== undefined) return refused;
  if (current?.owner !== undefined && current.owner !== connection) return queueLocked(args.queue);
  if (args.passive && current !== undefined) return declared(context, current, args.noWait);
  if (current !== undefined) return difference(current, args) ?? declared(context, current, args.noWait);
  const queue = newQueue(context, name, args);
  if (isFault(queue)) return queue;
  const lost = isDurableQueue(queue) ? refuseWhileDiskFull(context, describeQueue(name)) : undefined;
  if (lost !== undefined) return lost;
  state.queues.set(name, queue);
  channel.lastQueue = name;
  if (isDurableQueue(queue)) queue.storedAt = addToJournal(state, { kind: 'put-queue', queue });
  return declared(context, queue, args.noWait);
};

/** A passive declaration shows a queue's length: it needs any permission for the queue. */
function mayInspect({ state, connection: { user } }: MethodContext, name: string): boolean {
  const operations = ['read', 'write', 'configure'] as const;
  return operations.some((operation) => state.services.permits(user, operation, name));
}

function declared(context: MethodContext, queue: QueueState, noWait: boolean): undefined {
  queue.usedAtMs = context.state.nowMs;
  context.channel.lastQueue = queue.name;
  expire(context.state, queue);
  const result = {
    queue: queue.name,
    messageCount: queue.ready.length,
    consumerCount: queue.consumers.length,
  };
  return reply(context, !noWait, 'queue.declare-ok', result, queue.storedAt);
}

function newQueue(
  context: MethodContext,
  name: string,
  { exclusive, autoDelete, queue, arguments: args, ...asked }: MethodArguments<'queue.declare'>,
): QueueState | AmqpFault {
  const { state, connection } = context;
  if (queue.startsWith('amq.')) return fault(403, `queue name '${name}' contains reserved prefix 'amq.*'`);
  // Not among the rules: queues declared by an older version keep their arguments.
  const misplaced = misplacedArgument(name, args, args);
  if (misplaced !== undefined) return misplaced;
  const rules = queueRules(name, args);
  if (isFault(rules)) return rules;
  const durable = isDurable({ durable: asked.durable, exclusive });
  const unfit =
    textOf(args.get('x-queue-type')) === 'quorum' && quorumViolation({ durable, exclusive, autoDelete });
  if (unfit) return fault(406, `invalid property '${unfit}' for ${describeQueue(name)}`);
  const { deadLetterExchange } = rules;
  if (deadLetterExchange !== undefined) {
    const may =
      refuseAccess(context, 'read', 'queue', name) ??
      refuseAccess(context, 'write', 'exchange', deadLetterExchange);
    if (may !== undefined) return may;
  }
  if (state.queues.size >= limits.amqp.queues)
    return fault(
      406,
      `cannot declare ${describeQueue(name)}: queue limit in vhost '/' (${limits.amqp.queues}) is reached`,
    );
  return {
    name,
    durable,
    autoDelete,
    args,
    rules,
    owner: exclusive ? connection : undefined,
    ready: new ReadyQueue(),
    readyBytes: 0,
    consumers: [],
    usedAtMs: state.nowMs,
    isDeleted: false,
    storedAt: 0,
  };
}

/** An exclusive queue ends with its connection and is never durable. */
function isDurable({
  durable,
  exclusive,
}: Pick<MethodArguments<'queue.declare'>, 'durable' | 'exclusive'>): boolean {
  return durable && !exclusive;
}

/** The property that a quorum queue may not have, in RabbitMQ's words and order; empty if it is valid. */
function quorumViolation({
  durable,
  exclusive,
  autoDelete,
}: Pick<MethodArguments<'queue.declare'>, 'durable' | 'exclusive' | 'autoDelete'>): string {
  if (autoDelete) return 'auto-delete';
  if (exclusive) return 'exclusive-owner';
  return durable ? '' : 'non-durable';
}

function difference(current: QueueState, asked: MethodArguments<'queue.declare'>): AmqpFault | undefined {
  const of = describeQueue(current.name);
  const durable = isDurable(asked);
  if (durable !== current.durable) return inequivalent('durable', of, durable, current.durable);
  if (asked.exclusive !== (current.owner !== undefined)) return queueLocked(current.name);
  if (asked.autoDelete !== current.autoDelete)
    return inequivalent('auto_delete', of, asked.autoDelete, current.autoDelete);
  const rules = queueRules(current.name, asked.arguments);
  if (isFault(rules)) return rules;
  const reason = inequivalentArgument(asked.arguments, current.args, of);
  return reason === undefined ? undefined : fault(406, reason);
}

export const purgeQueue: MethodHandler<'queue.purge'> = (context, args) => {
  const queue = findQueue(context, args.queue, 'read');
  if (isFault(queue)) return queue;
  expire(context.state, queue);
  const lost =
    isDurableQueue(queue) && queue.ready.length > 0
      ? refuseWhileDiskFull(context, `a purge of ${describeQueue(queue.name)}`)
      : undefined;
  if (lost !== undefined) return lost;
  const messageCount = purge(context.state, queue);
  return reply(context, !args.noWait, 'queue.purge-ok', { messageCount }, context.state.removedAt);
};

export const deleteQueue: MethodHandler<'queue.delete'> = (context, args) => {
  const { state, connection, channel } = context;
  if (args.queue === '' && channel.lastQueue === undefined) return noLastQueue();
  const name = args.queue === '' ? (channel.lastQueue ?? '') : args.queue;
  const refused = refuseAccess(context, 'configure', 'queue', name);
  if (refused !== undefined) return refused;
  const done = (messageCount: number) =>
    reply(context, !args.noWait, 'queue.delete-ok', { messageCount }, state.removedAt);
  const queue = state.queues.get(name);
  if (queue === undefined) return done(0);
  if (queue.owner !== undefined && queue.owner !== connection) return queueLocked(name);
  if (args.ifUnused && queue.consumers.length > 0) return fault(406, `${describeQueue(name)} in use`);
  expire(state, queue);
  if (args.ifEmpty && queue.ready.length > 0) return fault(406, `${describeQueue(name)} not empty`);
  const lost = isDurableQueue(queue)
    ? refuseWhileDiskFull(context, `a deletion of ${describeQueue(name)}`)
    : undefined;
  return lost ?? done(removeQueue(state, queue));
};

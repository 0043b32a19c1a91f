import type { MethodArguments } from './codec/method-codec.ts';
import type { MethodName } from './codec/methods.ts';
import { type AmqpFault, describeQueue, fault, noQueue } from './faults.ts';
import { sendAnswer } from './sending.ts';
import type { AmqpOperation, BrokerState, ChannelState, ConnectionState, QueueState } from './state.ts';

/** Where a method arrived. */
export interface MethodContext {
  readonly state: BrokerState;
  readonly connection: ConnectionState;
  readonly channel: ChannelState;
}

/** Handles one method of a client. A fault closes the channel or the connection; then nothing was changed. */
export type MethodHandler<Name extends MethodName> = (
  context: MethodContext,
  args: MethodArguments<Name>,
) => AmqpFault | undefined;

/** Answers a method once the first `after` records are on disk, unless the client asked for no answer. */
export function reply<Name extends MethodName>(
  { state, connection, channel }: MethodContext,
  isWanted: boolean,
  name: Name,
  args: MethodArguments<Name>,
  after = 0,
): undefined {
  if (isWanted) sendAnswer(state, connection, channel, name, args, after);
  return undefined;
}

/** 403 if the user lacks this permission, otherwise undefined. */
export function refuseAccess(
  { state, connection: { user } }: MethodContext,
  operation: AmqpOperation,
  kind: 'queue' | 'exchange',
  name: string,
): AmqpFault | undefined {
  if (state.services.permits(user, operation, name === '' ? 'amq.default' : name)) return undefined;
  const what = `${kind} '${name === '' ? 'amq.default' : name}' in vhost '/'`;
  return fault(403, `${operation} access to ${what} refused for user '${user}'`);
}

/** 506 while commits fail: a change that must be on disk before its answer is not begun. */
export function refuseWhileDiskFull({ state }: MethodContext, of: string): AmqpFault | undefined {
  return state.alarms.has('disk') ? fault(506, `${of} cannot be written to disk: low on disk`) : undefined;
}

export function isFault(value: object): value is AmqpFault {
  return 'code' in value && 'text' in value;
}

/** The queue that a client names: an empty name is the queue that the channel declared last. */
export const queueNameOf = ({ channel }: MethodContext, name: string) =>
  name === '' ? (channel.lastQueue ?? '') : name;

/**
 * The queue of this name, if the connection may use it. Only users with the permission learn whether it
 * exists.
 */
export function findQueue(
  context: MethodContext,
  name: string,
  operation: AmqpOperation,
): QueueState | AmqpFault {
  const { state, connection, channel } = context;
  if (name === '' && channel.lastQueue === undefined) return noLastQueue();
  const wanted = queueNameOf(context, name);
  const refused = refuseAccess(context, operation, 'queue', wanted);
  if (refused !== undefined) return refused;
  const queue = state.queues.get(wanted);
  if (queue === undefined) return noQueue(wanted);
  return queue.owner !== undefined && queue.owner !== connection ? queueLocked(wanted) : queue;
}

export const noLastQueue = () => fault(404, 'no previously declared queue');

export function queueLocked(name: string): AmqpFault {
  return fault(
    405,
    `cannot obtain exclusive access to locked ${describeQueue(name)}. It could be originally declared on another connection or the exclusive property value does not match that of the original declaration.`,
  );
}

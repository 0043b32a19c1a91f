import { type Fault, fault, noQueue, queueIn } from './faults.ts';
import type { Arguments } from './method-codec.ts';
import type { MethodName } from './methods.ts';
import { answer } from './sending.ts';
import type { BrokerState, ChannelState, ConnectionState, Operation, QueueState } from './state.ts';

/** Where a method arrived. */
export interface Place {
  readonly state: BrokerState;
  readonly connection: ConnectionState;
  readonly channel: ChannelState;
}

/** Handles one method of a client; a fault closes the channel or the connection, and nothing was changed. */
export type Handler<Name extends MethodName> = (place: Place, args: Arguments<Name>) => Fault | undefined;

/** Answers a method, unless the client asked for none: once the first `after` entrances are on disk. */
export function reply<Name extends MethodName>(
  { state, connection, channel }: Place,
  isWanted: boolean,
  name: Name,
  args: Arguments<Name>,
  after = 0,
): undefined {
  if (isWanted) answer(state, connection, channel, name, args, after);
  return undefined;
}

/** 403 where the user may not do this, else nothing. */
export function refusal(
  { state, connection: { user } }: Place,
  operation: Operation,
  kind: 'queue' | 'exchange',
  name: string,
): Fault | undefined {
  if (state.services.permits(user, operation, name === '' ? 'amq.default' : name)) return undefined;
  const what = `${kind} '${name === '' ? 'amq.default' : name}' in vhost '/'`;
  return fault(403, `${operation} access to ${what} refused for user '${user}'`);
}

/** 506 while nothing can be written down: what must be on disk before it may be answered is not begun. */
export function unwritable({ state }: Place, of: string): Fault | undefined {
  return state.alarms.has('disk') ? fault(506, `${of} cannot be written down: low on disk`) : undefined;
}

export function isFault(value: object): value is Fault {
  return 'code' in value && 'text' in value;
}

/** The queue that a client means: an empty name is the queue that the channel declared last. */
export const nameOf = ({ channel }: Place, name: string) => (name === '' ? (channel.lastQueue ?? '') : name);

/**
 * The queue of this name that the connection may touch. Whether it is there only those are told who may do what they
 * ask for.
 */
export function findQueue(place: Place, name: string, operation: Operation): QueueState | Fault {
  const { state, connection, channel } = place;
  if (name === '' && channel.lastQueue === undefined) return noLastQueue();
  const wanted = nameOf(place, name);
  const refused = refusal(place, operation, 'queue', wanted);
  if (refused !== undefined) return refused;
  const queue = state.queues.get(wanted);
  if (queue === undefined) return noQueue(wanted);
  return queue.owner !== undefined && queue.owner !== connection ? locked(wanted) : queue;
}

export const noLastQueue = () => fault(404, 'no previously declared queue');

export function locked(name: string): Fault {
  return fault(
    405,
    `cannot obtain exclusive access to locked ${queueIn(name)}. It could be originally declared on another connection or the exclusive property value does not match that of the original declaration.`,
  );
}

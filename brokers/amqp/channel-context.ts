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

/** Answers a method, unless the client asked for none. */
export function reply<Name extends MethodName>(
  { state, connection, channel }: Place,
  isWanted: boolean,
  name: Name,
  args: Arguments<Name>,
  when: 'now' | 'when-stored' = 'now',
): undefined {
  if (isWanted) answer(state, connection, channel, name, args, when);
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

export function isFault(value: object): value is Fault {
  return 'code' in value && 'text' in value;
}

/** The queue of this name that the connection may touch; an empty name is the queue that the channel declared last. */
export function findQueue({ state, connection, channel }: Place, name: string): QueueState | Fault {
  if (name === '' && channel.lastQueue === undefined) return noLastQueue();
  const wanted = name === '' ? (channel.lastQueue ?? '') : name;
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

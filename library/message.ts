import type { Messages } from './types/messages.ts';
import type { VehicleReference } from './vehicle.ts';

/** `VehicleStateReceived`, `DamageDetected`, ... */
export type MessageType = keyof Messages;

/** A message of the service: its body, and the name of its type. */
export type Message<Type extends MessageType = MessageType> = {
  [Name in Type]: { readonly type: Name } & Messages[Name];
}[Type];

/** Which messages; what is absent does not matter. */
export interface MessageQuery<Type extends MessageType = MessageType> {
  readonly type?: Type;
  readonly vehicle?: VehicleReference;
  /** `({ data }) => data.vehicle_state.central_lock?.value === 'LOCKED'` */
  where?(message: Message<Type>): boolean;
}

export interface WaitTime {
  /** How long at most: `5s`, `1m30s`. Default: 5 s. */
  readonly within?: string;
}

/** Messages as they come, from the call on. It ends with the service, with `break` or with `return`. */
export interface MessageStream<Type extends MessageType = MessageType>
  extends AsyncIterableIterator<Message<Type>> {
  /** Resolves once the reading has begun: what is published from then on arrives. */
  readonly opened: Promise<void>;
}

/** A query with the id of its vehicle. */
export interface ResolvedQuery {
  readonly type?: MessageType;
  readonly vehicleId?: string;
  where?(message: Message): boolean;
}

/** Why a message is not the one of a query; undefined: it is. */
export function differenceOf(
  { type, vehicleId, where }: ResolvedQuery,
  message: Message,
): 'another type' | 'another vehicle' | '`where` is false' | undefined {
  if (vehicleId !== undefined && message.data.vehicle_id !== vehicleId) return 'another vehicle';
  if (type !== undefined && message.type !== type) return 'another type';
  if (where !== undefined && !where(message)) return '`where` is false';
  return undefined;
}

/** `VehicleStateReceived of vehicle ABCD1`, for people. */
export function queryText({ type, vehicleId, where }: ResolvedQuery): string {
  const of = vehicleId === undefined ? '' : ` of vehicle ${vehicleId}`;
  return `${type ?? 'message'}${of}${where === undefined ? '' : ' for which `where` is true'}`;
}

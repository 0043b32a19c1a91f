import { limits } from './limits.ts';
import { endConnection } from './sending.ts';
import type { BrokerState, ConnectionState } from './state.ts';

/**
 * Makes room for one more connection from `address` among those that are not open. Open connections are never
 * affected: the oldest idle one is severed, first of `address` if it has reached its limit, otherwise of the
 * address that has most. False if every candidate is signing in.
 */
export function makeRoomForConnection(state: BrokerState, address: string): boolean {
  const waiting = [...state.connections.values()].filter(
    ({ phase, isSevered }) => phase !== 'running' && !isSevered,
  );
  const own = waiting.filter((each) => each.address === address);
  if (own.length >= limits.waitingOfAddress) return endOldest(state, own);
  if (waiting.length < limits.waiting) return true;
  return endOldest(state, ofBusiest(waiting)) || endOldest(state, waiting);
}

function ofBusiest(waiting: readonly ConnectionState[]): readonly ConnectionState[] {
  const byAddress = Map.groupBy(waiting, ({ address }) => address);
  return [...byAddress.values()].reduce((most, each) => (each.length > most.length ? each : most), []);
}

function endOldest(state: BrokerState, candidates: readonly ConnectionState[]): boolean {
  // The check of a password has been paid for, and tune and open follow a valid one.
  const oldest = candidates.find(({ phase }) => !['signing-in', 'tune', 'open'].includes(phase));
  if (oldest === undefined) return false;
  const reason = 'it was the oldest of too many connections that had not signed in';
  if (oldest.phase !== 'ended')
    state.effects.push({
      kind: 'warn',
      who: oldest.address,
      reason,
      message: 'An AMQP connection was severed.',
    });
  endConnection(state, oldest, true);
  return true;
}

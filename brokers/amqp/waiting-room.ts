import { limits } from './limits.ts';
import { end } from './sending.ts';
import type { BrokerState, ConnectionState } from './state.ts';

/**
 * Makes room for one more connection from `address` among those that are not open. Whoever is open keeps its place
 * whatever strangers do: the oldest that says nothing gives way, first of an address that has more than its share, then
 * of the one that has most. False where all that could are signing in.
 */
export function makeRoom(state: BrokerState, address: string): boolean {
  const waiting = [...state.connections.values()].filter(
    ({ phase, isSevered }) => phase !== 'running' && !isSevered,
  );
  const own = waiting.filter((each) => each.address === address);
  if (own.length >= limits.waitingOfAddress) return giveWay(state, own);
  if (waiting.length < limits.waiting) return true;
  return giveWay(state, ofBusiest(waiting)) || giveWay(state, waiting);
}

function ofBusiest(waiting: readonly ConnectionState[]): readonly ConnectionState[] {
  const byAddress = Map.groupBy(waiting, ({ address }) => address);
  return [...byAddress.values()].reduce((most, each) => (each.length > most.length ? each : most), []);
}

function giveWay(state: BrokerState, candidates: readonly ConnectionState[]): boolean {
  // A password that is being looked at has cost something, and tune and open come of a right one.
  const oldest = candidates.find(({ phase }) => !['signing-in', 'tune', 'open'].includes(phase));
  if (oldest === undefined) return false;
  const reason = 'others needed its place before it had signed in';
  if (oldest.phase !== 'ended')
    state.effects.push({
      kind: 'warn',
      who: oldest.address,
      reason,
      message: 'An AMQP connection was severed.',
    });
  end(state, oldest, true);
  return true;
}

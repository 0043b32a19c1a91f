import { partitionOf } from '../../protocol/partitions.ts';
import type { Parts } from './port/store.ts';
import type { StoreCall } from './port/store-calls.ts';
import type { WakeUp } from './port/wake-ups.ts';

type Raiser<Call> = Call extends (...parameters: infer Parameters) => Promise<infer Result>
  ? (result: Result, ...parameters: Parameters) => WakeUp | undefined
  : never;

/**
 * The wake-ups that the result of a call causes in other backends. Every store raises its wake-ups by this table, after
 * the commit.
 *
 * A box that becomes ready has no row: it would wake all backends at each connect. The backend that commits it starts
 * the work that waits for it, and one that takes over a partition checks on its own.
 */
const RAISED: {
  readonly [Part in keyof Parts]?: {
    readonly [Name in keyof Parts[Part]]?: Raiser<Parts[Part][Name]>;
  };
} = {
  ingest: {
    commit: ({ settled }) => (settled.length === 0 ? undefined : { kind: 'settled', requestIds: settled }),
  },
  thirdParty: {
    // A vehicle behind its maker's cloud has no box: its own id counts.
    commit: (result, { vehicleId, message }) =>
      result === 'written' && message !== undefined
        ? { kind: 'messages', partitions: [partitionOf(vehicleId)] }
        : undefined,
  },
  vehicles: {
    change(result, _id, _change, _revision, _atMs, messages = []) {
      if (typeof result === 'string' || messages.length === 0) return undefined;
      return { kind: 'messages', partitions: [partitionOf(result.boxId ?? result.id)] };
    },
    create: (result, { setupStatus, telematics }) =>
      result === 'created' && setupStatus === 'PENDING' && 'boxId' in telematics
        ? { kind: 'onboarded', boxIds: [telematics.boxId] }
        : undefined,
    save: (_result, { setupStatus, boxId }) =>
      setupStatus === 'PENDING' ? { kind: 'onboarded', boxIds: [boxId] } : undefined,
  },
  bulk: {
    create: (result) => (result === 'created' ? { kind: 'bulk' } : undefined),
    makeDueNow: ({ isAnyDue }) => (isAnyDue ? { kind: 'bulk' } : undefined),
    makeConnectedDueNow: () => ({ kind: 'bulk' }),
  },
  leases: {
    release: (_result, { leases }) => (leases.length === 0 ? undefined : { kind: 'leases' }),
    leave: () => ({ kind: 'leases' }),
  },
  subscriptions: {
    finish: (isLive) => (isLive ? { kind: 'subscriptions' } : undefined),
    end: (isThere) => (isThere ? { kind: 'subscriptions' } : undefined),
  },
};

/** The wake-up of a call that has resolved with `result`; undefined: it concerns no other backend. Total. */
export function raisedWakeUp({ part, name, parameters }: StoreCall, result: unknown): WakeUp | undefined {
  // The members have the names of the port's calls, and take their results and parameters.
  const raisers = RAISED[part] as Readonly<Record<string, Raise | undefined>> | undefined;
  return raisers?.[name]?.(result, ...parameters);
}

type Raise = (result: unknown, ...parameters: readonly unknown[]) => WakeUp | undefined;

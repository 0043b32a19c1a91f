import type { Store } from './store.ts';

/** The calls of the port, by their parts. */
export type Parts = Omit<Store, 'close' | 'listen'>;

/** The calls that only read. All others write, or may write. */
export const READS: { readonly [Part in keyof Parts]: readonly (keyof Parts[Part])[] } = {
  access: ['findFleet', 'findClient'],
  grants: ['findUser', 'findUserByName', 'findSession', 'findGrant', 'findSecret'],
  vehicles: ['find', 'findUnit', 'list'],
  ingest: ['load', 'loadCommands', 'quarantined', 'countRecords', 'boxIds', 'records'],
  commands: ['find', 'isOpen'],
  outbox: ['next', 'nextByPartition', 'size', 'drops', 'dropped'],
  configuration: ['read'],
  bulk: ['find', 'items', 'nextDueMs'],
  setup: ['due', 'ofBoxes', 'nextDueMs'],
  thirdParty: ['findLinked', 'nextDue'],
  subscriptions: ['look', 'find', 'ofFleet', 'live', 'userOf', 'nextOverdueMs'],
  census: ['count'],
  clock: ['nowMs'],
  leases: [],
  quotas: [],
  installation: [],
};

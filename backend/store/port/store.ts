import type { AccessStore } from './access-store.ts';
import type { BulkStore } from './bulk-store.ts';
import type { CensusStore } from './census-store.ts';
import type { CommandStore } from './command-store.ts';
import type { ConfigurationStore } from './configuration-store.ts';
import type { GrantsStore } from './grants-store.ts';
import type { IngestStore } from './ingest-store.ts';
import type { InstallationStore } from './installation-store.ts';
import type { LeaseStore } from './lease-store.ts';
import type { OutboxStore } from './outbox-store.ts';
import type { QuotaStore } from './quota-store.ts';
import type { SetupStore } from './setup-store.ts';
import type { SubscriptionStore } from './subscription-store.ts';
import type { ThirdPartyStore } from './third-party-store.ts';
import type { VehicleStore } from './vehicle-store.ts';
import type { WakeUpListener } from './wake-ups.ts';

/**
 * The data of the backend. Every call is one whole transaction, given as data: no handle is held across an await, so
 * that a database over the network can implement it as well. Times are epoch milliseconds. A call rejects with
 * `StoreFailed` if the medium fails: then nothing of it was written, or all of it if the medium failed after the
 * commit.
 */
export interface Store {
  readonly access: AccessStore;
  readonly grants: GrantsStore;
  readonly vehicles: VehicleStore;
  readonly ingest: IngestStore;
  readonly commands: CommandStore;
  readonly outbox: OutboxStore;
  readonly configuration: ConfigurationStore;
  readonly bulk: BulkStore;
  readonly setup: SetupStore;
  readonly thirdParty: ThirdPartyStore;
  readonly subscriptions: SubscriptionStore;
  readonly census: CensusStore;
  readonly clock: ClockStore;
  readonly leases: LeaseStore;
  readonly quotas: QuotaStore;
  readonly installation: InstallationStore;
  /**
   * Calls the listener after commits of other backends on the same database, and possibly after own ones. Returns a
   * function that ends it. After a loss of the connection the listener gets `anything`.
   */
  listen(listener: WakeUpListener): () => void;
  close(): Promise<void>;
}

/** The clock that all backends on a store have in common. */
export interface ClockStore {
  /** Milliseconds since 1970. */
  nowMs(): Promise<number>;
}

/** The calls of the port, by their parts. */
export type Parts = Omit<Store, 'close' | 'listen'>;

/** The calls that only read. All others write, or may write. */
export const READS: { readonly [Part in keyof Parts]: readonly (keyof Parts[Part])[] } = {
  access: ['findFleet', 'findClient'],
  grants: ['findUser', 'findUserByName', 'findSession', 'findGrant', 'findSecret'],
  vehicles: ['find', 'findUnit', 'findMakerUnit', 'list'],
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
  installation: ['find'],
};

/** The medium failed (full, broken, locked). `cause` is the driver's error. */
export class StoreFailed extends Error {
  override readonly name = 'StoreFailed';
}

/** The database was written by a newer program. Nothing in it was changed. */
export class StoreTooNew extends Error {
  override readonly name = 'StoreTooNew';
}

/** Another process has the database open. */
export class StoreInUse extends Error {
  override readonly name = 'StoreInUse';
}

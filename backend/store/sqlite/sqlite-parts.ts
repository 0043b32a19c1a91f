import type { Database } from 'better-sqlite3';
import { accessCalls } from '../calls/access.ts';
import { bulkCalls } from '../calls/bulk/bulk.ts';
import { commandCalls } from '../calls/commands.ts';
import { configurationCalls } from '../calls/configuration.ts';
import { leaseCalls } from '../calls/leases.ts';
import { vehicleCalls } from '../calls/vehicles/vehicles.ts';
import type { Parts } from '../port/store-reads.ts';
import type { Synchronous } from './call.ts';
import { stepper, synchronous } from './carry-out.ts';
import { sqliteCensus } from './census.ts';
import { sqliteGrants } from './grants.ts';
import { sqliteIngest } from './ingest.ts';
import { sqliteOutbox } from './outbox/outbox.ts';
import { sqliteSubscriptions } from './subscriptions.ts';
import { sqliteSetup } from './vehicles/setup.ts';
import { sqliteThirdParty } from './vehicles/third-party.ts';

export type SqliteParts = { readonly [Name in keyof Parts]: Synchronous<Parts[Name]> };

/** Everything that the store can do, with one connection to its database. */
export function sqliteParts(database: Database): SqliteParts {
  const take = stepper(database);
  return {
    access: synchronous(take, accessCalls()),
    grants: sqliteGrants(database),
    vehicles: synchronous(take, vehicleCalls()),
    ingest: sqliteIngest(database, take),
    commands: synchronous(take, commandCalls()),
    outbox: sqliteOutbox(database),
    configuration: synchronous(take, configurationCalls()),
    bulk: synchronous(take, bulkCalls()),
    setup: sqliteSetup(database),
    thirdParty: sqliteThirdParty(database),
    subscriptions: sqliteSubscriptions(database),
    census: sqliteCensus(database),
    leases: synchronous(take, leaseCalls()),
  };
}

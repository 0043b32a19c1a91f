import type { Database } from 'better-sqlite3';
import { accessCalls } from '../calls/access.ts';
import { censusCalls } from '../calls/census.ts';
import { grantsCalls } from '../calls/grants/grants.ts';
import { subscriptionCalls } from '../calls/subscriptions.ts';
import { setupCalls } from '../calls/vehicles/setup.ts';
import { thirdPartyCalls } from '../calls/vehicles/third-party.ts';
import type { Parts } from '../port/store-reads.ts';
import { sqliteBulk } from './bulk/bulk.ts';
import type { Synchronous } from './call.ts';
import { stepper, synchronous } from './carry-out.ts';
import { sqliteCommands } from './commands.ts';
import { sqliteConfiguration } from './configuration.ts';
import { sqliteIngest } from './ingest.ts';
import { sqliteOutbox } from './outbox/outbox.ts';
import { sqliteVehicles } from './vehicles/vehicles.ts';

export type SqliteParts = { readonly [Name in keyof Parts]: Synchronous<Parts[Name]> };

/** Everything that the store can do, with one connection to its database. */
export function sqliteParts(database: Database): SqliteParts {
  const take = stepper(database);
  return {
    access: synchronous(take, accessCalls()),
    grants: synchronous(take, grantsCalls()),
    vehicles: sqliteVehicles(database),
    ingest: sqliteIngest(database),
    commands: sqliteCommands(database),
    outbox: sqliteOutbox(database),
    configuration: sqliteConfiguration(database),
    bulk: sqliteBulk(database),
    setup: synchronous(take, setupCalls()),
    thirdParty: synchronous(take, thirdPartyCalls()),
    subscriptions: synchronous(take, subscriptionCalls()),
    census: synchronous(take, censusCalls()),
  };
}

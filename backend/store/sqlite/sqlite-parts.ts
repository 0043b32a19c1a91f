import type { Database } from 'better-sqlite3';
import { accessCalls } from '../calls/access.ts';
import { installationCalls } from '../calls/installation.ts';
import { quotaCalls } from '../calls/quotas.ts';
import type { Parts } from '../port/store-reads.ts';
import { sqliteBulk } from './bulk/bulk.ts';
import type { Synchronous } from './call.ts';
import { stepper, synchronous } from './carry-out.ts';
import { sqliteCensus } from './census.ts';
import { sqliteCommands } from './commands.ts';
import { sqliteConfiguration } from './configuration.ts';
import { sqliteGrants } from './grants.ts';
import { sqliteIngest } from './ingest.ts';
import { sqliteOutbox } from './outbox/outbox.ts';
import { sqliteSubscriptions } from './subscriptions.ts';
import { sqliteSetup } from './vehicles/setup.ts';
import { sqliteThirdParty } from './vehicles/third-party.ts';
import { sqliteVehicles } from './vehicles/vehicles.ts';

export type SqliteParts = { readonly [Name in keyof Parts]: Synchronous<Parts[Name]> };

/** Everything that the store can do, with one connection to its database. */
export function sqliteParts(database: Database): SqliteParts {
  const take = stepper(database);
  return {
    access: synchronous(take, accessCalls()),
    grants: sqliteGrants(database),
    vehicles: sqliteVehicles(database),
    ingest: sqliteIngest(database),
    commands: sqliteCommands(database),
    outbox: sqliteOutbox(database),
    configuration: sqliteConfiguration(database),
    bulk: sqliteBulk(database),
    setup: sqliteSetup(database),
    thirdParty: sqliteThirdParty(database),
    subscriptions: sqliteSubscriptions(database),
    census: sqliteCensus(database),
    quotas: synchronous(take, quotaCalls()),
    installation: synchronous(take, installationCalls()),
  };
}

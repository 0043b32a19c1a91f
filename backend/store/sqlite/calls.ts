import type { Database } from 'better-sqlite3';
import { accessCalls } from '../calls/access.ts';
import { bulkCalls } from '../calls/bulk/bulk.ts';
import { censusCalls } from '../calls/census.ts';
import { clockCalls } from '../calls/clock.ts';
import { commandCalls } from '../calls/commands.ts';
import { configurationCalls } from '../calls/configuration.ts';
import { grantsCalls } from '../calls/grants/grants.ts';
import { installationCalls } from '../calls/installation.ts';
import { leaseCalls } from '../calls/leases.ts';
import { quotaCalls } from '../calls/quotas.ts';
import { subscriptionCalls } from '../calls/subscriptions.ts';
import { setupCalls } from '../calls/vehicles/setup.ts';
import { thirdPartyCalls } from '../calls/vehicles/third-party.ts';
import { vehicleCalls } from '../calls/vehicles/vehicles.ts';
import type { Parts } from '../port/store.ts';
import type { Synchronous } from './call.ts';
import { stepper, synchronous } from './executor.ts';
import { sqliteIngest } from './ingest/ingest.ts';
import { sqliteOutbox } from './outbox/outbox.ts';

export type SqliteParts = { readonly [Name in keyof Parts]: Synchronous<Parts[Name]> };

/** Everything that the store can do, with one connection to its database. */
export function sqliteParts(database: Database): SqliteParts {
  const take = stepper(database);
  return {
    access: synchronous(take, accessCalls()),
    grants: synchronous(take, grantsCalls()),
    vehicles: synchronous(take, vehicleCalls()),
    ingest: sqliteIngest(database, take),
    commands: synchronous(take, commandCalls()),
    outbox: sqliteOutbox(database),
    configuration: synchronous(take, configurationCalls()),
    bulk: synchronous(take, bulkCalls()),
    setup: synchronous(take, setupCalls()),
    thirdParty: synchronous(take, thirdPartyCalls()),
    subscriptions: synchronous(take, subscriptionCalls()),
    census: synchronous(take, censusCalls()),
    clock: synchronous(take, clockCalls()),
    leases: synchronous(take, leaseCalls()),
    quotas: synchronous(take, quotaCalls()),
    installation: synchronous(take, installationCalls()),
  };
}

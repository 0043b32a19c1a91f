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
import type { StoreCall } from '../port/store-calls.ts';
import type { Calls, Transaction } from '../statements/transaction.ts';
import { ingestCalls } from './ingest/ingest.ts';
import { outboxCalls } from './outbox/outbox.ts';
import { type MessageWriter, messageWriter } from './outbox/outbox-messages.ts';

export type PostgresCalls = { readonly [Part in keyof Parts]: Calls<Parts[Part]> };

/** Everything that the store can do, as transactions: the parts that both databases share, and those that are of this one alone. */
export function postgresCalls(outbox: MessageWriter = messageWriter()): PostgresCalls {
  return {
    access: accessCalls(),
    grants: grantsCalls(),
    vehicles: vehicleCalls(),
    ingest: ingestCalls(outbox),
    commands: commandCalls(),
    outbox: outboxCalls(),
    configuration: configurationCalls(),
    bulk: bulkCalls(),
    setup: setupCalls(),
    thirdParty: thirdPartyCalls(),
    subscriptions: subscriptionCalls(),
    census: censusCalls(),
    clock: clockCalls(),
    leases: leaseCalls(),
    quotas: quotaCalls(),
    installation: installationCalls(),
  };
}

/** The transaction of a call, from its beginning. */
export function beginCall(calls: PostgresCalls, { part, name, parameters }: StoreCall): Transaction<unknown> {
  // The members of a part have the port's names, and take the parameters of its calls.
  const members = calls[part] as unknown as Readonly<
    Record<string, (...parameters: readonly unknown[]) => Transaction<unknown>>
  >;
  const make = members[name];
  if (make === undefined) throw new TypeError(`The store has no call ${part}.${name}.`);
  return make(...parameters);
}

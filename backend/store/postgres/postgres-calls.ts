import { accessCalls } from '../calls/access.ts';
import type { StoreCall } from '../port/store-calls.ts';
import type { Parts } from '../port/store-reads.ts';
import type { Calls, Transaction } from '../statements/transaction.ts';

export type PostgresCalls = { readonly [Part in keyof Parts]: Calls<Parts[Part]> };

const NOT_YET = {} as never;

/** Everything that the store can do, as transactions: the parts that both databases share, and those that are of this one alone. */
export function postgresCalls(): PostgresCalls {
  return {
    access: accessCalls(),
    // Until they are converted.
    grants: NOT_YET,
    vehicles: NOT_YET,
    ingest: NOT_YET,
    commands: NOT_YET,
    outbox: NOT_YET,
    configuration: NOT_YET,
    bulk: NOT_YET,
    setup: NOT_YET,
    thirdParty: NOT_YET,
    subscriptions: NOT_YET,
    census: NOT_YET,
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

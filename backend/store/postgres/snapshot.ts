import type { Client } from 'pg';
import { errorText } from '../../../world/error-text.ts';
import { type Store, StoreFailed } from '../port/store.ts';
import { type StoreCall, storeOfCalls } from '../port/store-calls.ts';
import type { Step, Transaction } from '../statements/transaction.ts';
import { beginCall, postgresCalls } from './calls.ts';
import { lookOver } from './look-into.ts';
import { addressOf, type DatabasePlace, openOneConnection } from './one-connection.ts';
import { preparedStatements } from './prepared.ts';

/**
 * A database as it was at one moment, for calls that only read: backends continue to write meanwhile. Nothing in it is
 * changed, including its schema. Rejects with `StoreFailed` if it cannot be reached or used; calls that write reject
 * with it too.
 */
export async function openPostgresSnapshot(place: DatabasePlace): Promise<Store> {
  const { shown } = addressOf(place);
  const client = await openOneConnection(place);
  try {
    const { refusal, version, knownVersion } = await lookOver(client, shown);
    if (refusal !== undefined) throw new StoreFailed(`${shown}: ${refusal}`);
    if (version !== knownVersion)
      throw new StoreFailed(
        `${shown} has schema version ${version}, and this program reads version ${knownVersion}: "boxtwin store migrate" brings it up to date.`,
      );
    // It may be idle for as long as its reader takes between two calls.
    await client.query('set idle_in_transaction_session_timeout = 0');
    await client.query('begin isolation level repeatable read read only');
  } catch (error) {
    await client.end();
    throw error;
  }
  const calls = postgresCalls();
  const take = taker(client);

  async function read(call: StoreCall): Promise<unknown> {
    try {
      return await toEnd(take, beginCall(calls, call));
    } catch (error) {
      const words = errorText(error);
      throw new StoreFailed(`${shown} cannot be read: ${words}.`, { cause: error });
    }
  }

  return storeOfCalls(calls, {
    read,
    write: () => Promise.reject(new StoreFailed('This is a snapshot: it can only be read.')),
    listen: () => () => undefined,
    close: () => client.end(),
  });
}

type Take = (step: Step) => Promise<{ readonly rows: readonly unknown[]; readonly changes: number }>;

function taker(client: Client): Take {
  const statements = preparedStatements();
  return async (step) => {
    if (step.kind !== 'statement') throw new StoreFailed('This is a snapshot: it can only be read.');
    const { rows, rowCount } = await client.query<Record<string, unknown>>(
      statements.query(step.statement, step.values),
    );
    return { rows, changes: rowCount ?? 0 };
  };
}

async function toEnd<Result>(take: Take, transaction: Transaction<Result>): Promise<Result> {
  let next = transaction.next();
  while (!next.done) next = transaction.next(await take(next.value));
  return next.value;
}

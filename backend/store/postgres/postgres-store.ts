import { Client, DatabaseError } from 'pg';
import type { Stream } from '../../../world/random/random.ts';
import type { Time } from '../../../world/time/time.ts';
import { type Store, StoreFailed, StoreTooNew } from '../port/store.ts';
import { type StoreCall, storeOfCalls } from '../port/store-calls.ts';
import { raisedWakeUp } from '../raised-wake-ups.ts';
import { type DatabaseAddress, readAddress } from './address.ts';
import { connectionConfig, openConnections } from './connections.ts';
import { executor } from './executor.ts';
import { type PostgresLimits, postgresLimits } from './limits.ts';
import { listening } from './listening.ts';
import { meaningOf } from './meaning.ts';
import { POSTGRES_MIGRATIONS } from './migrations/list.ts';
import type { PostgresMigration } from './migrations/migration.ts';
import { tellOthers } from './notices.ts';
import { openSentence } from './open-trouble.ts';
import { messageWriter } from './outbox/outbox-messages.ts';
import { beginCall, postgresCalls } from './postgres-calls.ts';
import { migrate } from './schema.ts';

export interface PostgresSettings {
  /** `postgres://user:password@host:5432/database`; address.ts says what it may hold. */
  readonly url: string;
  /** Certificates of the authorities that may have signed the server's, as PEM; absent: those that Node knows. */
  readonly authority?: string;
  readonly time: Time;
  /** Draws the waits before a call is carried out again. */
  readonly chance: Stream;
  readonly limits?: PostgresLimits;
  readonly migrations?: readonly PostgresMigration[];
}

/** One in PEM. Node takes a text without one for authorities that have signed nothing. */
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/;

/**
 * A store in a database of PostgreSQL, whose schema is brought up to date first. Several processes may use one at the same
 * time. Rejects with one line: `StoreFailed` where the address is unusable, or the database cannot be reached or used,
 * `StoreTooNew` where a newer program has written it.
 *
 * Calls reject with `StoreFailed` while the server is away, and go on once it is back. docs/store.md, PostgreSQL.
 */
export async function openPostgresStore(settings: PostgresSettings): Promise<Store> {
  const { url, authority, time, chance, limits = postgresLimits } = settings;
  const read = readAddress(url, { hasAuthority: authority !== undefined });
  if ('refusal' in read) throw new StoreFailed(read.refusal);
  const { address } = read;
  if (authority !== undefined && !CERTIFICATE.test(authority)) {
    throw new StoreFailed('The authority of the server holds no certificate. Its form is PEM.');
  }
  await bringUpToDate(address, authority, limits, settings.migrations ?? POSTGRES_MIGRATIONS);
  const connections = openConnections(connectionConfig(address, authority, limits), limits);
  const calls = postgresCalls();
  const by = String(chance.whole(1, Number.MAX_SAFE_INTEGER));
  const heard = listening({ config: connectionConfig(address, authority, limits), by, time, chance, limits });
  const carryOut = executor({
    connections,
    begin: (call) => beginCall(calls, call),
    outboxMessages: messageWriter(),
    tell: (call, result) => {
      const wakeUp = raisedWakeUp(call, result);
      return wakeUp === undefined ? undefined : tellOthers(wakeUp, by);
    },
    time,
    chance,
    limits,
    shown: address.shown,
  });
  const { whileOpen, close } = untilClosed(carryOut, async () => {
    await heard.close();
    await connections.close();
  });
  return storeOfCalls(calls, { write: whileOpen, read: whileOpen, listen: heard.listen, close });
}

async function bringUpToDate(
  address: DatabaseAddress,
  authority: string | undefined,
  limits: PostgresLimits,
  migrations: readonly PostgresMigration[],
): Promise<void> {
  const config = {
    ...connectionConfig(address, authority, limits),
    // Statements of a migration take longer than others.
    query_timeout: limits.migrateMs + limits.answerMs,
  };
  let client: Client | undefined;
  try {
    client = new Client(config);
    // One that breaks tells so twice: to the query, and here.
    client.on('error', () => undefined);
    await client.connect();
    await migrate(client, migrations, limits);
  } catch (error) {
    throw asOpenError(error, address, limits);
  } finally {
    await client?.end();
  }
}

function asOpenError(error: unknown, address: DatabaseAddress, limits: PostgresLimits): unknown {
  if (error instanceof StoreTooNew) return error;
  if (error instanceof StoreFailed) return new StoreFailed(`${address.shown}: ${error.message}`);
  // A migration that the database refuses is wrong, whatever it is called with.
  if (error instanceof DatabaseError && meaningOf(error) === 'wrong') return error;
  return new StoreFailed(openSentence(error, address, limits), { cause: error });
}

/** Carries out calls until it is closed: then it waits for those under way, and refuses others. */
function untilClosed(
  carryOut: (call: StoreCall) => Promise<unknown>,
  end: () => Promise<void>,
): { readonly whileOpen: (call: StoreCall) => Promise<unknown>; readonly close: () => Promise<void> } {
  const underWay = new Set<Promise<void>>();
  let closed: Promise<void> | undefined;
  return {
    whileOpen: (call) => {
      if (closed !== undefined) return Promise.reject(new StoreFailed('The store is closed.'));
      const outcome = carryOut(call);
      const settle = () => void underWay.delete(settled);
      const settled: Promise<void> = outcome.then(settle, settle);
      underWay.add(settled);
      return outcome;
    },
    close: () => {
      closed ??= Promise.all(underWay).then(end);
      return closed;
    },
  };
}

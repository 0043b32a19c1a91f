import process from 'node:process';
import { Client } from 'pg';
import type { Store } from '../../../backend/store/port/store.ts';
import { type PostgresLimits, postgresLimits } from '../../../backend/store/postgres/limits.ts';
import { openPostgresStore, type PostgresSettings } from '../../../backend/store/postgres/store.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';
import { realTime } from '../../../world/time/real-time.ts';
import type { StoreMaker } from './store-rows.ts';

let made = 0;

/** Databases of a test's own on a server. */
export interface TestDatabases {
  /** The address of a new one, without any table. */
  create(): Promise<string>;
  /** Carries out SQL with a connection to that database alone, and returns its rows. */
  query(url: string, sql: string): Promise<readonly Record<string, unknown>[]>;
  /** Drops them all, whoever is connected to them. */
  drop(): Promise<void>;
}

/** `serverUrl`: of a database there whose user may create others. */
export function testDatabases(serverUrl: string): TestDatabases {
  const names: string[] = [];
  return {
    async create() {
      made += 1;
      const name = `boxtwin_test_${process.pid}_${made}`;
      await query(serverUrl, `drop database if exists ${name} with (force)`);
      await query(serverUrl, `create database ${name}`);
      names.push(name);
      return databaseUrl(serverUrl, name);
    },
    query,
    async drop() {
      for (const name of names.splice(0)) await query(serverUrl, `drop database ${name} with (force)`);
    },
  };
}

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function query(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/**
 * The bounds of the product, but for how long a call waits: for tests that make calls wait for a lock, and let go of it
 * when the machine has carried out the rest.
 */
export const patientLimits: PostgresLimits = {
  ...postgresLimits,
  connectMs: 60_000,
  statementMs: 0,
  answerMs: 60_000,
  lockMs: 0,
};

let opened = 0;

/** A store there, with what is usual; fields can be replaced. */
export function openTestStore(url: string, change: Partial<PostgresSettings> = {}): Promise<Store> {
  // Each has chance of its own: it names itself among others by it.
  opened += 1;
  return openPostgresStore({
    url,
    time: realTime(),
    chance: seededRandom(opened).stream('retries'),
    ...change,
  });
}

/**
 * Makes empty stores for the contract. A database is used again once its store is closed: emptying its tables takes a
 * fraction of making one.
 */
export function postgresMaker(databases: TestDatabases): StoreMaker {
  const free: string[] = [];
  const places = new Map<Store, string>();

  async function openAt(url: string): Promise<Store> {
    const store = await openTestStore(url);
    const known: Store = {
      ...store,
      close: async () => {
        await store.close();
        places.delete(known);
        if (![...places.values()].includes(url)) free.push(url);
      },
    };
    places.set(known, url);
    return known;
  }

  function urlOf(store: Store): string {
    const url = places.get(store);
    if (url === undefined) throw new Error('That store is not open.');
    return url;
  }

  return {
    async open() {
      const used = free.pop();
      if (used !== undefined) await emptyDatabase(used);
      return openAt(used ?? (await databases.create()));
    },
    async beside(store) {
      const other = await openAt(urlOf(store));
      // The connection that hears others is made with the first listener: what is told before is lost.
      await new Promise<void>((resolve) => {
        const stop = other.listen(() => {
          stop();
          resolve();
        });
      });
      return other;
    },
    reopen: (store) => openAt(urlOf(store)),
  };
}

/** Tables whose rows the schema has made, and how each becomes what it was. */
const MADE_BY_SCHEMA: ReadonlyMap<string, string> = new Map([
  ['schema_version', ''],
  ['outbox_positions', 'update outbox_positions set messages = default, bytes = default'],
  ['outbox_removed', 'update outbox_removed set messages = default, bytes = default'],
  [
    'partition_leases',
    `update partition_leases set holder = default, fence = default, expires_ms = default, is_settled = default,
      is_subscribed = default`,
  ],
]);

/** Leaves the database as it was once its schema was made. */
export async function emptyDatabase(url: string): Promise<void> {
  const tables = await query(
    url,
    "select relname from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace",
  );
  const steps = tables.map(({ relname }) => {
    const name = String(relname);
    return MADE_BY_SCHEMA.get(name) ?? `delete from ${name}`;
  });
  await query(url, `begin; ${steps.join('; ')}; commit`);
}

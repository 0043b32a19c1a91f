import { Client } from 'pg';
import type { Store } from '../../../../backend/store/port/store.ts';
import { checkDatabase } from '../../../../backend/store/postgres/check-database.ts';
import { postgresLimits } from '../../../../backend/store/postgres/limits.ts';
import { emptyDatabase, openTestStore, type TestDatabases } from '../postgres-databases.ts';
import { type PostgresFaultProxy, startPostgresFaultProxy } from '../postgres-fault-proxy.ts';
import { COLUMN_OF_TEST, type Contents, contentsOfPostgres } from './contents.ts';

/** A database of PostgreSQL whose clock is a test's, and the line to it on which requests meet faults. */
export interface Stage {
  readonly proxy: PostgresFaultProxy;
  /** Empties the database, and opens a store in it, over that line. */
  open(): Promise<Store>;
  /** The store of another backend there. */
  beside(): Promise<Store>;
  setClock(nowMs: number): Promise<void>;
  /** The rows, past the line. */
  contents(): Promise<Contents>;
  /** Adds a column to that table, or removes it again: prepared statements that have all columns are outdated. */
  alterTable(table: string): Promise<void>;
  /** The rules of consistency that its rows break, with their numbers. */
  inconsistencies(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/**
 * The clock of PostgreSQL is read by a function, which another one in front of it in the path replaces: it reads a
 * sequence, which is in no transaction's way.
 */
const CLOCK = `
  create sequence test_clock minvalue 0 start 0;
  create function clock_timestamp() returns timestamptz language sql volatile
    as 'select pg_catalog.to_timestamp(last_value / 1000.0) from test_clock';
`;

export async function openStage(databases: TestDatabases): Promise<Stage> {
  const url = await databases.create();
  const name = new URL(url).pathname.slice(1);
  await databases.query(url, `alter database ${name} set search_path = public, pg_catalog`);
  await (await openTestStore(url)).close();
  const admin = new Client({ connectionString: url });
  await admin.connect();
  await admin.query(CLOCK);
  const { hostname, port } = new URL(url);
  const proxy = await startPostgresFaultProxy({ host: hostname, port: Number(port || 5432) });
  const through = new URL(url);
  through.host = `127.0.0.1:${proxy.port}`;
  const altered = new Set<string>();
  const openThere = () =>
    openTestStore(through.href, { limits: { ...postgresLimits, firstWaitMs: 1, lastWaitMs: 20 } });
  return {
    proxy,
    beside: openThere,
    async open() {
      await emptyDatabase(url);
      for (const table of altered) await admin.query(`alter table ${table} drop column ${COLUMN_OF_TEST}`);
      altered.clear();
      proxy.plan(new Map());
      return openThere();
    },
    async setClock(nowMs) {
      await admin.query("select setval('test_clock', $1)", [nowMs]);
    },
    contents: () => contentsOfPostgres(admin),
    async alterTable(table) {
      const isThere = altered.delete(table);
      if (!isThere) altered.add(table);
      const change = isThere ? `drop column ${COLUMN_OF_TEST}` : `add column ${COLUMN_OF_TEST} integer`;
      await admin.query(`alter table ${table} ${change}`);
    },
    async inconsistencies() {
      const { contents } = await checkDatabase({ url });
      return (contents?.inconsistencies ?? []).map(({ name: rule, rows }) => `${rule}: ${rows}`);
    },
    async close() {
      await admin.end();
      await proxy.close();
    },
  };
}

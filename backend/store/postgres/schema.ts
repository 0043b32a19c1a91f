import type { ClientBase } from 'pg';
import { StoreFailed, StoreTooNew } from '../port/store.ts';
import { oldestServer, type PostgresLimits } from './limits.ts';
import type { PostgresMigration } from './migrations/migration.ts';

/** The properties of a database, read before anything in it is changed. */
export interface DatabaseFacts {
  /** `server_version_num`: 150020 is 15.20. */
  readonly server: number;
  /** Where tables without a schema's name are; null: nowhere (the schema is missing, or is not this user's to use). */
  readonly schema: string | null;
  /** One of the existing tables; null: none. */
  readonly table: string | null;
  /** The schema's version; undefined: its table does not exist. */
  readonly version: number | undefined;
}

/** Why the database cannot be used, and the remedy; or undefined. `known`: the last version that this program has. */
export function refusalOf(
  { server, schema, table, version }: DatabaseFacts,
  known: number,
): StoreFailed | StoreTooNew | undefined {
  const major = Math.floor(server / 10_000);
  if (major < oldestServer) {
    return new StoreFailed(
      `The server is PostgreSQL ${major}, and ${oldestServer} is the oldest that is supported: use a newer server.`,
    );
  }
  if (schema === null) {
    return new StoreFailed(
      'The user has no schema in that database: create the schema public, and grant all on it to the user.',
    );
  }
  if (version === undefined && table !== null) {
    return new StoreFailed(
      `The schema ${schema} belongs to another program: it has a table ${table}, and no table of boxtwin. Nothing in it was changed. Use a separate database.`,
    );
  }
  if (version !== undefined && version > known) {
    return new StoreTooNew(
      `The database has schema version ${version}, this program supports versions up to ${known}: it was written by a newer program. Nothing in it was changed. Use that version, or another database.`,
    );
  }
  return undefined;
}

/** Of this program: "boxt" in ASCII. The second number is that of the lock. */
const LOCK = [0x626f7874, 1] as const;

/** Marks the database as ours, and lists its migrations. */
const VERSION_TABLE = `
  create table if not exists schema_version (
    version integer primary key,
    name text not null,
    applied_at timestamptz not null default now()
  )`;

/**
 * Migrates the schema to the last migration, each in a transaction of its own, under a lock: of several processes that
 * open the database one migrates it, and the others wait. Rejects with `StoreFailed` or `StoreTooNew` if the database
 * cannot be used; nothing in it is changed then. Rejects with the driver's error if a statement fails.
 *
 * The connection is to be closed afterwards: that releases the lock, and its time limits are those of migrations.
 */
export async function migrate(
  connection: ClientBase,
  migrations: readonly PostgresMigration[],
  limits: PostgresLimits,
): Promise<void> {
  const known = migrations.at(-1)?.version ?? 0;
  const before = await readFacts(connection);
  const refusal = refusalOf(before, known);
  if (refusal !== undefined) throw refusal;
  if (before.version === known) return;
  const { migrateMs, migrationLockMs } = limits;
  await connection.query(`set statement_timeout = ${migrateMs}; set lock_timeout = ${migrateMs}`);
  await connection.query(`select pg_advisory_lock(${LOCK.join(', ')})`);
  await connection.query(`set lock_timeout = ${migrationLockMs}`);
  // Another process may have been there first.
  const facts = await readFacts(connection);
  const secondRefusal = refusalOf(facts, known);
  if (secondRefusal !== undefined) throw secondRefusal;
  for (const { version, name, sql } of migrations) {
    if (version <= (facts.version ?? 0)) continue;
    await connection.query('begin');
    await connection.query(VERSION_TABLE);
    await connection.query(sql);
    await connection.query('insert into schema_version (version, name) values ($1, $2)', [version, name]);
    await connection.query('commit');
  }
}

interface FactsRow {
  readonly server: number;
  readonly schema: string | null;
  readonly found: string | null;
  readonly is_ours: number;
}

/** Reads the properties of a database. Rejects with the driver's error. */
export async function readFacts(connection: ClientBase): Promise<DatabaseFacts> {
  const { rows } = await connection.query<FactsRow>(`
    with tables as (
      select oid, relname::text as name from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
        -- those of extensions are nobody's
        and not exists (select 1 from pg_depend where objid = pg_class.oid and deptype = 'e')
    )
    select current_setting('server_version_num')::integer as server, current_schema() as schema,
      (select min(name) from tables) as found,
      -- Others have tables of that name too.
      (select count(*) from tables join pg_attribute on attrelid = tables.oid
        where name = 'schema_version' and attname in ('version', 'name', 'applied_at')) = 3 as is_ours`);
  const [{ server = 0, schema = null, found = null, is_ours: isOurs = 0 } = {}] = rows;
  if (isOurs === 0) return { server, schema, table: found, version: undefined };
  const versions = await connection.query<{ readonly version: number | null }>(
    'select max(version) as version from schema_version',
  );
  return { server, schema, table: found, version: versions.rows[0]?.version ?? 0 };
}

import type { ClientBase } from 'pg';
import { POSTGRES_MIGRATIONS } from './migrations/list.ts';
import { addressOf, type DatabasePlace, withOneConnection } from './one-connection.ts';
import { readFacts, refusalOf } from './schema.ts';

/** What can be read from a database without writing to it. */
export interface DatabaseLook {
  /** For people: where it is, without the password. */
  readonly shown: string;
  /** `15.20` */
  readonly server: string;
  /** The version of its schema; 0: it contains no boxtwin schema. */
  readonly version: number;
  /** The newest that this program writes. */
  readonly knownVersion: number;
  /** Why a store cannot be opened there, and the remedy; undefined: it can. */
  readonly refusal: string | undefined;
  /** The user may make tables there, as migrations do. */
  readonly mayCreate: boolean;
  /** Connections of this program's backends. */
  readonly users: number;
}

/** Inspects a database, also while backends use it. Rejects with `StoreFailed` if it cannot be reached. */
export function lookIntoDatabase(place: DatabasePlace): Promise<DatabaseLook> {
  return withOneConnection(place, (client) => lookOver(client, addressOf(place).shown));
}

/** The same over a connection. */
export async function lookOver(client: ClientBase, shown: string): Promise<DatabaseLook> {
  const knownVersion = POSTGRES_MIGRATIONS.at(-1)?.version ?? 0;
  const facts = await readFacts(client);
  const { rows } = await client.query<{
    readonly server: string;
    readonly may_create: number;
    readonly users: number;
  }>(`
    select split_part(current_setting('server_version'), ' ', 1) as server,
      has_schema_privilege(current_schema(), 'create') as may_create,
      (select count(*) from pg_stat_activity where datname = current_database()
        and application_name = 'boxtwin' and pid <> pg_backend_pid()) as users`);
  const [row] = rows;
  return {
    shown,
    server: row?.server ?? '',
    version: facts.version ?? 0,
    knownVersion,
    refusal: refusalOf(facts, knownVersion)?.message,
    mayCreate: row?.may_create === 1,
    users: row?.users ?? 0,
  };
}

import type { Client } from 'pg';
import type { CopiedRow, CopiedValue, CopySource } from '../../copy-source.ts';
import { StoreFailed } from '../../port/store.ts';
import { arrayParameter } from '../array-bytes.ts';
import { meaningOf, wordsOf } from '../meaning.ts';
import { migrateDatabase } from '../migrate-database.ts';
import { type DatabasePlace, withOneConnection } from '../one-connection.ts';
import { FILLED_BY_SCHEMA, inOrder, NOT_COPIED, writtenRow } from './copy-rules.ts';

/** The progress of a copy: the number of copied rows of one table. */
export interface CopyProgress {
  readonly table: string;
  readonly copied: number;
  readonly rows: number;
}

export interface CopiedTable {
  readonly name: string;
  readonly rows: number;
}

/** Rows of one statement, until one of these bounds is reached. */
const BATCH_ROWS = 1_000;
const BATCH_BYTES = 4_194_304;

/**
 * Copies a whole store into a database without rows, whose schema is brought up to date first, in one transaction:
 * until it ends, and if it is interrupted, the database has no rows. Resolves with what was copied, once the rows of
 * each table were counted on both sides. Rejects with one line, `StoreFailed` or `StoreTooNew`, if that is impossible.
 */
export async function copyStore(
  source: CopySource,
  place: DatabasePlace,
  tell: (progress: CopyProgress) => void,
): Promise<readonly CopiedTable[]> {
  await migrateDatabase(place);
  return withOneConnection(place, async (client) => {
    await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0');
    await client.query('begin');
    const schema = await readSchema(client);
    // Nothing else writes into it meanwhile; processes with an open store there wait until the commit.
    await client.query(`lock table ${[...schema.keys()].map(quoted).join(', ')} in share row exclusive mode`);
    await refuseRows(client, schema);
    const copied: CopiedTable[] = [];
    for (const table of inOrder(tablesOf(source, schema), await readReferences(client)))
      copied.push(await copyTable(client, source, table, schema.get(table) ?? new Map(), tell));
    await setCounters(client, source.lastPosition);
    await client.query('commit');
    // Without it, its first statements would be planned for empty tables.
    await client.query('analyze');
    return copied;
  });
}

/** The columns of each table by their names, with their types. */
type Schema = ReadonlyMap<string, ReadonlyMap<string, string>>;

async function readSchema(client: Client): Promise<Schema> {
  const { rows } = await client.query<{
    readonly name: string;
    readonly column: string;
    readonly type: string;
  }>(`
    select relname::text as name, attname::text as column, atttypid::regtype::text as type
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relkind = 'r' and relnamespace = current_schema()::regnamespace and attnum > 0 and not attisdropped
    order by relname, attnum`);
  const schema = new Map<string, Map<string, string>>();
  for (const { name, column, type } of rows) {
    const columns = schema.get(name) ?? new Map<string, string>();
    schema.set(name, columns.set(column, type));
  }
  return schema;
}

async function readReferences(client: Client) {
  const { rows } = await client.query<{ readonly from: string; readonly to: string }>(`
    select child.relname::text as "from", parent.relname::text as "to" from pg_constraint
    join pg_class child on child.oid = conrelid join pg_class parent on parent.oid = confrelid
    where contype = 'f' and connamespace = current_schema()::regnamespace`);
  return rows;
}

async function refuseRows(client: Client, schema: Schema): Promise<void> {
  for (const table of schema.keys()) {
    if (FILLED_BY_SCHEMA.includes(table)) continue;
    const { rowCount } = await client.query(`select from ${quoted(table)} limit 1`);
    if (rowCount === 0) continue;
    throw new StoreFailed(
      `it holds rows already, in its table ${table}. A store is copied only into a database without any: create a new one.`,
    );
  }
}

/** Throws `StoreFailed` if the source has a table that the target lacks: a part of the store would be lost. */
function tablesOf(source: CopySource, schema: Schema): readonly string[] {
  const wanted = source.tables.filter((table) => NOT_COPIED[table] === undefined);
  for (const table of wanted)
    for (const column of source.columnsOf(table))
      if (schema.get(table)?.has(column) !== true)
        throw new StoreFailed(`There is no place for the column ${column} of the table ${table}.`);
  return wanted;
}

async function copyTable(
  client: Client,
  source: CopySource,
  table: string,
  types: ReadonlyMap<string, string>,
  tell: (progress: CopyProgress) => void,
): Promise<CopiedTable> {
  const rows = source.count(table);
  const columns = source.columnsOf(table);
  const sql = `insert into ${quoted(table)} (${columns.map(quoted).join(', ')})
    select * from unnest(${columns.map((column, index) => `$${index + 1}::${listType(types.get(column))}`).join(', ')})`;
  let copied = 0;
  tell({ table, copied, rows });
  for (const batch of batchesOf(source, table)) {
    const lists = columns.map((column) => arrayParameter(batch.map((row) => row[column] ?? null) as never));
    await client.query(sql, lists).catch((error: unknown) => {
      if (meaningOf(error) === 'medium') throw error;
      throw new StoreFailed(`rows of the table ${table} were refused: ${wordsOf(error)}.`, { cause: error });
    });
    copied += batch.length;
    tell({ table, copied, rows });
  }
  const { rows: counted } = await client.query<{ readonly rows: number }>(
    `select count(*) as rows from ${quoted(table)}`,
  );
  const there = counted[0]?.rows ?? 0;
  if (there !== rows)
    throw new StoreFailed(`the table ${table} has ${there} rows behind the copy, and ${rows} before.`);
  return { name: table, rows };
}

function* batchesOf(source: CopySource, table: string): Generator<readonly CopiedRow[]> {
  let batch: CopiedRow[] = [];
  let bytes = 0;
  for (const row of source.rowsOf(table)) {
    const written = writtenRow(table, row, source);
    batch.push(written);
    for (const value of Object.values(written)) bytes += sizeOf(value);
    if (batch.length < BATCH_ROWS && bytes < BATCH_BYTES) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

function sizeOf(value: CopiedValue): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
}

/** As a list is passed (backend/store/postgres/array-bytes.ts); the database makes the column's own type of it. */
function listType(type: string | undefined): string {
  if (type === 'text' || type === 'bytea') return `${type}[]`;
  return 'bigint[]';
}

/** Sequences that continue after the copied rows. */
async function setCounters(client: Client, lastPosition: number): Promise<void> {
  await client.query('update outbox_positions set last_position = (partition::bigint << 46) + $1::bigint', [
    lastPosition,
  ]);
  await client.query(`
    update outbox_positions set messages = waiting.messages, bytes = waiting.bytes
    from (
      select partition, count(*) as messages, sum(octet_length(body)) as bytes from outbox group by partition
    ) waiting where waiting.partition = outbox_positions.partition`);
  const { rows } = await client.query<{ readonly name: string; readonly column: string }>(`
    select relname::text as name, attname::text as column
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = current_schema()::regnamespace and attidentity = 'd'`);
  for (const { name, column } of rows)
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), max(${quoted(column)})) from ${quoted(name)}
        having max(${quoted(column)}) is not null`,
      [name, column],
    );
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

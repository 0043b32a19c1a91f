import type { Database } from 'better-sqlite3';
import type { Client } from 'pg';
import { limits } from '../../../../backend/base/limits.ts';

/** A row as it is in the database, by column. */
export type Row = Readonly<Record<string, unknown>>;

/** All rows of the tables that both databases have. */
export type Contents = Readonly<Record<TableName, readonly Row[]>>;

interface TableOrder {
  readonly key: readonly string[];
  readonly hidden?: readonly string[];
}

/**
 * The tables that both databases have, with the columns that order their rows. Columns that only order rows, and have
 * other values in the two, are left out once the rows are sorted: `hidden`.
 */
const TABLES = {
  fleets: { key: ['id'] },
  clients: { key: ['id'] },
  boxes: { key: ['id'] },
  records: { key: ['box_id', 'epoch', 'sequence'] },
  quarantine: { key: ['id'], hidden: ['id'] },
  commands: { key: ['request_id'] },
  vehicles: { key: ['id'] },
  configurations: { key: ['box_id'] },
  users: { key: ['id'] },
  sessions: { key: ['digest'] },
  grants: { key: ['id'] },
  grant_secrets: { key: ['digest'] },
  third_party: { key: ['vehicle_id'] },
  maker_vehicles: { key: ['maker', 'maker_vehicle_id'] },
  bulk_jobs: { key: ['id'] },
  bulk_items: { key: ['job_id', 'position'] },
  subscriptions: { key: ['id'] },
  subscription_queues: { key: ['name'] },
  outbox: { key: ['partition', 'position'], hidden: ['position'] },
  outbox_dropped: { key: ['message_id'], hidden: ['position', 'ordinal'] },
  outbox_drops: { key: ['fleet_id', 'reason'] },
  write_probe: { key: ['id'] },
  backends: { key: ['name'] },
  partition_leases: { key: ['partition'] },
  quotas: { key: ['client_id'] },
  installation: { key: ['one'] },
} as const satisfies Readonly<Record<string, TableOrder>>;

export type TableName = keyof typeof TABLES;

const NAMES = Object.keys(TABLES) as readonly TableName[];

/** A column that PostgreSQL alone has, now and then. */
export const COLUMN_OF_TEST = 'of_test';

/** What is in a database of SQLite, sorted. */
export function contentsOfSqlite(database: Database): Contents {
  return sorted((name) => database.prepare<[], Row>(`select * from ${name}`).all());
}

/** What is in a database of PostgreSQL, sorted, as it was at one moment. */
export async function contentsOfPostgres(client: Client): Promise<Contents> {
  const tables = NAMES.map((name) => `'${name}', (select json_agg(t) from ${name} t)`);
  const { rows } = await client.query<{ readonly all: Record<string, readonly Row[] | null> }>(
    `select json_build_object(${tables.join(', ')}) as all`,
  );
  return sorted((name) => (rows[0]?.all[name] ?? []).map(({ [COLUMN_OF_TEST]: _, ...row }) => row));
}

function sorted(rowsOf: (name: TableName) => readonly Row[]): Contents {
  const tables = NAMES.map((name) => {
    const { key } = TABLES[name];
    return [name, rowsOf(name).toSorted((one, other) => order(one, other, key))] as const;
  });
  return Object.fromEntries(tables) as unknown as Contents;
}

function order(one: Row, other: Row, key: readonly string[]): number {
  for (const column of key) {
    const [before, after] = [one[column], other[column]] as [string | number, string | number];
    if (before !== after) return before < after ? -1 : 1;
  }
  return 0;
}

/** The contents as texts that are equal if the two databases hold the same: one for each row. */
export function comparable(contents: Contents, nowMs: number): readonly string[] {
  return NAMES.flatMap((name) => {
    const { hidden = [] }: TableOrder = TABLES[name];
    const rows = name === 'commands' ? contents.commands.filter((row) => !isOld(row, nowMs)) : contents[name];
    return rows.map((row, index) => {
      const shown = Object.entries(row).filter(([column]) => !hidden.includes(column));
      const place = hidden.length > 0 ? `${index} ` : '';
      return `${name} ${place}${canonical(Object.fromEntries(shown.map(([column, value]) => [column, plain(value)])))}`;
    });
  });
}

/** A store removes these once in a while, as it remembers in memory: the two do not at the same time. */
function isOld(command: Row, nowMs: number): boolean {
  return command['outcome'] !== 'open' && Number(command['opened_ms']) < nowMs - limits.retentionMs;
}

/** JSON in a column has no order of members, and bytes are as PostgreSQL writes them. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`;
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** A value as text, the same for equal values: without absent members, members and entries in order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) => {
    // PostgreSQL has no NUL in texts: backend/store/postgres/texts.ts.
    if (typeof member === 'string') return member.replaceAll('\0', '\ufffd');
    if (member instanceof Map) return { map: [...member].map((entry) => canonical(entry)).sort(byText) };
    if (member instanceof Uint8Array) return { bytes: Buffer.from(member).toString('hex') };
    if (member === null || typeof member !== 'object' || Array.isArray(member)) return member;
    return Object.fromEntries(Object.entries(member).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

function byText(one: string, other: string): number {
  return one < other ? -1 : 1;
}

/** The lines that only one of the two has. */
export function differences(postgres: readonly string[], sqlite: readonly string[]): readonly string[] {
  const [ofPostgres, ofSqlite] = [new Set(postgres), new Set(sqlite)];
  return [
    ...postgres.filter((line) => !ofSqlite.has(line)).map((line) => `PostgreSQL: ${line}`),
    ...sqlite.filter((line) => !ofPostgres.has(line)).map((line) => `SQLite:     ${line}`),
  ];
}

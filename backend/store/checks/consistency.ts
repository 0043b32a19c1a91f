/** A database to check. Both methods reject with the driver's error. */
export interface CheckedDatabase {
  /** All of them, by name, those of the schema itself too. */
  tables(): Promise<readonly string[]>;
  /** The single number that a statement without parameters returns. */
  number(sql: string): Promise<number>;
}

/** Rows that break a rule. */
export interface Inconsistency {
  readonly name: string;
  readonly rows: number;
  /** Its meaning and the remedy. */
  readonly detail: string;
}

/** The result of checking the rows of a store. */
export interface StoreContents {
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  readonly inconsistencies: readonly Inconsistency[];
}

/** One consistency rule. Its statement counts the rows that break it. */
interface Rule {
  readonly name: string;
  readonly sql: string;
  readonly detail: string;
}

const RESTORE = 'Stop the service, and restore a copy from before.';

/** The rules for both databases. */
const RULES: readonly Rule[] = [
  {
    name: 'vehicles without their box',
    sql: `select count(*) from vehicles where box_id is not null
      and not exists (select 1 from boxes where boxes.id = vehicles.box_id)`,
    detail: `What their boxes send is refused. ${RESTORE}`,
  },
  {
    name: 'vehicles of no fleet',
    sql: 'select count(*) from vehicles where not exists (select 1 from fleets where fleets.id = vehicles.fleet_id)',
    detail: `No client sees them. ${RESTORE}`,
  },
  {
    name: 'open commands of no vehicle',
    sql: `select count(*) from commands where outcome = 'open'
      and not exists (select 1 from vehicles where vehicles.id = commands.vehicle_id)`,
    detail: 'They end by their time limit, without a notification.',
  },
  {
    name: 'configurations of no box',
    sql: 'select count(*) from configurations where not exists (select 1 from boxes where boxes.id = configurations.box_id)',
    detail: `They reach no box. ${RESTORE}`,
  },
  {
    name: 'partitions without a lease',
    sql: 'select 64 - count(*) from partition_leases where partition between 0 and 63',
    detail: `No backend of several would serve them. ${RESTORE}`,
  },
];

/** Counts the rows of each table, and those that break a rule; `more`: of this kind of database. */
export async function lookOverContents(
  database: CheckedDatabase,
  more: readonly Rule[],
): Promise<StoreContents> {
  const tables: { readonly name: string; readonly rows: number }[] = [];
  for (const name of await database.tables())
    tables.push({ name, rows: await database.number(`select count(*) from "${name}"`) });
  const inconsistencies: Inconsistency[] = [];
  for (const { name, sql, detail } of [...RULES, ...more]) {
    const rows = await database.number(sql);
    if (rows !== 0) inconsistencies.push({ name, rows, detail });
  }
  return { tables, inconsistencies };
}

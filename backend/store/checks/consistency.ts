/** A database of ours that is looked at. Both methods reject with the driver's error. */
export interface CheckedDatabase {
  /** All of them, by name, those of the schema itself too. */
  tables(): Promise<readonly string[]>;
  /** The one number that a statement without parameters comes to. */
  number(sql: string): Promise<number>;
}

/** Rows that should not be there. */
export interface Inconsistency {
  readonly name: string;
  readonly rows: number;
  /** What it means, and what to do. */
  readonly detail: string;
}

/** What a look at the rows of a store has come to. */
export interface StoreContents {
  readonly tables: readonly { readonly name: string; readonly rows: number }[];
  readonly inconsistencies: readonly Inconsistency[];
}

/** One thing that has to be so. Its statement counts the rows for which it is not. */
interface Rule {
  readonly name: string;
  readonly sql: string;
  readonly detail: string;
}

const RESTORE = 'Stop the service, and restore a copy from before.';

/** What both databases are held to. */
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
    detail: 'They end by their time limit, and nobody is told.',
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

import { type RawBuilder, sql } from 'kysely';
import { countByBox, NO_RECORDS } from '../../calls/record-counts.ts';
import type { BoxChange, StoredRecord } from '../../port/ingest-store.ts';
import type { ListOf, SqlList } from '../../statements/statement.ts';

/** Lists by the names of columns: each has one element for each change. */
export type ColumnLists = Readonly<Record<string, SqlList>>;

/** A column of `boxes` that a change may have a value for. */
export interface Column {
  readonly name: string;
  readonly type: 'text' | 'bigint';
  /** Its value; undefined: the change leaves it as it is. */
  readonly of: (change: BoxChange) => string | number | null | undefined;
  /** Null is a value: so a list of flags says whether it is given. */
  readonly isNullable?: true;
}

/** The columns that a record usually changes. */
export const USUAL_COLUMNS: readonly Column[] = [
  { name: 'last_contact_ms', type: 'bigint', of: ({ lastContactMs }) => lastContactMs },
  {
    name: 'journal',
    type: 'text',
    of: ({ journal }) => (journal === undefined ? undefined : JSON.stringify(journal)),
  },
  { name: 'state', type: 'text', of: ({ stateText }) => stateText },
];

/** With the others, in one statement too: a second one would write a second version of the whole row. */
export const ALL_COLUMNS: readonly Column[] = [
  ...USUAL_COLUMNS,
  { name: 'generation', type: 'bigint', of: ({ generation }) => generation },
  { name: 'firmware_major', type: 'bigint', of: ({ firmware }) => firmware?.[0] },
  { name: 'firmware_minor', type: 'bigint', of: ({ firmware }) => firmware?.[1] },
  { name: 'hardware_revision', type: 'bigint', of: ({ hardwareRevision }) => hardwareRevision },
  {
    name: 'connection_counter',
    type: 'bigint',
    isNullable: true,
    of: ({ connection }) => (connection === null ? null : connection?.counter),
  },
  {
    name: 'connection_open',
    type: 'bigint',
    isNullable: true,
    of: ({ connection }) => (connection ? flag(connection.open) : connection),
  },
  {
    name: 'not_ready_until_ms',
    type: 'bigint',
    isNullable: true,
    of: ({ notReadyUntilMs }) => notReadyUntilMs,
  },
  { name: 'life', type: 'text', of: ({ life }) => life?.value },
  { name: 'life_since_ms', type: 'bigint', of: ({ life }) => life?.sinceMs },
  {
    name: 'sim_suspended_ms',
    type: 'bigint',
    isNullable: true,
    of: ({ simSuspendedMs }) => simSuspendedMs,
  },
];

const RARE_COLUMNS = ALL_COLUMNS.slice(USUAL_COLUMNS.length);

/** Whether the usual columns are not all that it changes. */
export function hasRare(change: BoxChange): boolean {
  return RARE_COLUMNS.some(({ of }) => of(change) !== undefined);
}

/** Besides the columns: which box it is, the version of its change, and what its records add to its numbers. */
const KEYS = { id: 'text', version: 'bigint', records: 'bigint', lost: 'bigint' } as const;

/** Finds the boxes that still have the version of their change, and locks them in the order of their ids. */
export function lockBoxes(list: ListOf<ColumnLists>): RawBuilder<unknown> {
  return sql`
    select b.id from boxes b
    join unnest(${ofUnknownLength(list('id'), 'text')}, ${ofUnknownLength(list('version'), 'bigint')}) as c (id, version)
      on b.id = c.id and b.version = c.version
    order by b.id for no key update of b`;
}

/** Writes the boxes, which `lockBoxes` has found all, on that condition. */
export function updateBoxes(
  columns: readonly Column[],
  list: ListOf<ColumnLists>,
  onlyIf: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const lists: readonly (readonly [name: string, type: string])[] = [
    ...Object.entries(KEYS),
    ...columns.map(({ name, type }) => [name, type] as const),
    ...columns.filter(({ isNullable }) => isNullable).map(({ name }) => [givenName(name), 'bigint'] as const),
  ];
  return sql`
    update boxes b set version = b.version + 1, records_stored = b.records_stored + c.records,
      records_lost = b.records_lost + c.lost, ${sql.join(columns.map(assignment))}
    from unnest(${sql.join(lists.map(([name, type]) => ofUnknownLength(list(name), type)))})
      as c (${sql.join(lists.map(([name]) => sql.id(name)))})
    where b.id = c.id and b.version = c.version and ${onlyIf}`;
}

/**
 * PostgreSQL plans a statement anew at each call if it expects to gain by it, and it does where it sees that a list is short:
 * the plan of one box takes longer than its commit. Without the length the plan is the same for all, and is made once.
 */
function ofUnknownLength(list: RawBuilder<unknown>, type: string): RawBuilder<unknown> {
  return sql`(select ${list}::${sql.raw(type)}[])`;
}

function assignment({ name, isNullable }: Column): RawBuilder<unknown> {
  const [column, before, after] = [sql.id(name), sql.id('b', name), sql.id('c', name)];
  return isNullable
    ? sql`${column} = case when ${sql.id('c', givenName(name))} = 1 then ${after} else ${before} end`
    : sql`${column} = coalesce(${after}, ${before})`;
}

/** The changes as lists, for the update of those columns. */
export function changeLists(
  columns: readonly Column[],
  batch: readonly BoxChange[],
  batchRecords: readonly StoredRecord[],
): ColumnLists {
  // All writers of several boxes lock them in this order, to avoid deadlocks.
  const changes = batch.toSorted((one, other) => (one.boxId < other.boxId ? -1 : 1));
  const counts = countByBox(batchRecords);
  const of = changes.map(({ boxId }) => counts.get(boxId) ?? NO_RECORDS);
  const lists: Record<string, SqlList> = {
    id: changes.map(({ boxId }) => boxId),
    version: changes.map(({ version }) => version),
    records: of.map(({ records }) => records),
    lost: of.map(({ lost }) => lost),
  };
  for (const column of columns) {
    const values = changes.map(column.of);
    // Of one column all are of one type.
    lists[column.name] = values.map((value) => value ?? null) as SqlList;
    if (column.isNullable) lists[givenName(column.name)] = values.map((value) => flag(value !== undefined));
  }
  return lists;
}

function givenName(column: string): string {
  return `has_${column}`;
}

function flag(isSo: boolean): number {
  return isSo ? 1 : 0;
}

import { sql } from 'kysely';
import type { IngestBatch, IngestResult } from '../../port/ingest-store.ts';
import { type ListOf, statement } from '../../statements/statement.ts';
import { all, type Transaction, wholly } from '../../statements/transaction.ts';
import { appendMessages, type MessageLists, messageLists, messageRows } from '../outbox/outbox-messages.ts';
import {
  ALL_COLUMNS,
  type Column,
  type ColumnLists,
  changeLists,
  hasRare,
  lockBoxes,
  USUAL_COLUMNS,
  updateBoxes,
} from './box-changes.ts';
import { insertRecords, recordLists } from './records.ts';

/** The part of a batch that is always written by one statement. */
type Written = Pick<IngestBatch, 'leases' | 'boxes' | 'records'>;

/** What is in the way of a batch, or a partition that it has written messages of. */
interface Row {
  /** A partition that another backend has taken; with `before`: one that has got messages after that position. */
  readonly partition: number | null;
  /** A box with another version. */
  readonly stale: string | null;
  readonly before: number | null;
}

const ONLY_IF = sql`not exists (select from conflict)`;

/**
 * The leases, the boxes with those columns, and the records of a batch, and the conflicts: usually none. If there are any,
 * nothing is written. The rows of the leases are locked, so that no backend takes a partition before this commit has ended;
 * their holder may renew them meanwhile (docs/store.md, Locks of leases).
 */
const begin = (columns: readonly Column[], list: ListOf<ColumnLists>) => sql`
  held as materialized (
    select partition, fence from partition_leases where partition = any(${list('partition')}::bigint[])
    order by partition for key share
  ), known as materialized (${lockBoxes(list)}), conflict as materialized (
    select lease.partition, null as stale
    from unnest(${list('partition')}::bigint[], ${list('fence')}::bigint[]) as lease (partition, fence)
    where (lease.partition, lease.fence) not in (select partition, fence from held)
    union all
    select null, change.id from unnest(${list('id')}::text[]) as change (id)
    where change.id not in (select id from known)
  ), changed as (${updateBoxes(columns, list, ONLY_IF)}), stored as (${insertRecords(list, ONLY_IF)})`;

const partOf = (columns: readonly Column[]) =>
  statement(
    (_, __, list: ListOf<ColumnLists>) => sql<Row>`
      with ${begin(columns, list)} select partition, stale, null::bigint as before from conflict`,
  );
const wholeOf = (columns: readonly Column[]) =>
  statement(
    (_, __, list: ListOf<ColumnLists & MessageLists>) => sql<Row>`
      with ${begin(columns, list)}, ${appendMessages(list, ONLY_IF)}
      select partition, stale, null::bigint as before from conflict
      union all
      select partition, null, before from raised`,
  );
const USUAL = { columns: USUAL_COLUMNS, part: partOf(USUAL_COLUMNS), whole: wholeOf(USUAL_COLUMNS) } as const;
const RARE = { columns: ALL_COLUMNS, part: partOf(ALL_COLUMNS), whole: wholeOf(ALL_COLUMNS) } as const;

function statementsFor({ boxes }: Pick<Written, 'boxes'>): typeof USUAL {
  return boxes.some(hasRare) ? RARE : USUAL;
}

/** What was in the way: if anything was, nothing is written. */
interface Conflicts {
  readonly lostLeases: readonly number[];
  readonly stale: readonly string[];
}

/**
 * Writes them, and checks the fences in the same statement, where SQLite asks `lostLeases` before: it saves a round trip.
 */
export function* writeBatch(batch: Written): Transaction<Conflicts> {
  const { leases = [], boxes, records } = batch;
  if (leases.length + boxes.length + records.length === 0) return { lostLeases: [], stale: [] };
  const { part, columns } = statementsFor(batch);
  return conflictsIn(yield* all(part, listsOf(batch, columns)), batch);
}

/** Writes a batch that has nothing else than these and messages, for which there is room: one statement is its transaction. */
export function* writeWhole(batch: Written & Pick<IngestBatch, 'messages'>): Transaction<IngestResult> {
  const { messages } = batch;
  const { whole, columns } = statementsFor(batch);
  const rows = yield* wholly(whole, { ...listsOf(batch, columns), ...messageLists(messages) });
  const { lostLeases, stale } = conflictsIn(rows, batch);
  if (lostLeases.length > 0) return { stale: [], settled: [], lostLeases };
  if (stale.length > 0 || messages.length === 0) return { stale, settled: [] };
  const positions = rows.flatMap(({ partition, before }) =>
    partition === null || before === null ? [] : { partition, before },
  );
  return { stale, settled: [], written: messageRows(messages, positions) };
}

function listsOf({ leases = [], boxes, records }: Written, columns: readonly Column[]): ColumnLists {
  return {
    partition: leases.map(({ partition }) => partition),
    fence: leases.map(({ fence }) => fence),
    ...changeLists(columns, boxes, records),
    ...recordLists(records),
  };
}

function conflictsIn(rows: readonly Row[], { leases = [], boxes }: Written): Conflicts {
  const conflicts = rows.filter(({ before }) => before === null);
  const lost = new Set(conflicts.map((row) => row.partition));
  const stale = new Set(conflicts.map((row) => row.stale));
  return {
    lostLeases: leases.map(({ partition }) => partition).filter((partition) => lost.has(partition)),
    stale: boxes.map(({ boxId }) => boxId).filter((boxId) => stale.has(boxId)),
  };
}

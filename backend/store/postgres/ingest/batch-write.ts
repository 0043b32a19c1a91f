import { sql } from 'kysely';
import type { IngestBatch } from '../../port/ingest-store.ts';
import { type ListOf, statement } from '../../statements/statement.ts';
import { all, type Transaction } from '../../statements/transaction.ts';
import {
  ALL_COLUMNS,
  type Column,
  type ColumnLists,
  changeLists,
  hasRare,
  USUAL_COLUMNS,
  updateBoxes,
} from './box-changes.ts';
import { insertRecords, recordLists } from './records.ts';

/** What must not be written after all: a partition that another backend has taken, or a box with another version. */
interface Conflict {
  readonly partition: number | null;
  readonly stale: string | null;
}

/**
 * The leases, the boxes with those columns, and the records of a batch, and the conflicts: usually none. The rows of
 * the leases are locked, so that no backend takes a partition before this commit has ended; their holder may renew them
 * meanwhile (docs/store.md, Locks of leases).
 */
const writeOf = (columns: readonly Column[]) =>
  statement(
    (_, __, list: ListOf<ColumnLists>) => sql<Conflict>`
      with held as materialized (
        select partition, fence from partition_leases where partition = any(${list('partition')}::bigint[])
        order by partition for key share
      ), changed as (${updateBoxes(columns, list)}), stored as (${insertRecords(list)})
      select lease.partition, null as stale
      from unnest(${list('partition')}::bigint[], ${list('fence')}::bigint[]) as lease (partition, fence)
      where (lease.partition, lease.fence) not in (select partition, fence from held)
      union all
      select null, change.id from unnest(${list('id')}::text[]) as change (id)
      where change.id not in (select id from changed)`,
  );
const writeUsual = writeOf(USUAL_COLUMNS);
const writeAll = writeOf(ALL_COLUMNS);

/**
 * Writes them, and checks the fences in the same statement, where SQLite asks `lostLeases` before: it saves a round trip.
 * Returns the conflicts; if there are any, the transaction has to be rolled back.
 */
export function* writeBatch({
  leases = [],
  boxes,
  records,
}: Pick<IngestBatch, 'leases' | 'boxes' | 'records'>): Transaction<{
  readonly lostLeases: readonly number[];
  readonly stale: readonly string[];
}> {
  if (leases.length + boxes.length + records.length === 0) return { lostLeases: [], stale: [] };
  const isRare = boxes.some(hasRare);
  const conflicts = yield* all(isRare ? writeAll : writeUsual, {
    partition: leases.map(({ partition }) => partition),
    fence: leases.map(({ fence }) => fence),
    ...changeLists(isRare ? ALL_COLUMNS : USUAL_COLUMNS, boxes, records),
    ...recordLists(records),
  });
  const lost = new Set(conflicts.map((row) => row.partition));
  const stale = new Set(conflicts.map((row) => row.stale));
  return {
    lostLeases: leases.map(({ partition }) => partition).filter((partition) => lost.has(partition)),
    stale: boxes.map(({ boxId }) => boxId).filter((boxId) => stale.has(boxId)),
  };
}

import { sql } from 'kysely';
import { limits } from '../../../base/limits.ts';
import type { Quarantined } from '../../port/ingest-store.ts';
import { type ListOf, statement, type ValueOf } from '../../statements/statement.ts';
import { run, type Transaction } from '../../statements/transaction.ts';

type Rows = {
  readonly boxId: readonly string[];
  readonly receivedMs: readonly number[];
  readonly fault: readonly string[];
  readonly offset: readonly number[];
  readonly detail: readonly string[];
  readonly bytes: readonly Uint8Array[];
};

const insert = statement(
  (_, __, list: ListOf<Rows>) => sql`
    insert into quarantine (box_id, received_ms, fault, byte_offset, detail, bytes)
    select box_id, received_ms, fault, byte_offset, detail, bytes
    from unnest(${list('boxId')}::text[], ${list('receivedMs')}::bigint[], ${list('fault')}::text[],
      ${list('offset')}::bigint[], ${list('detail')}::text[], ${list('bytes')}::bytea[])
      with ordinality as given (box_id, received_ms, fault, byte_offset, detail, bytes, place)
    order by place`,
);
/**
 * The rule of `beyondShare` of the SQLite store: each box keeps its newest row, then each its second one, and so on
 * until the bound; of equal ones the newest stay.
 */
const pruneBeyond = statement(
  (_, value: ValueOf<{ readonly most: number }>) => sql`
    delete from quarantine where (select count(*) from quarantine) > ${value('most')} and id in (
      select id from (
        select id, row_number() over (partition by box_id order by id desc) as place from quarantine) ranked
      order by place, id desc offset ${value('most')})`,
);
const pruneAged = statement(
  (_, value: ValueOf<{ readonly beforeMs: number; readonly most: number }>) => sql`
    delete from quarantine where received_ms < ${value('beforeMs')} and id in (
      select id from quarantine order by id limit ${value('most')})`,
);

/** Writes quarantine and keeps it within its bounds of number (`most`) and age. */
export function* writeQuarantine(
  rows: readonly Quarantined[],
  most: number = limits.quarantineRows,
): Transaction<void> {
  const newest = rows.at(-1);
  if (newest === undefined) return;
  yield* run(insert, {
    boxId: rows.map(({ boxId }) => boxId),
    receivedMs: rows.map(({ receivedMs }) => receivedMs),
    fault: rows.map(({ fault }) => fault),
    offset: rows.map(({ offset }) => offset),
    detail: rows.map(({ detail }) => detail),
    bytes: rows.map(({ bytes }) => bytes.subarray(0, limits.quarantineBytes)),
  });
  yield* run(pruneBeyond, { most });
  yield* run(pruneAged, { beforeMs: newest.receivedMs - limits.retentionMs, most: limits.prunedPerCall });
}

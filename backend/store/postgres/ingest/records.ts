import { sql } from 'kysely';
import { limits } from '../../../limits.ts';
import type { StoredRecord } from '../../port/ingest-store.ts';
import { type ListOf, statement, type ValueOf } from '../../statements/statement.ts';
import { first, run, type Transaction } from '../../statements/transaction.ts';

type Records = {
  readonly boxId: readonly string[];
  readonly epoch: readonly number[];
  readonly sequence: readonly number[];
  readonly kind: readonly string[];
  readonly clockMs: readonly number[];
  readonly receivedMs: readonly number[];
  readonly messageId: readonly (string | null)[];
  readonly lost: readonly number[];
  readonly coversFirst: readonly (number | null)[];
  readonly coversLast: readonly (number | null)[];
};

/** The journal position has removed duplicates already; the key is the last safeguard. */
const insert = statement(
  (_, __, list: ListOf<Records>) => sql`
    insert into records
      (box_id, epoch, sequence, kind, clock_ms, received_ms, message_id, lost, covers_first, covers_last)
    select * from unnest(${list('boxId')}::text[], ${list('epoch')}::bigint[], ${list('sequence')}::bigint[],
      ${list('kind')}::text[], ${list('clockMs')}::bigint[], ${list('receivedMs')}::bigint[], ${list('messageId')}::text[],
      ${list('lost')}::bigint[], ${list('coversFirst')}::bigint[], ${list('coversLast')}::bigint[])
    on conflict do nothing`,
);

type Beyond = {
  readonly boxId: readonly string[];
  readonly epoch: readonly number[];
  readonly upTo: readonly number[];
};

const pruneBeyond = statement(
  (_, __, list: ListOf<Beyond>) => sql`
    delete from records r
    using unnest(${list('boxId')}::text[], ${list('epoch')}::bigint[], ${list('upTo')}::bigint[])
      as beyond (box_id, epoch, up_to)
    where r.box_id = beyond.box_id and r.epoch = beyond.epoch and r.sequence <= beyond.up_to`,
);
/** Rows that another backend removes at the same time are left to it. */
const pruneAged = statement(
  (_, value: ValueOf<{ readonly beforeMs: number; readonly most: number }>) => sql`
    delete from records where ctid = any(array(
      select ctid from records where received_ms < ${value('beforeMs')} order by received_ms limit ${value('most')}
      for update skip locked))`,
);
const findOldest = statement(({ query }) =>
  query.selectFrom('records').select(({ fn }) => fn.min('received_ms').as('received_ms')),
);

/**
 * Writes and prunes the ledger of records. Each time a box's sequence passes a multiple of the stride, its
 * rows beyond the bound are removed. Each call also removes the oldest expired rows of all boxes and epochs,
 * past epochs and silent boxes included: at most twice what it writes, or `limits.prunedPerCall`, so that a
 * backlog shrinks and no call takes long. While no row can be old enough, it does not look for any.
 */
export function recordWriter(): (rows: readonly StoredRecord[]) => Transaction<void> {
  // No row is older. After a rollback, or by what others write, it may be wrong by little: that costs a look, or rows that
  // stay for that much longer.
  let oldestMs = Number.NEGATIVE_INFINITY;

  function* prune(beforeMs: number, most: number): Transaction<void> {
    if (oldestMs >= beforeMs) return;
    // Raised only by a call that removed nothing: its rollback brings nothing older back.
    if ((yield* run(pruneAged, { beforeMs, most })) > 0) return;
    oldestMs = (yield* first(findOldest, {}))?.received_ms ?? Number.POSITIVE_INFINITY;
  }

  return function* (rows) {
    const newest = rows.at(-1);
    if (newest === undefined) return;
    yield* run(insert, listsOf(rows));
    const beyond = rows.filter(({ sequence }) => sequence % limits.recordPruneStride === 0);
    if (beyond.length > 0) {
      yield* run(pruneBeyond, {
        boxId: beyond.map(({ boxId }) => boxId),
        epoch: beyond.map(({ epoch }) => epoch),
        upTo: beyond.map(({ sequence }) => sequence - limits.recordsPerBox),
      });
    }
    for (const { receivedMs } of rows) oldestMs = Math.min(oldestMs, receivedMs);
    yield* prune(newest.receivedMs - limits.retentionMs, Math.max(limits.prunedPerCall, 2 * rows.length));
  };
}

function listsOf(rows: readonly StoredRecord[]): Records {
  return {
    boxId: rows.map(({ boxId }) => boxId),
    epoch: rows.map(({ epoch }) => epoch),
    sequence: rows.map(({ sequence }) => sequence),
    kind: rows.map(({ kind }) => kind),
    clockMs: rows.map(({ clockMs }) => clockMs),
    receivedMs: rows.map(({ receivedMs }) => receivedMs),
    messageId: rows.map(({ messageId }) => messageId ?? null),
    lost: rows.map(({ lost }) => lost),
    coversFirst: rows.map(({ covers }) => covers?.[0] ?? null),
    coversLast: rows.map(({ covers }) => covers?.[1] ?? null),
  };
}

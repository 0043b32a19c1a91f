import { type RawBuilder, sql } from 'kysely';
import { limits } from '../../../base/limits.ts';
import type { StoredRecord } from '../../port/ingest-store.ts';
import { type ListOf, statement, type ValueOf } from '../../statements/statement.ts';
import { first, run, type Transaction } from '../../statements/transaction.ts';
import type { ColumnLists } from './box-changes.ts';

/** Adds records, on that condition. The journal position has removed duplicates already; the key is the last safeguard. */
export function insertRecords(list: ListOf<ColumnLists>, onlyIf: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    insert into records
      (box_id, epoch, sequence, kind, clock_ms, received_ms, message_id, lost, covers_first, covers_last)
    select * from unnest(${list('recordBoxId')}::text[], ${list('epoch')}::bigint[], ${list('sequence')}::bigint[],
      ${list('kind')}::text[], ${list('clockMs')}::bigint[], ${list('receivedMs')}::bigint[], ${list('messageId')}::text[],
      ${list('givenUp')}::bigint[], ${list('coversFirst')}::bigint[], ${list('coversLast')}::bigint[])
    where ${onlyIf}
    on conflict do nothing`;
}

/** Records as lists, for that statement. */
export function recordLists(records: readonly StoredRecord[]): ColumnLists {
  return {
    recordBoxId: records.map(({ boxId }) => boxId),
    epoch: records.map(({ epoch }) => epoch),
    sequence: records.map(({ sequence }) => sequence),
    kind: records.map(({ kind }) => kind),
    clockMs: records.map(({ clockMs }) => clockMs),
    receivedMs: records.map(({ receivedMs }) => receivedMs),
    messageId: records.map(({ messageId }) => messageId ?? null),
    givenUp: records.map(({ lost }) => lost),
    coversFirst: records.map(({ covers }) => covers?.[0] ?? null),
    coversLast: records.map(({ covers }) => covers?.[1] ?? null),
  };
}

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
/** Rows that another backend is removing are skipped. */
const pruneAged = statement(
  (_, value: ValueOf<{ readonly beforeMs: number; readonly most: number }>) => sql`
    delete from records where ctid = any(array(
      select ctid from records where received_ms < ${value('beforeMs')} order by received_ms limit ${value('most')}
      for update skip locked))`,
);
const findOldest = statement(({ query }) =>
  query.selectFrom('records').select(({ fn }) => fn.min('received_ms').as('received_ms')),
);

/** Prunes the ledger of records. */
export interface RecordPruner {
  /** Whether rows may have to be removed once these are written. */
  isDue(written: readonly StoredRecord[]): boolean;
  /** Removes rows once these are written. */
  prune(written: readonly StoredRecord[]): Transaction<void>;
}

/**
 * Prunes the ledger of records once some were written. Each time a box's sequence passes a multiple of the stride, its
 * rows beyond the bound are removed. Each call also removes the oldest expired rows of all boxes and epochs,
 * past epochs and silent boxes included: at most twice what was written, or `limits.prunedPerCall`, so that a
 * backlog shrinks and no call takes long. While no row can be old enough, it does not look for any.
 */
export function recordPruner(): RecordPruner {
  // No row is older. After a rollback, or writes of other backends, it may be slightly wrong, which costs a read or
  // delays a removal.
  let oldestMs = Number.NEGATIVE_INFINITY;

  function* pruneOld(beforeMs: number, most: number): Transaction<void> {
    if (oldestMs >= beforeMs) return;
    // Raised only by a call that removed nothing: its rollback brings nothing older back.
    if ((yield* run(pruneAged, { beforeMs, most })) > 0) return;
    oldestMs = (yield* first(findOldest, {}))?.received_ms ?? Number.POSITIVE_INFINITY;
  }

  function noteAges(written: readonly StoredRecord[]): void {
    for (const { receivedMs } of written) oldestMs = Math.min(oldestMs, receivedMs);
  }

  return {
    isDue(written) {
      const newest = written.at(-1);
      if (newest === undefined) return false;
      noteAges(written);
      return oldestMs < keptFromMs(newest) || written.some(passesStride);
    },
    *prune(written) {
      const newest = written.at(-1);
      if (newest === undefined) return;
      const beyond = written.filter(passesStride);
      if (beyond.length > 0) {
        yield* run(pruneBeyond, {
          boxId: beyond.map(({ boxId }) => boxId),
          epoch: beyond.map(({ epoch }) => epoch),
          upTo: beyond.map(({ sequence }) => sequence - limits.recordsPerBox),
        });
      }
      noteAges(written);
      yield* pruneOld(keptFromMs(newest), Math.max(limits.prunedPerCall, 2 * written.length));
    },
  };
}

function keptFromMs({ receivedMs }: StoredRecord): number {
  return receivedMs - limits.retentionMs;
}

function passesStride({ sequence }: StoredRecord): boolean {
  return sequence % limits.recordPruneStride === 0;
}

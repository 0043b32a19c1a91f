import type { Database } from 'better-sqlite3';
import { limits } from '../../../base/limits.ts';
import type { RecordRow } from '../../calls/ledger-rows.ts';
import type { StoredRecord } from '../../port/ingest-store.ts';

/**
 * Writes and prunes the ledger of records. Each time a box's sequence passes a multiple of the stride, its
 * rows beyond the bound are removed. Each call also removes the oldest expired rows of all boxes and epochs,
 * past epochs and silent boxes included: at most twice what it writes, or `limits.prunedPerCall`, so that a
 * backlog shrinks and no call takes long. While no row can be old enough, it does not look for any.
 */
export function recordWriter(database: Database): {
  write(rows: readonly StoredRecord[]): void;
  after(
    boxId: string,
    key: { readonly epoch: number; readonly sequence: number } | undefined,
    limit: number,
  ): readonly RecordRow[];
} {
  // The journal position has removed duplicates already; the key is the last safeguard.
  const insert = database.prepare(`
    INSERT INTO records
      (box_id, epoch, sequence, kind, clock_ms, received_ms, message_id, lost, covers_first, covers_last)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`);
  const pruneBeyond = database.prepare(
    'DELETE FROM records WHERE box_id = ? AND epoch = ? AND sequence <= ?',
  );
  const pruneAged = database.prepare(`
    DELETE FROM records WHERE (box_id, epoch, sequence) IN (
      SELECT box_id, epoch, sequence FROM records WHERE received_ms < ? ORDER BY received_ms LIMIT ? + 0)`);
  const oldest = database.prepare<[], { readonly received_ms: number | null }>(
    'SELECT min(received_ms) AS received_ms FROM records',
  );
  // No row is older. After a rollback it may be too low, which only costs a read.
  let oldestMs = Number.NEGATIVE_INFINITY;
  const select = database.prepare<[string, number, number, number], RecordRow>(`
    SELECT * FROM records WHERE box_id = ? AND (epoch, sequence) > (?, ?) ORDER BY epoch, sequence LIMIT ? + 0`);

  function writeOne(record: StoredRecord): void {
    const { boxId, epoch, sequence } = record;
    insert.run(
      boxId,
      epoch,
      sequence,
      record.kind,
      record.clockMs,
      record.receivedMs,
      record.messageId ?? null,
      record.lost,
      record.covers?.[0] ?? null,
      record.covers?.[1] ?? null,
    );
    if (sequence % limits.recordPruneStride === 0) {
      pruneBeyond.run(boxId, epoch, sequence - limits.recordsPerBox);
    }
  }

  function prune(beforeMs: number, most: number): void {
    if (oldestMs >= beforeMs) return;
    // Raised only by a call that removed nothing: its rollback brings nothing older back.
    if (pruneAged.run(beforeMs, most).changes > 0) return;
    oldestMs = oldest.get()?.received_ms ?? Number.POSITIVE_INFINITY;
  }

  return {
    write: (rows) => {
      const newest = rows.at(-1);
      if (newest === undefined) return;
      for (const record of rows) {
        writeOne(record);
        oldestMs = Math.min(oldestMs, record.receivedMs);
      }
      prune(newest.receivedMs - limits.retentionMs, Math.max(limits.prunedPerCall, 2 * rows.length));
    },
    after: (boxId, key, limit) => select.all(boxId, key?.epoch ?? -1, key?.sequence ?? -1, limit),
  };
}

import type { Database } from 'better-sqlite3';
import { limits } from '../../limits.ts';
import type { QuarantineRow, RecordRow } from '../calls/ledger-rows.ts';
import type { Quarantined, StoredRecord } from '../port/ingest-store.ts';
import { beyondShare } from '../port/quarantine-share.ts';

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
  // No row is older. After a rollback it may be too low, which only costs a look.
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

/**
 * Writes quarantine and keeps it within its bounds of number and age. Beyond the number, rows above the share
 * of their box are removed. The existing rows are cached, and read again after a rollback.
 */
export function quarantineWriter(database: Database): {
  write(rows: readonly Quarantined[]): void;
  newest(limit: number): readonly QuarantineRow[];
} {
  const insert = database.prepare(`
    INSERT INTO quarantine (box_id, received_ms, fault, byte_offset, detail, bytes) VALUES (?, ?, ?, ?, ?, ?)`);
  const remove = database.prepare('DELETE FROM quarantine WHERE id = ?');
  const pruneAged = database.prepare<[number], { readonly id: number }>(`
    DELETE FROM quarantine WHERE received_ms < ? AND id IN (
      SELECT id FROM quarantine ORDER BY id LIMIT ${limits.prunedPerCall}) RETURNING id`);
  const select = database.prepare<[number], QuarantineRow>(
    'SELECT * FROM quarantine ORDER BY id DESC LIMIT ? + 0',
  );
  const selectAll = database.prepare<[], { readonly id: number; readonly box_id: string }>(
    'SELECT id, box_id FROM quarantine ORDER BY id',
  );
  const isThere = database.prepare<[number]>('SELECT 1 FROM quarantine WHERE id = ?');
  let known: { readonly rows: Map<string, number[]>; lastId: number } | undefined;

  function rowsOf(): NonNullable<typeof known> {
    // The last written row is never removed: if it is missing, the write was rolled back.
    if (known !== undefined && isThere.get(known.lastId) !== undefined) return known;
    known = { rows: new Map(), lastId: 0 };
    for (const { id, box_id: boxId } of selectAll.iterate()) noteRow(known, boxId, id);
    return known;
  }

  function forget(kept: NonNullable<typeof known>, ids: readonly number[]): void {
    if (ids.length === 0) return;
    const gone = new Set(ids);
    for (const [boxId, all] of kept.rows) {
      const left = all.filter((id) => !gone.has(id));
      if (left.length === 0) kept.rows.delete(boxId);
      else if (left.length < all.length) kept.rows.set(boxId, left);
    }
  }

  return {
    write: (rows) => {
      const newest = rows.at(-1);
      if (newest === undefined) return;
      const kept = rowsOf();
      for (const row of rows) {
        const { lastInsertRowid } = insert.run(
          row.boxId,
          row.receivedMs,
          row.fault,
          row.offset,
          row.detail,
          row.bytes.subarray(0, limits.quarantineBytes),
        );
        noteRow(kept, row.boxId, Number(lastInsertRowid));
      }
      const beyond = beyondShare(kept.rows, limits.quarantineRows);
      for (const id of beyond) remove.run(id);
      const aged = pruneAged.all(newest.receivedMs - limits.retentionMs).map(({ id }) => id);
      forget(kept, [...beyond, ...aged]);
    },
    newest: (limit) => select.all(limit),
  };
}

function noteRow(
  kept: { readonly rows: Map<string, number[]>; lastId: number },
  boxId: string,
  id: number,
): void {
  const ids = kept.rows.get(boxId);
  if (ids === undefined) kept.rows.set(boxId, [id]);
  else ids.push(id);
  kept.lastId = id;
}

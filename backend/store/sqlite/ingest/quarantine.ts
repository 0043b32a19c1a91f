import type { Database } from 'better-sqlite3';
import { limits } from '../../../base/limits.ts';
import type { QuarantineRow } from '../../calls/ledger-rows.ts';
import type { Quarantined } from '../../port/ingest-store.ts';

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

/** The rows of quarantine: the ids of each box, the oldest first. */
type IdsByBox = ReadonlyMap<string, readonly number[]>;

/**
 * Which rows to remove, so that at most `most` stay. Boxes with more than their share lose their oldest rows,
 * and the share is as large as the others leave room for: a box that fills the quarantine displaces its own
 * evidence, not that of boxes with little. Of rows beyond equal shares the newest stay.
 */
export function beyondShare(rows: IdsByBox, most: number): readonly number[] {
  const all = [...rows.values()];
  const total = all.reduce((sum, ids) => sum + ids.length, 0);
  if (total <= most) return [];
  const share = shareOf(all, most);
  const sure = all.reduce((sum, ids) => sum + Math.min(ids.length, share), 0);
  // The rest beyond equal shares: one more row for some boxes.
  const next = all.flatMap((ids) => (ids.length > share ? [ids[ids.length - share - 1] ?? 0] : []));
  const kept = new Set(next.sort((one, other) => other - one).slice(0, most - sure));
  return all.flatMap((ids) => ids.slice(0, Math.max(0, ids.length - share)).filter((id) => !kept.has(id)));
}

/** The largest number of rows that every box can have, if it has that many, within `most`. */
function shareOf(all: readonly (readonly number[])[], most: number): number {
  const counts = all.map((ids) => ids.length).sort((one, other) => one - other);
  let left = most;
  for (const [index, count] of counts.entries()) {
    const boxes = counts.length - index;
    if (count * boxes > left) return Math.floor(left / boxes);
    left -= count;
  }
  return counts.at(-1) ?? 0;
}

import type { Database } from 'better-sqlite3';
import type { OutboxBounds } from '../../port/outbox-limits.ts';
import type { DroppedMessage, DropReason, DropTotal } from '../../port/outbox-store.ts';
import { outboxCount, type SizeRow } from './outbox-count.ts';

interface HeadRow {
  readonly position: number;
  readonly message_id: string;
  readonly vehicle_id: string;
  readonly fleet_id: string;
  readonly created_ms: number;
  readonly bytes: number;
}

/** The number and size of written messages. */
export interface WrittenMessages extends SizeRow {
  readonly oldestMs: number;
  /** Creation time of the newest: ages are relative to it. */
  readonly newestMs: number;
}

/**
 * Keeps the outbox within its bounds: to be called within the transaction that has written messages. While
 * nothing can be beyond a bound it does not read the database. The id of a dropped message is kept, so that
 * it does not count as lost. Returns true if messages were dropped.
 */
export function outboxBound(database: Database, bounds: OutboxBounds): (written: WrittenMessages) => boolean {
  const count = outboxCount(database);
  const head = database.prepare<[number], HeadRow>(`
    SELECT position, message_id, vehicle_id, fleet_id, created_ms, octet_length(body) AS bytes
    FROM outbox ORDER BY position LIMIT ? + 0`);
  const remove = database.prepare('DELETE FROM outbox WHERE position <= ?');
  const keepName = database.prepare(`
    INSERT INTO outbox_dropped (position, message_id, vehicle_id, fleet_id, reason, created_ms, dropped_ms)
    VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const forgetNames = database.prepare(`
    DELETE FROM outbox_dropped WHERE position <=
      (SELECT position FROM outbox_dropped ORDER BY position DESC LIMIT 1 OFFSET ?)`);
  const total = database.prepare(`
    INSERT INTO outbox_drops (fleet_id, reason, messages, last_ms) VALUES (?, ?, 1, ?)
    ON CONFLICT DO UPDATE SET messages = messages + 1, last_ms = excluded.last_ms`);

  return (written) => {
    const { messages, newestMs } = written;
    count.grow(written);
    const guess = count.atMost();
    if (reasonToDrop(guess, guess.oldestMs, newestMs, bounds) === undefined) return false;
    const size = count.settle();
    count.correct(size);
    const left: { messages: number; bytes: number } = { ...size };
    const gone: HeadRow[] = [];
    const [oldest] = head.all(1);
    if (oldest === undefined || reasonToDrop(left, oldest.created_ms, newestMs, bounds) === undefined)
      return false;
    for (const row of head.all(Math.max(bounds.droppedPerCall, 2 * messages))) {
      const reason = reasonToDrop(left, row.created_ms, newestMs, bounds);
      if (reason === undefined) break;
      keepName.run(
        row.position,
        row.message_id,
        row.vehicle_id,
        row.fleet_id,
        reason,
        row.created_ms,
        newestMs,
      );
      total.run(row.fleet_id, reason, newestMs);
      left.messages -= 1;
      left.bytes -= row.bytes;
      gone.push(row);
    }
    remove.run(gone.at(-1)?.position ?? 0);
    count.shrink(gone);
    forgetNames.run(bounds.droppedNames);
    return true;
  };
}

/** The bound that the oldest message exceeds; undefined if none. */
function reasonToDrop(
  size: SizeRow,
  oldestMs: number,
  nowMs: number,
  bounds: OutboxBounds,
): DropReason | undefined {
  if (oldestMs < nowMs - bounds.ageMs) return 'age';
  if (size.messages > bounds.messages) return 'messages';
  if (size.bytes > bounds.bytes) return 'bytes';
  return undefined;
}

interface DroppedRow {
  readonly message_id: string;
  readonly vehicle_id: string;
  readonly fleet_id: string;
  readonly reason: string;
  readonly created_ms: number;
  readonly dropped_ms: number;
}

/** Reads what was dropped, and subtracts what arrived nevertheless. */
export function droppedMessages(database: Database): {
  totals(): readonly DropTotal[];
  find(messageIds: readonly string[]): readonly DroppedMessage[];
  /** These positions were confirmed: dropped ones among them are not missing any more. */
  arrived(positionsJson: string): void;
} {
  const totals = database.prepare<
    [],
    { fleet_id: string; reason: string; messages: number; arrived: number; last_ms: number }
  >('SELECT * FROM outbox_drops ORDER BY fleet_id, reason');
  const find = database.prepare<[string], DroppedRow>(`
    SELECT d.* FROM json_each(?) CROSS JOIN outbox_dropped d ON d.message_id = value ORDER BY d.position`);
  const takeBack = database.prepare<[string], { readonly fleet_id: string; readonly reason: string }>(`
    DELETE FROM outbox_dropped WHERE position IN (SELECT value FROM json_each(?)) RETURNING fleet_id, reason`);
  const count = database.prepare(
    'UPDATE outbox_drops SET arrived = arrived + 1 WHERE fleet_id = ? AND reason = ?',
  );
  return {
    totals: () =>
      totals.all().map((row) => ({
        fleetId: row.fleet_id,
        reason: row.reason as DropReason,
        messages: row.messages,
        arrived: row.arrived,
        lastMs: row.last_ms,
      })),
    find: (messageIds) =>
      find.all(JSON.stringify(messageIds)).map((row) => ({
        messageId: row.message_id,
        vehicleId: row.vehicle_id,
        fleetId: row.fleet_id,
        reason: row.reason as DropReason,
        createdMs: row.created_ms,
        droppedMs: row.dropped_ms,
      })),
    arrived: (positionsJson) => {
      for (const row of takeBack.all(positionsJson)) count.run(row.fleet_id, row.reason);
    },
  };
}

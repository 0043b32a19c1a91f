import type { Database } from 'better-sqlite3';
import type { OutboxBounds } from './outbox-limits.ts';
import type { DroppedMessage, DropReason, DropTotal } from './outbox-store.ts';

interface SizeRow {
  readonly messages: number;
  readonly bytes: number;
}

interface HeadRow {
  readonly position: number;
  readonly message_id: string;
  readonly vehicle_id: string;
  readonly fleet_id: string;
  readonly created_ms: number;
  readonly bytes: number;
}

/**
 * Keeps the outbox within its bounds: to be called within the transaction that has written messages, with what they
 * add up to and the time of the newest. Where nothing is beyond a bound that is one change of one row and one look at
 * the oldest. A dropped message leaves its name, so that nobody has to call it lost.
 */
export function outboxBound(
  database: Database,
  bounds: OutboxBounds,
): (written: { readonly messages: number; readonly bytes: number; readonly newestMs: number }) => void {
  const grow = sizeChange(database);
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

  return ({ messages, bytes, newestMs }) => {
    const size = grow(messages, bytes);
    const left: { messages: number; bytes: number } = { ...size };
    const [oldest] = head.all(1);
    if (oldest === undefined || reasonToDrop(left, oldest, newestMs, bounds) === undefined) return;
    let last = 0;
    for (const row of head.all(Math.max(bounds.droppedPerCall, 2 * messages))) {
      const reason = reasonToDrop(left, row, newestMs, bounds);
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
      last = row.position;
    }
    remove.run(last);
    grow(left.messages - size.messages, left.bytes - size.bytes);
    forgetNames.run(bounds.droppedNames);
  };
}

/** Why the oldest message has no room any more; undefined where it has. */
function reasonToDrop(
  size: SizeRow,
  oldest: { readonly created_ms: number },
  nowMs: number,
  bounds: OutboxBounds,
): DropReason | undefined {
  if (oldest.created_ms < nowMs - bounds.ageMs) return 'age';
  if (size.messages > bounds.messages) return 'messages';
  if (size.bytes > bounds.bytes) return 'bytes';
  return undefined;
}

/** Adds to what the outbox holds, and tells what that is. */
export function sizeChange(database: Database): (messages: number, bytes: number) => SizeRow {
  const change = database.prepare<[number, number], SizeRow>(
    'UPDATE outbox_size SET messages = messages + ?, bytes = bytes + ? RETURNING messages, bytes',
  );
  return (messages, bytes) => change.get(messages, bytes) ?? { messages: 0, bytes: 0 };
}

interface DroppedRow {
  readonly message_id: string;
  readonly vehicle_id: string;
  readonly fleet_id: string;
  readonly reason: string;
  readonly created_ms: number;
  readonly dropped_ms: number;
}

/** Reads what was dropped, and takes back what arrived all the same. */
export function droppedMessages(database: Database): {
  totals(): readonly DropTotal[];
  find(messageIds: readonly string[]): readonly DroppedMessage[];
  /** These positions were confirmed: whichever of them was dropped is missing no longer. */
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

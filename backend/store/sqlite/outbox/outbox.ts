import type { Database } from 'better-sqlite3';
import { type OutboxBounds, outboxLimits } from '../../port/outbox-limits.ts';
import { type OutboxRow, type OutboxStore, type OutgoingMessage, shareOf } from '../../port/outbox-store.ts';
import { afterCommit } from '../after-commit.ts';
import type { Synchronous } from '../call.ts';
import { droppedMessages, outboxBound } from './outbox-bound.ts';
import { outboxCount, type RemovedMessage } from './outbox-count.ts';

interface OutboxColumns {
  readonly position: number;
  readonly message_id: string;
  readonly vehicle_id: string;
  readonly fleet_id: string;
  readonly name: string;
  readonly version: string;
  readonly flow_id: string;
  readonly created_ms: number;
  readonly body: string;
  readonly partition: number;
}

/**
 * Writes messages after all others, and keeps the outbox within its bounds. To be called once within the
 * transaction of the data that they report. Returns their rows; none if any messages were dropped.
 */
export function messageWriter(
  database: Database,
  bounds: OutboxBounds = outboxLimits,
): (messages: readonly OutgoingMessage[]) => readonly OutboxRow[] {
  const insert = database.prepare<
    [number, string, string, string, string, string, string, number, string, number]
  >(`
    INSERT INTO outbox
      (position, message_id, vehicle_id, fleet_id, name, version, flow_id, created_ms, body, partition)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const count = outboxCount(database);
  const keepWithin = outboxBound(database, bounds);

  function writeOne(message: OutgoingMessage): OutboxRow {
    const { messageId, vehicleId, fleetId, name, version, flowId, createdMs, body, partition } = message;
    const position = count.position();
    insert.run(position, messageId, vehicleId, fleetId, name, version, flowId, createdMs, body, partition);
    return { position, messageId, vehicleId, fleetId, name, version, flowId, createdMs, body, partition };
  }

  return (messages) => {
    const newest = messages.at(-1);
    if (newest === undefined) return none;
    count.begin();
    const rows: OutboxRow[] = [];
    let bytes = 0;
    let oldestMs = newest.createdMs;
    for (const message of messages) {
      rows.push(writeOne(message));
      bytes += Buffer.byteLength(message.body);
      oldestMs = Math.min(oldestMs, message.createdMs);
    }
    const hasDropped = keepWithin({
      messages: messages.length,
      bytes,
      oldestMs,
      newestMs: newest.createdMs,
    });
    return hasDropped ? none : rows;
  };
}

const none: readonly OutboxRow[] = [];

/** Up to this many marks are written one by one, which is faster than all at once as JSON. */
const FEW_MARKS = 16;

/** Messages to be published, in SQLite. They are written by the transactions of the data that they report. */
export function sqliteOutbox(database: Database): Synchronous<OutboxStore> {
  const next = database.prepare<[number, number], OutboxColumns>(
    'SELECT * FROM outbox WHERE position > ? ORDER BY position LIMIT ? + 0',
  );
  const each = database.prepare<[number], OutboxColumns>(
    'SELECT * FROM outbox WHERE position > ? ORDER BY position',
  );
  const remove = database.prepare<[number]>('DELETE FROM outbox WHERE position = ?');
  // Separate from the one before, since RETURNING costs more than the removal: docs/store.md, Upsert.
  const removeCounted = database.prepare<[number], RemovedMessage>(
    'DELETE FROM outbox WHERE position = ? RETURNING position, octet_length(body) AS bytes',
  );
  const removeMany = database.prepare<[string], RemovedMessage>(`
    DELETE FROM outbox WHERE position IN (SELECT value FROM json_each(?))
    RETURNING position, octet_length(body) AS bytes`);
  const oldest = database.prepare<[], { readonly created_ms: number }>(
    'SELECT created_ms FROM outbox ORDER BY position LIMIT 1',
  );
  const count = outboxCount(database);
  const dropped = droppedMessages(database);

  /** How many were removed, and those of them that the stored count may include. */
  function removed(positions: readonly number[]): {
    readonly messages: number;
    readonly counted: readonly RemovedMessage[];
  } {
    if (positions.length > FEW_MARKS) {
      const rows = removeMany.all(JSON.stringify(positions));
      return { messages: rows.length, counted: rows };
    }
    let messages = 0;
    const counted: RemovedMessage[] = [];
    for (const position of positions) {
      if (!count.mayCount(position)) {
        messages += remove.run(position).changes;
        continue;
      }
      const row = removeCounted.get(position);
      if (row === undefined) continue;
      messages += 1;
      counted.push(row);
    }
    return { messages, counted };
  }

  const removeAll = database.transaction((positions: readonly number[]): number => {
    const { messages, counted } = removed(positions);
    if (counted.length > 0) count.shrink(counted);
    if (messages < positions.length) dropped.arrived(JSON.stringify(positions));
    return messages;
  });

  return {
    next: (query) => next.all(query.afterPosition, query.limit).map(toOutboxRow),
    nextByPartition: ({ cursors, limit }) => {
      const share = shareOf(limit, cursors.length);
      const wanted = new Map(cursors.map((cursor) => [cursor.partition, { ...cursor, left: share }]));
      const from = Math.min(...cursors.map(({ afterPosition }) => afterPosition));
      const rows: OutboxRow[] = [];
      let open = wanted.size;
      // Without an index over partitions, which each message would pay for: only the virtual world reads this way.
      for (const row of open === 0 ? [] : each.iterate(from)) {
        const one = wanted.get(row.partition);
        if (one === undefined || one.left === 0 || row.position <= one.afterPosition) continue;
        rows.push(toOutboxRow(row));
        one.left -= 1;
        if (one.left > 0) continue;
        open -= 1;
        if (open === 0) break;
      }
      return rows;
    },
    sent: (positions) => {
      const messages = removeAll.immediate(positions);
      afterCommit(database, () => count.shrunk(messages));
    },
    size: () => {
      const { messages, bytes } = count.read();
      return { messages, bytes, oldestMs: oldest.get()?.created_ms };
    },
    drops: () => dropped.totals(),
    dropped: (messageIds) => dropped.find(messageIds),
  };
}

function toOutboxRow(row: OutboxColumns): OutboxRow {
  return {
    position: row.position,
    messageId: row.message_id,
    vehicleId: row.vehicle_id,
    fleetId: row.fleet_id,
    name: row.name,
    version: row.version,
    flowId: row.flow_id,
    createdMs: row.created_ms,
    body: row.body,
    partition: row.partition,
  };
}

import type { Database } from 'better-sqlite3';
import { type OutboxBounds, outboxLimits } from './outbox-limits.ts';
import type { OutboxRow, OutboxStore, OutgoingMessage } from './outbox-store.ts';
import { call } from './sqlite-call.ts';
import { droppedMessages, outboxBound, sizeChange } from './sqlite-outbox-bound.ts';

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
}

/**
 * Writes messages behind all others, and keeps the outbox within its bounds. To be called once within the transaction
 * of what they tell.
 */
export function messageWriter(
  database: Database,
  bounds: OutboxBounds = outboxLimits,
): (messages: readonly OutgoingMessage[]) => void {
  const insert = database.prepare<[OutgoingMessage]>(`
    INSERT INTO outbox (message_id, vehicle_id, fleet_id, name, version, flow_id, created_ms, body)
    VALUES (@messageId, @vehicleId, @fleetId, @name, @version, @flowId, @createdMs, @body)`);
  const keepWithin = outboxBound(database, bounds);
  return (messages) => {
    let bytes = 0;
    for (const message of messages) {
      insert.run(message);
      bytes += Buffer.byteLength(message.body);
    }
    const newest = messages.at(-1);
    if (newest !== undefined) keepWithin({ messages: messages.length, bytes, newestMs: newest.createdMs });
  };
}

/** Messages on their way out, in SQLite. They are written by the transactions of what they tell. */
export function sqliteOutbox(database: Database): OutboxStore {
  const next = database.prepare<[number, number], OutboxColumns>(
    'SELECT * FROM outbox WHERE position > ? ORDER BY position LIMIT ? + 0',
  );
  const remove = database.prepare<[string], { readonly bytes: number }>(`
    DELETE FROM outbox WHERE position IN (SELECT value FROM json_each(?)) RETURNING octet_length(body) AS bytes`);
  const size = database.prepare<[], { readonly messages: number; readonly bytes: number }>(
    'SELECT messages, bytes FROM outbox_size',
  );
  const oldest = database.prepare<[], { readonly created_ms: number }>(
    'SELECT created_ms FROM outbox ORDER BY position LIMIT 1',
  );
  const shrink = sizeChange(database);
  const dropped = droppedMessages(database);
  const removeAll = database.transaction((positions: readonly number[]) => {
    const json = JSON.stringify(positions);
    const removed = remove.all(json);
    if (removed.length > 0) shrink(-removed.length, -removed.reduce((sum, row) => sum + row.bytes, 0));
    if (removed.length < positions.length) dropped.arrived(json);
  });

  return {
    next: (query) => call(database, () => next.all(query.afterPosition, query.limit).map(toOutboxRow)),
    sent: (positions) =>
      call(database, () => {
        if (database.memory) {
          // There is no medium to wait for.
          removeAll.immediate(positions);
          return;
        }
        // A mark that a power cut takes back only repeats a message with its old id, so it need not wait for the
        // medium. The next FULL commit syncs it along, since the WAL is written in order.
        database.pragma('synchronous = NORMAL');
        try {
          removeAll.immediate(positions);
        } finally {
          database.pragma('synchronous = FULL');
        }
      }),
    size: () =>
      call(database, () => {
        const { messages, bytes } = size.get() ?? { messages: 0, bytes: 0 };
        return { messages, bytes, oldestMs: oldest.get()?.created_ms };
      }),
    drops: () => call(database, () => dropped.totals()),
    dropped: (messageIds) => call(database, () => dropped.find(messageIds)),
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
  };
}

import type { Database } from 'better-sqlite3';
import type { OutboxStore, OutgoingMessage } from './outbox-store.ts';
import { call } from './sqlite-call.ts';

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

/** Writes a message behind all others. To be called within the transaction of what it tells. */
export function messageWriter(database: Database): (message: OutgoingMessage) => void {
  const insert = database.prepare(`
    INSERT INTO outbox (message_id, vehicle_id, fleet_id, name, version, flow_id, created_ms, body)
    VALUES (@messageId, @vehicleId, @fleetId, @name, @version, @flowId, @createdMs, @body)`);
  return (message) => void insert.run(message);
}

/** Messages on their way out, in SQLite. They are written by the transactions of what they tell. */
export function sqliteOutbox(database: Database): OutboxStore {
  const next = database.prepare<[number, number], OutboxColumns>(
    'SELECT * FROM outbox WHERE position > ? ORDER BY position LIMIT ?',
  );
  const remove = database.prepare('DELETE FROM outbox WHERE position = ?');
  const count = database.prepare<[], { readonly messages: number }>(
    'SELECT count(*) AS messages FROM outbox',
  );
  const oldest = database.prepare<[], { readonly created_ms: number }>(
    'SELECT created_ms FROM outbox ORDER BY position LIMIT 1',
  );
  const removeAll = database.transaction((positions: readonly number[]) => {
    for (const position of positions) remove.run(position);
  });

  return {
    next: (query) =>
      call(database, () =>
        next.all(query.afterPosition, query.limit).map((row) => ({
          position: row.position,
          messageId: row.message_id,
          vehicleId: row.vehicle_id,
          fleetId: row.fleet_id,
          name: row.name,
          version: row.version,
          flowId: row.flow_id,
          createdMs: row.created_ms,
          body: row.body,
        })),
      ),
    sent: (positions) =>
      call(database, () => {
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
      call(database, () => ({
        messages: count.get()?.messages ?? 0,
        oldestMs: oldest.get()?.created_ms,
      })),
  };
}

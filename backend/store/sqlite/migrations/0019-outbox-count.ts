import type { Migration } from './migration.ts';

/**
 * The size of the outbox is written once for many messages (backend/store/sqlite/outbox/outbox-count.ts), and
 * the program assigns the positions: SQLite's AUTOINCREMENT writes a row for each. SQLite cannot remove that
 * from a table afterwards, so `outbox` is rebuilt.
 */
export const outboxCount: Migration = {
  version: 19,
  sql: `
    -- messages and bytes are those of positions up to this one; what lies behind it is counted when somebody asks
    ALTER TABLE outbox_size ADD COLUMN up_to INTEGER NOT NULL DEFAULT 0;
    -- no position beyond this one was ever given out
    ALTER TABLE outbox_size ADD COLUMN reserved INTEGER NOT NULL DEFAULT 0;
    UPDATE outbox_size SET
      up_to = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0),
      reserved = coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'outbox'), 0);

    CREATE TABLE outbox_anew (
      position INTEGER PRIMARY KEY,
      message_id TEXT NOT NULL,
      vehicle_id TEXT NOT NULL,
      fleet_id TEXT NOT NULL,
      name TEXT NOT NULL,
      version TEXT NOT NULL,
      flow_id TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      body TEXT NOT NULL
    ) STRICT;
    INSERT INTO outbox_anew (position, message_id, vehicle_id, fleet_id, name, version, flow_id, created_ms, body)
      SELECT position, message_id, vehicle_id, fleet_id, name, version, flow_id, created_ms, body FROM outbox;
    DROP TABLE outbox;
    ALTER TABLE outbox_anew RENAME TO outbox;
  `,
};

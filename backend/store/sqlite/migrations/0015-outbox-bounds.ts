import type { Migration } from './migration.ts';

/** The size of the outbox, and what was dropped from it because it was full. */
export const outboxBounds: Migration = {
  version: 15,
  sql: `
    -- counting a million rows takes a second, so what they add up to stands here: always one row
    CREATE TABLE outbox_size (
      id INTEGER PRIMARY KEY CHECK (id = 1),
      messages INTEGER NOT NULL,
      bytes INTEGER NOT NULL
    ) STRICT;
    INSERT INTO outbox_size (id, messages, bytes)
      SELECT 1, count(*), coalesce(sum(octet_length(body)), 0) FROM outbox;

    CREATE TABLE outbox_dropped (
      -- that of the outbox
      position INTEGER PRIMARY KEY,
      message_id TEXT NOT NULL,
      vehicle_id TEXT NOT NULL,
      fleet_id TEXT NOT NULL,
      -- messages, bytes, age: which bound
      reason TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      dropped_ms INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX outbox_dropped_by_message ON outbox_dropped (message_id);

    CREATE TABLE outbox_drops (
      fleet_id TEXT NOT NULL,
      reason TEXT NOT NULL,
      messages INTEGER NOT NULL,
      -- of them those that the broker confirmed all the same
      arrived INTEGER NOT NULL DEFAULT 0,
      last_ms INTEGER NOT NULL,
      PRIMARY KEY (fleet_id, reason)
    ) STRICT, WITHOUT ROWID;
  `,
};

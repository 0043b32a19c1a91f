import { PARTITIONS } from '../../../../protocol/partitions.ts';
import type { Migration } from './migration.ts';

/**
 * What several backends on one store share: the partition of each waiting message, so that each can publish those of its
 * partitions; who serves which partition; what they count together, and as whom they appear.
 */
export const severalBackends: Migration = {
  version: 22,
  sql: `
    -- of the vehicle's box, or of the vehicle where it has none (protocol/partitions.ts)
    ALTER TABLE outbox ADD COLUMN partition INTEGER NOT NULL DEFAULT 0;
    -- partition_of is our own function: backend/store/sqlite/open.ts
    UPDATE outbox SET partition =
      partition_of(coalesce((SELECT box_id FROM vehicles WHERE id = outbox.vehicle_id), vehicle_id));

    CREATE TABLE backends (
      name TEXT PRIMARY KEY,
      -- by the store's clock; it renews this as long as it is there
      expires_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE partition_leases (
      partition INTEGER PRIMARY KEY,
      -- empty: nobody
      holder TEXT NOT NULL DEFAULT '',
      -- rises each time the partition is taken
      fence INTEGER NOT NULL DEFAULT 0,
      expires_ms INTEGER NOT NULL DEFAULT 0,
      -- whether the holder before passed it on with everything committed
      is_settled INTEGER NOT NULL DEFAULT 1,
      -- whether its MQTT session is known to have its subscriptions at the broker
      is_subscribed INTEGER NOT NULL DEFAULT 0
    ) STRICT;
    WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${PARTITIONS - 1})
      INSERT INTO partition_leases (partition) SELECT n FROM numbers;

    -- one window of each client
    CREATE TABLE quotas (
      client_id TEXT PRIMARY KEY,
      ends_ms INTEGER NOT NULL,
      -- calls that backends were given, and those of them that they are known to have used
      granted INTEGER NOT NULL,
      used INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX quotas_by_end ON quotas (ends_ms);

    -- one row
    CREATE TABLE installation (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      id TEXT NOT NULL,
      -- the thumbprint of the key that signs tokens (RFC 7638)
      key_id TEXT NOT NULL,
      created_ms INTEGER NOT NULL
    ) STRICT;
  `,
};

import { PARTITIONS } from '../../../protocol/partitions.ts';
import type { Migration } from './migration.ts';

/** Which backend serves which partition. One that is alone on its file needs none of it. */
export const leases: Migration = {
  version: 23,
  sql: `
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
  `,
};

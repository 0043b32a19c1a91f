import type { Migration } from './migration.ts';

/** The partition of each waiting message, so that several backends can publish, each those of its partitions. */
export const outboxPartitions: Migration = {
  version: 22,
  sql: `
    -- of the vehicle's box, or of the vehicle where it has none (protocol/partitions.ts)
    ALTER TABLE outbox ADD COLUMN partition INTEGER NOT NULL DEFAULT 0;
    -- partition_of is our own function: backend/store/sqlite/open.ts
    UPDATE outbox SET partition =
      partition_of(coalesce((SELECT box_id FROM vehicles WHERE id = outbox.vehicle_id), vehicle_id));
  `,
};

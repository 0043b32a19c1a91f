import type { Migration } from './migration.ts';

/** Bulk configuration jobs and their vehicles. */
export const bulk: Migration = {
  version: 7,
  sql: `
    CREATE TABLE bulk_jobs (
      id TEXT PRIMARY KEY,
      fleet_id TEXT NOT NULL,
      flow_id TEXT NOT NULL,
      features TEXT NOT NULL,
      created_ms INTEGER NOT NULL,
      expires_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX bulk_jobs_by_age ON bulk_jobs (created_ms);

    CREATE TABLE bulk_items (
      job_id TEXT NOT NULL REFERENCES bulk_jobs (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      vehicle_id TEXT NOT NULL,
      -- pending, applied, failed
      status TEXT NOT NULL DEFAULT 'pending',
      -- of a failed one why; of a pending one what its last attempt met
      reason TEXT NOT NULL DEFAULT '',
      detail TEXT NOT NULL DEFAULT '',
      attempts INTEGER NOT NULL DEFAULT 0,
      last_attempt_ms INTEGER,
      -- failed attempts since the box was last known to connect
      step INTEGER NOT NULL DEFAULT 0,
      -- while it is leased: when the lease ends
      due_ms INTEGER NOT NULL,
      is_leased INTEGER NOT NULL DEFAULT 0,
      -- said of it while it was leased, and done when the attempt ends
      is_overtaken INTEGER NOT NULL DEFAULT 0,
      is_hastened INTEGER NOT NULL DEFAULT 0,
      PRIMARY KEY (job_id, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX bulk_items_due ON bulk_items (due_ms) WHERE status = 'pending';
    CREATE INDEX bulk_items_of_vehicle ON bulk_items (vehicle_id) WHERE status = 'pending';
    CREATE INDEX bulk_items_of_job ON bulk_items (job_id) WHERE status = 'pending';
  `,
};

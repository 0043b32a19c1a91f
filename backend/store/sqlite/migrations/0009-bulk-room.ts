import type { Migration } from './migration.ts';

/**
 * The number of vehicles of a bulk job, and an index of a fleet's jobs: what a fleet keeps can be bounded.
 */
export const bulkRoom: Migration = {
  version: 9,
  sql: `
    ALTER TABLE bulk_jobs ADD COLUMN vehicles INTEGER NOT NULL DEFAULT 0;
    UPDATE bulk_jobs SET vehicles = (SELECT count(*) FROM bulk_items WHERE job_id = bulk_jobs.id);
    CREATE INDEX bulk_jobs_of_fleet ON bulk_jobs (fleet_id, created_ms);
  `,
};

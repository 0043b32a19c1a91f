import type { Migration } from './migration.ts';

/** The failed vehicles of a bulk job can be counted without reading all of them. */
export const failedItems: Migration = {
  version: 18,
  sql: `CREATE INDEX bulk_items_failed ON bulk_items (job_id) WHERE status = 'failed';`,
};

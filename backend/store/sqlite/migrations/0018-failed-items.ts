import type { Migration } from './migration.ts';

/** Makes the failed vehicles of a bulk job countable without reading all of them. */
export const failedItems: Migration = {
  version: 18,
  sql: `CREATE INDEX bulk_items_failed ON bulk_items (job_id) WHERE status = 'failed';`,
};

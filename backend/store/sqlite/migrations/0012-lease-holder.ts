import type { Migration } from './migration.ts';

/** Which backend leases a vehicle of a bulk job, so that it finds its leases after a restart. */
export const leaseHolder: Migration = {
  version: 12,
  sql: `
    -- a backend's name; '': not told
    ALTER TABLE bulk_items ADD COLUMN leased_by TEXT NOT NULL DEFAULT '';
  `,
};

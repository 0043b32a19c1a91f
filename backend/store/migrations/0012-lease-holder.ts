import type { Migration } from './migration.ts';

/** Who holds a vehicle of a bulk job, so that whoever comes back finds what it held. */
export const leaseHolder: Migration = {
  version: 12,
  sql: `
    -- a backend's name; '': not told
    ALTER TABLE bulk_items ADD COLUMN leased_by TEXT NOT NULL DEFAULT '';
  `,
};

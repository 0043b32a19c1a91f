import type { Migration } from './migration.ts';

/** Since when a maker's vehicle has been in contact without too long a silence. */
export const makerOnline: Migration = {
  version: 13,
  sql: `
    -- the first contact after a silence, or ever; NULL: none, or none since this column is there
    ALTER TABLE vehicles ADD COLUMN maker_online_ms INTEGER;
  `,
};

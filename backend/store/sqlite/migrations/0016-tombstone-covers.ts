import type { Migration } from './migration.ts';

/** Which sequences a tombstone replaces, so that the ledger can determine the outcome of each record. */
export const tombstoneCovers: Migration = {
  version: 16,
  sql: `
    -- both ends included; NULL: no tombstone, or one from before this column was there
    ALTER TABLE records ADD COLUMN covers_first INTEGER;
    ALTER TABLE records ADD COLUMN covers_last INTEGER;
  `,
};

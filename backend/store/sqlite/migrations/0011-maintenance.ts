import type { Migration } from './migration.ts';

/** Whether the maintenance capabilities are booked for a vehicle. */
export const maintenance: Migration = {
  version: 11,
  sql: `
    ALTER TABLE vehicles ADD COLUMN maintenance INTEGER NOT NULL DEFAULT 0;
  `,
};

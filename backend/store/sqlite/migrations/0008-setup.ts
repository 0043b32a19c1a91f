import type { Migration } from './migration.ts';

/** When a vehicle's setup is due, and how often it was begun. */
export const setup: Migration = {
  version: 8,
  sql: `
    ALTER TABLE vehicles ADD COLUMN setup_attempts INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE vehicles ADD COLUMN setup_due_ms INTEGER NOT NULL DEFAULT 0;
    CREATE INDEX setups_by_due ON vehicles (setup_due_ms) WHERE setup_status IN ('PENDING', 'RUNNING');
  `,
};

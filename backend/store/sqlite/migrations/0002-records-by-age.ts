import type { Migration } from './migration.ts';

/** Finds the oldest records of all boxes and epochs: the epochs of a box are names without an order. */
export const recordsByAge: Migration = {
  version: 2,
  sql: 'CREATE INDEX records_by_age ON records (received_ms);',
};

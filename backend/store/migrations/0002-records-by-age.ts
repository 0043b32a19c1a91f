import type { Migration } from './migration.ts';

/** Finds the oldest records whatever their box and epoch: the epochs of a box are names without an order. */
export const recordsByAge: Migration = {
  version: 2,
  sql: 'CREATE INDEX records_by_age ON records (received_ms);',
};

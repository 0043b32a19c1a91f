import type { Migration } from './migration.ts';

/**
 * The states of boxes are written another way (state-text.ts), and read both ways. Nothing is changed here: the number
 * keeps programs away that know the old way only.
 */
export const stateByRecord: Migration = {
  version: 17,
  sql: '',
};

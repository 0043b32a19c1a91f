import type { Migration } from './migration.ts';

/**
 * The states of boxes have a new form (backend/store/calls/vehicles/state-text.ts); both forms can be read. Nothing
 * is changed here: the version number keeps out programs that know only the old form.
 */
export const stateByRecord: Migration = {
  version: 17,
  sql: '',
};

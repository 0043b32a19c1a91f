import type { Migration } from './migration.ts';

/**
 * Polling of the vehicles behind makers' clouds: the time of the newest state, and when the maker is asked
 * again. Their state is stored with the vehicle itself.
 */
export const thirdParty: Migration = {
  version: 6,
  sql: `
    CREATE TABLE third_party (
      vehicle_id TEXT PRIMARY KEY,
      -- rises with each change
      version INTEGER NOT NULL,
      -- the maker's time of the newest state that is stored
      taken_ms INTEGER,
      due_ms INTEGER NOT NULL,
      -- polls that failed, one after the other
      failures INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX third_party_by_due ON third_party (due_ms);
  `,
};

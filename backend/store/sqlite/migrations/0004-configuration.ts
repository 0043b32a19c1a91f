import type { Migration } from './migration.ts';

/** The configuration of each box, as it has confirmed it. */
export const configuration: Migration = {
  version: 4,
  sql: `
    CREATE TABLE configurations (
      box_id TEXT PRIMARY KEY,
      -- the highest revision that was handed out, and the highest that the box has confirmed
      handed_out INTEGER NOT NULL,
      revision INTEGER NOT NULL DEFAULT 0,
      features TEXT NOT NULL DEFAULT '{}',
      -- the box's last word that it is calibrated: a sequence of its journal
      calibrated INTEGER NOT NULL DEFAULT 0,
      -- the epoch that began with a wiped flash; NULL: none did since the first request
      epoch INTEGER
    ) STRICT, WITHOUT ROWID;
  `,
};

import type { Migration } from './migration.ts';

/** When a connection began, and the record of the journal from which a box's configuration follows. */
export const sinceWhen: Migration = {
  version: 10,
  sql: `
    -- the first hello of the connection; NULL: none was heard
    ALTER TABLE boxes ADD COLUMN connection_since_ms INTEGER;
    -- a sequence of the box's journal: that of the last configure or setup that it has told as done
    ALTER TABLE configurations ADD COLUMN decided INTEGER NOT NULL DEFAULT 0;
  `,
};

import type { Migration } from './migration.ts';

/** What backends on one store count together, and as whom they appear. */
export const manyBackends: Migration = {
  version: 24,
  sql: `
    -- one window of each client
    CREATE TABLE quotas (
      client_id TEXT PRIMARY KEY,
      ends_ms INTEGER NOT NULL,
      -- calls that backends were given, and those of them that they are known to have used
      granted INTEGER NOT NULL,
      used INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX quotas_by_end ON quotas (ends_ms);

    -- one row
    CREATE TABLE installation (
      one INTEGER PRIMARY KEY CHECK (one = 1),
      id TEXT NOT NULL,
      -- the thumbprint of the key that signs tokens (RFC 7638)
      key_id TEXT NOT NULL,
      created_ms INTEGER NOT NULL
    ) STRICT;
  `,
};

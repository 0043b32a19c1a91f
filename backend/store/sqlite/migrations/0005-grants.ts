import type { Migration } from './migration.ts';

/**
 * People who sign in, and what they have granted to clients. Of every secret only a digest is stored: a slow
 * one of passwords, a fast one of codes, refresh tokens and sessions (random, 256 bits).
 */
export const grants: Migration = {
  version: 5,
  sql: `
    -- a JSON array; a client without redirect URIs has no authorization code flow
    ALTER TABLE clients ADD COLUMN redirect_uris TEXT NOT NULL DEFAULT '[]';

    CREATE TABLE users (
      id TEXT PRIMARY KEY,
      fleet_id TEXT NOT NULL,
      name TEXT NOT NULL UNIQUE,
      password_hash TEXT NOT NULL,
      permissions TEXT NOT NULL,
      created_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE sessions (
      digest TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      signed_in_ms INTEGER NOT NULL,
      expires_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_by_expiry ON sessions (expires_ms);
    CREATE INDEX sessions_of_user ON sessions (user_id);

    CREATE TABLE grants (
      id TEXT PRIMARY KEY,
      client_id TEXT NOT NULL,
      user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      scope TEXT NOT NULL,
      redirect_uri TEXT NOT NULL,
      code_challenge TEXT NOT NULL,
      nonce TEXT,
      signed_in_ms INTEGER NOT NULL,
      -- the latest expiry of its secrets
      expires_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX grants_by_expiry ON grants (expires_ms);
    CREATE INDEX grants_of_user ON grants (user_id, client_id, id);

    -- one code, then one refresh token after the other; the spent ones stay to be recognised
    CREATE TABLE grant_secrets (
      digest TEXT PRIMARY KEY,
      grant_id TEXT NOT NULL REFERENCES grants (id) ON DELETE CASCADE,
      ordinal INTEGER NOT NULL,
      expires_ms INTEGER NOT NULL,
      spent INTEGER NOT NULL DEFAULT 0
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX secrets_of_grant ON grant_secrets (grant_id, ordinal);
  `,
};

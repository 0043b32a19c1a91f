import type { Migration } from './migration.ts';

/** The answer to a request that has spent a code or a refresh token, in case it was lost. */
export const keptAnswers: Migration = {
  version: 21,
  sql: `
    -- encrypted under what only the client has; of a grant only the last one
    ALTER TABLE grant_secrets ADD COLUMN answer TEXT;
    ALTER TABLE grant_secrets ADD COLUMN answer_until_ms INTEGER;
    CREATE INDEX answers_by_end ON grant_secrets (answer_until_ms) WHERE answer_until_ms IS NOT NULL;
  `,
};

import type { Migration } from './migration.ts';

/** The answer to whoever has spent a code or a refresh token, for the case that it was lost on its way. */
export const keptAnswers: Migration = {
  version: 21,
  sql: `
    -- encrypted under what only the client has; of a grant only the last one
    ALTER TABLE grant_secrets ADD COLUMN answer TEXT;
    ALTER TABLE grant_secrets ADD COLUMN answer_until_ms INTEGER;
    CREATE INDEX answers_by_end ON grant_secrets (answer_until_ms) WHERE answer_until_ms IS NOT NULL;
  `,
};

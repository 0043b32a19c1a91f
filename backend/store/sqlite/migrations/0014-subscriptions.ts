import type { Migration } from './migration.ts';

/**
 * Subscriptions to messages. One is stored before any of it is created at the broker, and until all of it is deleted
 * there: so nothing is left over of one that failed half way, or whose process died.
 */
export const subscriptions: Migration = {
  version: 14,
  sql: `
    CREATE TABLE subscriptions (
      id TEXT PRIMARY KEY,
      fleet_id TEXT NOT NULL,
      discriminator TEXT NOT NULL,
      -- both NULL where all consumers share one account
      username TEXT UNIQUE,
      secret_hash TEXT,
      state TEXT NOT NULL CHECK (state IN ('making', 'live', 'ending')),
      -- when what is not live is to be taken away; of a live one without meaning
      due_ms INTEGER NOT NULL,
      created_ms INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX subscriptions_of_fleet ON subscriptions (fleet_id, id);
    CREATE INDEX subscriptions_by_discriminator ON subscriptions (discriminator);
    CREATE INDEX subscriptions_unfinished ON subscriptions (due_ms) WHERE state <> 'live';

    CREATE TABLE subscription_queues (
      name TEXT PRIMARY KEY,
      subscription_id TEXT NOT NULL REFERENCES subscriptions (id) ON DELETE CASCADE,
      topic TEXT NOT NULL,
      -- as the request named them
      ordinal INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX queues_of_subscription ON subscription_queues (subscription_id, ordinal);
  `,
};

import { postgresLimits } from './limits.ts';
import { POSTGRES_MIGRATIONS } from './migrations/list.ts';
import { type DatabasePlace, withOneConnection } from './one-connection.ts';
import { migrate } from './schema.ts';

/**
 * Brings the schema of a database up to date, as opening a store does. Rejects with `StoreFailed` or `StoreTooNew` if
 * that is impossible.
 */
export function migrateDatabase(place: DatabasePlace): Promise<void> {
  const { limits = postgresLimits } = place;
  return withOneConnection(place, (client) => migrate(client, POSTGRES_MIGRATIONS, limits));
}

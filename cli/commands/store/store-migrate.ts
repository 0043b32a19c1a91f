import { lookIntoDatabase } from '../../../backend/store/postgres/look-into.ts';
import { migrateDatabase } from '../../../backend/store/postgres/migrate-database.ts';
import { databasePlace } from '../../../deployment/directory/open-store.ts';
import { asUserError } from '../../../deployment/shared/user-errors.ts';
import { storeProgress } from './store-progress.ts';

/** As commander hands them over. */
export interface StoreMigrateOptions {
  readonly store: string;
  readonly storeCa?: string;
  readonly json: boolean;
}

/**
 * Migrates a schema to the current version, and prints both versions. Rejects with a `CommandError` where it cannot.
 */
export async function storeMigrate(options: StoreMigrateOptions): Promise<void> {
  const place = databasePlace(options);
  const progress = storeProgress(process.stderr, options.json);
  try {
    const { shown, version: from } = await lookIntoDatabase(place);
    progress.show(`migrating ${shown}`);
    await migrateDatabase(place);
    const { version: to } = await lookIntoDatabase(place);
    progress.end();
    const text =
      from === to
        ? `${shown} is up to date: it has schema version ${to}.`
        : `${shown} has schema version ${to} now, and had ${from === 0 ? 'none' : from}.`;
    process.stdout.write(`${options.json ? JSON.stringify({ store: shown, from, to }) : text}\n`);
  } catch (error) {
    throw asUserError(error, options.store);
  } finally {
    progress.end();
  }
}

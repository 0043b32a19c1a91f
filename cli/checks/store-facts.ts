import { type DatabaseLook, lookIntoDatabase } from '../../backend/store/postgres/look-into.ts';
import { databasePlace } from '../store/open-store.ts';

/** Looks once into the database as the service would; a text: why it cannot be used. Nothing is written. */
export function storeFacts(options: {
  readonly store: string;
  readonly storeCa?: string | undefined;
}): Promise<DatabaseLook | string> {
  return lookIntoDatabase(databasePlace(options)).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  );
}

import { type DatabaseLook, lookIntoDatabase } from '../../backend/store/postgres/look-into.ts';
import { errorText } from '../../world/error-text.ts';
import { databasePlace } from '../directory/open-store.ts';

/** Opens the database once as the service would; a text: why it cannot be used. Writes nothing. */
export function storeFacts(options: {
  readonly store: string;
  readonly storeCa?: string | undefined;
}): Promise<DatabaseLook | string> {
  return lookIntoDatabase(databasePlace(options)).catch((error: unknown) => errorText(error));
}

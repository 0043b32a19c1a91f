import Database from 'better-sqlite3';
import { StoreFailed } from './store.ts';

/** Result codes that say that the medium failed, not that a statement was wrong (https://sqlite.org/rescode.html). */
const MEDIUM_CODES = [
  'SQLITE_FULL',
  'SQLITE_IOERR',
  'SQLITE_BUSY',
  'SQLITE_LOCKED',
  'SQLITE_READONLY',
  'SQLITE_CANTOPEN',
  'SQLITE_CORRUPT',
  'SQLITE_NOTADB',
  'SQLITE_NOMEM',
  'SQLITE_PERM',
  'SQLITE_PROTOCOL',
];

/**
 * Does `work` at once, and tells its end as a promise, as the port has it: a value, a rejection with `StoreFailed`
 * where the medium failed or the store is closed, or with the error itself.
 */
export function call<T>(database: Database.Database, work: () => T): Promise<T> {
  try {
    if (!database.open) throw new StoreFailed('The store is closed.');
    return Promise.resolve(work());
  } catch (error) {
    return Promise.reject(asStoreError(database, error));
  }
}

/** The error as the port has it: `StoreFailed`, with the file's name, where the medium failed or its content is damaged. */
export function asStoreError({ name }: Pick<Database.Database, 'name'>, error: unknown): unknown {
  // JSON that this store wrote and cannot read any more.
  if (error instanceof SyntaxError)
    return new StoreFailed(`The database ${name} is damaged: ${error.message}.`, { cause: error });
  if (!(error instanceof Database.SqliteError)) return error;
  const isMedium = MEDIUM_CODES.some((code) => error.code === code || error.code.startsWith(`${code}_`));
  if (!isMedium) return error;
  return new StoreFailed(`The database ${name} failed (${error.code}): ${error.message}.`, { cause: error });
}

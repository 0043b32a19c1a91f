import Database from 'better-sqlite3';
import { StoreFailed } from '../port/store.ts';

/** Result codes of a failed medium, not of a wrong statement (https://sqlite.org/rescode.html). */
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
 * A part of the port that does its work at once: a call returns what the port's promise resolves to, or
 * throws the driver's error.
 */
export type Synchronous<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends (...parameters: infer Parameters) => Promise<infer Result>
    ? (...parameters: Parameters) => Result
    : never;
};

/** The port's error: `StoreFailed`, with the file's name, if the medium failed or its content is damaged. */
export function asStoreError({ name }: Pick<Database.Database, 'name'>, error: unknown): unknown {
  // JSON that this store wrote and cannot read any more.
  if (error instanceof SyntaxError)
    return new StoreFailed(`The database ${name} is damaged: ${error.message}.`, { cause: error });
  if (!(error instanceof Database.SqliteError)) return error;
  const isMedium = MEDIUM_CODES.some((code) => error.code === code || error.code.startsWith(`${code}_`));
  if (!isMedium) return error;
  return new StoreFailed(`The database ${name} failed (${error.code}): ${error.message}.`, { cause: error });
}

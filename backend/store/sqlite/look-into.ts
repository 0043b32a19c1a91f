import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import Database from 'better-sqlite3';
import { errorText } from '../../../world/error-text.ts';
import { StoreFailed } from '../port/store.ts';
import { MIGRATIONS } from './migrations/list.ts';

/** What can be read from a database without opening it for writing. */
export interface StoreLook {
  /** Another process has it open. */
  readonly isInUse: boolean;
  /** Of its schema; 0 if nothing has been written yet. */
  readonly version: number;
  /** The newest that this program writes. */
  readonly knownVersion: number;
}

/** Where the first page of a database file has its name and `user_version` (sqlite.org/fileformat, section 1.3). */
const FORMAT_NAME = 'SQLite format 3\0';
const VERSION_OFFSET = 60;
const HEADER_BYTES = 100;

/**
 * Inspects the database at `path`, also while another process writes to it. Nothing in it is changed. Throws
 * `StoreFailed` if it cannot be read.
 */
export function lookIntoStore(path: string): StoreLook {
  try {
    // SQLite would create a new log for a closed database without one; such a file is complete without it.
    const version = existsSync(`${path}-wal`) ? versionBySqlite(path) : versionInHeader(path);
    return { isInUse: isDatabaseInUse(path), version, knownVersion: MIGRATIONS.at(-1)?.version ?? 0 };
  } catch (error) {
    const why = errorText(error);
    throw new StoreFailed(`${path} cannot be read: ${why}.`, { cause: error });
  }
}

function versionBySqlite(path: string): number {
  const database = new Database(path, { readonly: true, fileMustExist: true, timeout: 0 });
  try {
    return Number(database.pragma('user_version', { simple: true }));
  } finally {
    database.close();
  }
}

function versionInHeader(path: string): number {
  const header = Buffer.alloc(HEADER_BYTES);
  const file = openSync(path, 'r');
  try {
    const bytes = readSync(file, header, 0, HEADER_BYTES, 0);
    // An empty file is a database without anything in it.
    if (bytes === 0) return 0;
    if (bytes < HEADER_BYTES || !header.toString('latin1').startsWith(FORMAT_NAME))
      throw new Error('file is not a database');
    return header.readUInt32BE(VERSION_OFFSET);
  } finally {
    closeSync(file);
  }
}

/**
 * Whether a process has the database at `path` open: it holds an exclusive lock on the lock file beside it
 * (`lockDatabase`), which no other can read.
 */
export function isDatabaseInUse(path: string): boolean {
  if (!existsSync(`${path}.lock`)) return false;
  const lock = new Database(`${path}.lock`, { readonly: true, timeout: 0 });
  try {
    lock.prepare('SELECT 1 FROM sqlite_schema').get();
    return false;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY')) return true;
    throw error;
  } finally {
    lock.close();
  }
}

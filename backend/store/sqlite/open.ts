import Database from 'better-sqlite3';
import { partitionOf } from '../../../protocol/partitions.ts';
import { makePrivate } from '../../../world/files/real-private-files.ts';
import { limits } from '../../base/limits.ts';
import { StoreFailed, StoreInUse, StoreTooNew } from '../port/store.ts';
import { MIGRATIONS } from './migrations/list.ts';
import type { Migration } from './migrations/migration.ts';

/** Distinguishes our files from other SQLite files (`PRAGMA application_id`): "boxt" in ASCII. */
const APPLICATION_ID = 0x626f7874;

/** A database in memory with the whole schema, serialised: copying it takes a tenth of the time of all migrations. */
let emptyInMemory: Buffer | undefined;

/** How connections to the file are shared. */
export interface OpenOptions {
  /** `process`: other connections of this process can read the file. Absent: this is its only connection. */
  readonly sharing?: 'process';
  readonly migrations?: readonly Migration[];
  /** The store's clock, in milliseconds since 1970; absent: SQLite's own. */
  readonly nowMs?: () => number;
}

/**
 * Opens the database at a path (created if absent), in memory (`:memory:`), or a copy of a serialised one, locks it for
 * this process, and migrates its schema.
 *
 * - WAL with `synchronous=FULL`: a commit is on the medium before its receipts are sent, through a power cut too. The
 *   price is one sync of the WAL for each batch, not for each frame.
 * - `locking_mode=EXCLUSIVE`: a second process on the same file gets `StoreInUse`; the kernel holds the lock and
 *   releases it when the process ends for any reason. Shared within the process, the lock is held on a separate file,
 *   `<path>.lock`.
 *
 * Only the owner can read the file and SQLite's files next to it. Throws `StoreInUse`, `StoreTooNew`, or `StoreFailed`
 * if the file cannot be opened or belongs to another program.
 */
export function openDatabase(
  place: string | Uint8Array,
  { sharing, migrations = MIGRATIONS, nowMs }: OpenOptions = {},
): Database.Database {
  let database: Database.Database | undefined;
  const isCommon = place === ':memory:' && migrations === MIGRATIONS;
  try {
    if (typeof place === 'string' && place !== ':memory:') makePrivate(place);
    const source = isCommon ? (emptyInMemory ?? place) : place;
    database = new Database(typeof source === 'string' ? source : Buffer.from(source), {
      timeout: limits.storeBusyMs,
    });
    database.function('given_clock', () => nowMs?.() ?? null);
    if (sharing === undefined) database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    database.pragma('temp_store = MEMORY');
    // Kibibytes: the inner pages of the tables for some ten thousand boxes. Evicted pages are in the system's page
    // cache; with more, the memory of a process would grow for hours until it is full.
    database.pragma('cache_size = -16384');
    // Pages: with larger steps a busy WAL is copied back less often.
    database.pragma('wal_autocheckpoint = 4000');
    database.pragma('journal_size_limit = 67108864');
    migrate(database, migrations);
    if (isCommon) emptyInMemory ??= database.serialize();
    return database;
  } catch (error) {
    database?.close();
    throw asOpenError(error, typeof place === 'string' ? place : 'a serialised database');
  }
}

/**
 * Locks the database at `path` for this process, by a lock on a separate empty file. The lock is held until the result
 * is closed, or the process ends. Throws `StoreInUse` or `StoreFailed`.
 */
export function lockDatabase(path: string): { close(): void } {
  const place = `${path}.lock`;
  let lock: Database.Database | undefined;
  try {
    makePrivate(place);
    lock = new Database(place, { timeout: limits.storeBusyMs });
    // Nothing is ever written to it, and it must have no journal file.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    throw asOpenError(error, path);
  }
}

/** A connection that only reads, to a database that another connection of this process has opened. */
export function openReader(path: string): Database.Database {
  try {
    const database = new Database(path, { readonly: true, timeout: limits.storeBusyMs });
    database.function('given_clock', () => null);
    database.pragma('temp_store = MEMORY');
    database.pragma('cache_size = -8192');
    return database;
  } catch (error) {
    throw asOpenError(error, path);
  }
}

/** Migrates the schema from `user_version` to the last migration, each in its own transaction. */
function migrate(database: Database.Database, migrations: readonly Migration[]): void {
  const known = migrations.at(-1)?.version ?? 0;
  const found = numberPragma(database, 'user_version');
  const owner = numberPragma(database, 'application_id');
  const isEmpty = database.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
  if (owner !== APPLICATION_ID && !(isEmpty && found === 0)) {
    throw new StoreFailed('This is a database of another program; nothing in it was changed.');
  }
  if (found > known) {
    throw new StoreTooNew(
      `The database has schema version ${found}, this program supports versions up to ${known}: it was written by a newer program. Nothing in it was changed.`,
    );
  }
  database.function('partition_of', { deterministic: true }, partitionOf);
  for (const migration of migrations) {
    if (migration.version <= found) continue;
    database
      .transaction(() => {
        database.exec(migration.sql);
        database.pragma(`application_id = ${APPLICATION_ID}`);
        database.pragma(`user_version = ${migration.version}`);
      })
      .immediate();
  }
}

function numberPragma(database: Database.Database, name: string): number {
  return Number(database.pragma(name, { simple: true }));
}

function asOpenError(error: unknown, place: string): unknown {
  // The driver checks the folder itself, and throws a TypeError if it is missing.
  if (error instanceof TypeError) {
    return new StoreFailed(`${place} cannot be opened: ${error.message}.`, { cause: error });
  }
  if (!(error instanceof Database.SqliteError)) return error;
  if (error.code.startsWith('SQLITE_BUSY')) {
    return new StoreInUse(`${place} is in use by another process.`, { cause: error });
  }
  return new StoreFailed(`${place} cannot be opened: ${error.message}.`, { cause: error });
}

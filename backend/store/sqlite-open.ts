import Database from 'better-sqlite3';
import { makePrivate } from '../../world/real-private-file.ts';
import { limits } from '../limits.ts';
import { MIGRATIONS } from './migrations/list.ts';
import type { Migration } from './migrations/migration.ts';
import { StoreFailed, StoreInUse, StoreTooNew } from './store.ts';

/** Tells our files from other SQLite files (`PRAGMA application_id`): "boxt" in ASCII. */
const APPLICATION_ID = 0x626f7874;

/**
 * Opens the database of a path (made where there is none), of memory (`:memory:`), or a copy of a serialised one,
 * takes it for this process alone, and brings its schema up to date.
 *
 * - WAL with `synchronous=FULL`: a commit is on the medium before its receipts go down, through a power cut too. The
 *   price is one sync of the WAL for each batch, not for each frame.
 * - `locking_mode=EXCLUSIVE`: a second process on the same file gets `StoreInUse`; the lock is the kernel's and ends
 *   with the process, however that ended.
 *
 * The file, and what SQLite keeps beside it, is its owner's alone. Throws `StoreInUse`, `StoreTooNew`, or `StoreFailed` where the file cannot be opened or is not one of ours.
 */
export function openDatabase(
  place: string | Uint8Array,
  migrations: readonly Migration[] = MIGRATIONS,
): Database.Database {
  let database: Database.Database | undefined;
  try {
    if (typeof place === 'string' && place !== ':memory:') makePrivate(place);
    database = new Database(typeof place === 'string' ? place : Buffer.from(place), {
      timeout: limits.storeBusyMs,
    });
    database.pragma('locking_mode = EXCLUSIVE');
    database.pragma('journal_mode = WAL');
    database.pragma('synchronous = FULL');
    database.pragma('foreign_keys = ON');
    database.pragma('temp_store = MEMORY');
    // Kibibytes: the tables' inner pages of some ten thousand boxes.
    database.pragma('cache_size = -65536');
    // Pages: with larger steps a busy WAL is copied back less often.
    database.pragma('wal_autocheckpoint = 4000');
    database.pragma('journal_size_limit = 67108864');
    migrate(database, migrations);
    return database;
  } catch (error) {
    database?.close();
    throw asOpenError(error, typeof place === 'string' ? place : 'a serialised database');
  }
}

/** Brings the schema from `user_version` to the last migration, each step in a transaction of its own. */
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
      `The database has schema version ${found}, this program knows versions up to ${known}: it was written by a newer program. Nothing in it was changed.`,
    );
  }
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
  // The driver looks for the folder itself, and tells of a missing one by a TypeError.
  if (error instanceof TypeError) {
    return new StoreFailed(`${place} cannot be opened: ${error.message}.`, { cause: error });
  }
  if (!(error instanceof Database.SqliteError)) return error;
  if (error.code.startsWith('SQLITE_BUSY')) {
    return new StoreInUse(`${place} is in use by another process.`, { cause: error });
  }
  return new StoreFailed(`${place} cannot be opened: ${error.message}.`, { cause: error });
}

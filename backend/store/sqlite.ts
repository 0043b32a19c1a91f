import type { Database } from 'better-sqlite3';
import { sqliteAccess } from './sqlite-access.ts';
import { sqliteBulk } from './sqlite-bulk.ts';
import { asStoreError } from './sqlite-call.ts';
import { sqliteCensus } from './sqlite-census.ts';
import { sqliteCommands } from './sqlite-commands.ts';
import { sqliteConfiguration } from './sqlite-configuration.ts';
import { sqliteGrants } from './sqlite-grants.ts';
import { sqliteIngest } from './sqlite-ingest.ts';
import { openDatabase } from './sqlite-open.ts';
import { sqliteOutbox } from './sqlite-outbox.ts';
import { sqliteSetup } from './sqlite-setup.ts';
import { sqliteSubscriptions } from './sqlite-subscriptions.ts';
import { sqliteThirdParty } from './sqlite-third-party.ts';
import { sqliteVehicles } from './sqlite-vehicles.ts';
import type { Store } from './store.ts';

export interface SqliteStore extends Store {
  /** What is committed by now, as the bytes of a database file: what a crash would leave. */
  serialize(): Buffer;
}

/** Bytes 18 and 19 of the header: write and read version, 2 where the file is in WAL mode (sqlite.org/fileformat). */
const WRITE_VERSION_OFFSET = 18;
const READ_VERSION_OFFSET = 19;
const ROLLBACK_JOURNAL = 1;

/**
 * A store in one SQLite file, in memory (`:memory:`), or in memory from what `serialize` gave.
 * Throws `StoreInUse`, `StoreTooNew` or `StoreFailed`.
 */
export function openSqliteStore(place: string | Uint8Array): SqliteStore {
  const database = openDatabase(place);
  try {
    return storeOf(database);
  } catch (error) {
    database.close();
    throw asStoreError(database, error);
  }
}

function storeOf(database: Database): SqliteStore {
  return {
    access: sqliteAccess(database),
    grants: sqliteGrants(database),
    vehicles: sqliteVehicles(database),
    ingest: sqliteIngest(database),
    commands: sqliteCommands(database),
    outbox: sqliteOutbox(database),
    configuration: sqliteConfiguration(database),
    bulk: sqliteBulk(database),
    setup: sqliteSetup(database),
    thirdParty: sqliteThirdParty(database),
    subscriptions: sqliteSubscriptions(database),
    census: sqliteCensus(database),
    close: () => {
      if (database.open) database.close();
      return Promise.resolve();
    },
    serialize: () => {
      const bytes = database.serialize();
      // A copy in memory has no WAL beside it, and SQLite refuses to open one whose header asks for it.
      bytes[WRITE_VERSION_OFFSET] = ROLLBACK_JOURNAL;
      bytes[READ_VERSION_OFFSET] = ROLLBACK_JOURNAL;
      return bytes;
    },
  };
}

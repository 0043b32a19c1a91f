import type { Database } from 'better-sqlite3';
import { type Store, StoreFailed } from '../port/store.ts';
import { type StoreCall, type StoreOutcome, storeOfCalls } from '../port/store-calls.ts';
import type { WakeUpListener } from '../port/wake-ups.ts';
import { makeWakeUpListeners } from '../wake-up-listeners.ts';
import { asStoreError } from './call.ts';
import { type SqliteParts, sqliteParts } from './calls.ts';
import { groupTransaction, perform } from './group-transaction.ts';
import { type OpenOptions, openDatabase } from './open.ts';

export interface SqliteStore extends Store {
  /** The committed state, as the bytes of a database file: what a crash would leave. */
  serialize(): Buffer;
  /** Carries out calls of `by` at once, in one transaction, each with its savepoint. Never throws. */
  carryOut(calls: readonly StoreCall[], by?: object): readonly StoreOutcome[];
  /** As `listen`, but to commits of others than `by`. */
  listenToOthers(by: object, listener: WakeUpListener): () => void;
  /** Carries out a call that only reads, at once. */
  read(call: StoreCall): Promise<unknown>;
}

export interface StoreOptions extends Pick<OpenOptions, 'nowMs'> {
  /** Called with the connection before the first call: an observer may add temporary triggers. */
  readonly opened?: (database: Database) => void;
}

/** Bytes 18 and 19 of the header: write and read version, 2 in WAL mode (sqlite.org/fileformat). */
const WRITE_VERSION_OFFSET = 18;
const READ_VERSION_OFFSET = 19;
const ROLLBACK_JOURNAL = 1;

/**
 * A store in one SQLite file, in memory (`:memory:`), or in memory from the result of `serialize`. Throws
 * `StoreInUse`, `StoreTooNew` or `StoreFailed`. Each call is carried out at once, in the caller's turn, as a
 * transaction of its own. `nowMs` is the clock by which leases end.
 *
 * docs/store.md explains what recurs in the SQL of this folder: versions, conditional updates, `(SELECT ?)`,
 * `LIMIT ? + 0`, CROSS JOIN, json_each, leases, old rows that are removed with writes.
 */
export function openSqliteStore(
  place: string | Uint8Array,
  { opened, ...options }: StoreOptions = {},
): SqliteStore {
  const { database, parts } = openParts(() => openDatabase(place, options));
  opened?.(database);
  const transaction = groupTransaction(database, parts);
  const wakeUps = makeWakeUpListeners();
  const carryOut: SqliteStore['carryOut'] = (calls, by) => {
    const outcomes = transaction(calls);
    wakeUps.committed(calls, outcomes, by);
    return outcomes;
  };
  const atOnce = (call: StoreCall): Promise<unknown> => asPromise(carryOut([call])[0]);
  const read = reader(database, parts);
  return {
    carryOut,
    read,
    listenToOthers: (by, listener) => wakeUps.listen(listener, by),
    ...storeOfCalls(parts, {
      write: atOnce,
      read,
      listen: (listener) => wakeUps.listen(listener),
      close: () => {
        if (database.open) database.close();
        return Promise.resolve();
      },
    }),
    serialize: () => serialize(database),
  };
}

/** The database that `open` returns, and its statements. Throws `StoreInUse`, `StoreTooNew` or `StoreFailed`. */
export function openParts(open: () => Database): {
  readonly database: Database;
  readonly parts: SqliteParts;
} {
  const database = open();
  try {
    return { database, parts: sqliteParts(database) };
  } catch (error) {
    database.close();
    throw asStoreError(database, error);
  }
}

/** Carries out reads at once, with a connection of its own or that of the writes. */
export function reader(database: Database, parts: SqliteParts): (call: StoreCall) => Promise<unknown> {
  return (call) => {
    try {
      if (!database.open) throw new StoreFailed('The store is closed.');
      return Promise.resolve(perform(parts, call));
    } catch (error) {
      return Promise.reject(asStoreError(database, error));
    }
  };
}

/** The outcome of a call as the port's promise. */
export function asPromise(outcome: StoreOutcome | undefined): Promise<unknown> {
  if (outcome !== undefined && 'value' in outcome) return Promise.resolve(outcome.value);
  return Promise.reject(outcome?.error ?? new StoreFailed('The call was not carried out.'));
}

function serialize(database: Database): Buffer {
  const bytes = database.serialize();
  // A copy in memory has no WAL, and SQLite refuses to open one whose header asks for it.
  bytes[WRITE_VERSION_OFFSET] = ROLLBACK_JOURNAL;
  bytes[READ_VERSION_OFFSET] = ROLLBACK_JOURNAL;
  return bytes;
}

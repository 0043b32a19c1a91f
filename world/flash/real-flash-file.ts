import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { makePrivate } from '../files/real-private-files.ts';
import { FlashBroken, FlashFull, FlashInUse, type FlashOperation, FlashTooNew } from './flash.ts';

/**
 * The flash of all boxes in one SQLite file.
 *
 * Every page has two slots, written in turn: a page keeps its older content until the newer one is complete.
 * Each slot carries a CRC-32 over its owner, key, revision and bytes, so that an interrupted write (or bytes
 * of another page) is detected, whatever the file system did.
 *
 *     owner  key   slot revision place  crc  bytes
 *     0f3a…  j/17  0    4        92     …    …        older content
 *     0f3a…  j/17  1    5        92     …    …        current content, unless the write was interrupted
 *
 * `place` is assigned when a key is first written and is the order at `load`.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS page (
    owner TEXT NOT NULL, key TEXT NOT NULL, slot INTEGER NOT NULL, revision INTEGER NOT NULL,
    place INTEGER NOT NULL, crc INTEGER NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (owner, key, slot)
  ) WITHOUT ROWID`;
const SCHEMA_VERSION = 1;

interface PageRow {
  readonly key: string;
  readonly slot: number;
  readonly revision: number;
  readonly place: number;
  readonly crc: number;
  readonly bytes: Uint8Array;
}

/** A call of the flash port as data. */
export type FlashCall =
  | { readonly load: string }
  | { readonly write: string; readonly operations: readonly FlashOperation[] }
  | { readonly wipe: string };

/** The outcome of a call: the pages that it loaded, or nothing, or the error that it rejects with. */
export type FlashOutcome =
  | { readonly pages: ReadonlyMap<string, Uint8Array> | undefined }
  | { readonly error: unknown };

export interface FlashOptions {
  /** The maximum size of the file in bytes; a write beyond it rejects with `FlashFull`. Absent: no limit. */
  readonly capacityBytes?: number;
}

/** One connection to the file, which carries out groups of calls. */
export interface SqliteFlash {
  /**
   * Carries out the calls in their order, in one transaction; if that fails, each in one of its own, so that
   * a call without space does not fail the others. Durable when it returns. Never throws.
   */
  carryOut(calls: readonly FlashCall[]): readonly FlashOutcome[];
  close(): void;
}

/**
 * Opens or creates the file at `path` for this process and its owner alone. Throws `FlashInUse`,
 * `FlashTooNew` or `FlashBroken`.
 */
export function openSqliteFlash(path: string, options: FlashOptions = {}): SqliteFlash {
  mkdirSync(dirname(path), { recursive: true });
  const db = openFile(path, options);
  try {
    const pages = new FlashPages(db);
    const together = db.transaction((calls: readonly FlashCall[]) =>
      calls.map((call) => pages.perform(call)),
    );
    return {
      carryOut(calls) {
        const outcomes = attempt(db, () => together(calls));
        if (!('error' in outcomes)) return outcomes.value.map((loaded) => ({ pages: loaded }));
        return calls.map((call) => {
          const own = attempt(db, () => together([call]));
          return 'error' in own ? own : { pages: own.value[0] };
        });
      },
      close: () => void db.close(),
    };
  } catch (error) {
    db.close();
    throw damaged(db, error);
  }
}

function attempt<T>(db: Database.Database, work: () => T): { readonly value: T } | { readonly error: Error } {
  try {
    return { value: work() };
  } catch (error) {
    if (codeOf(error).startsWith('SQLITE_FULL'))
      return { error: new FlashFull('The flash has no room.', { cause: error }) };
    return { error: damaged(db, error) };
  }
}

function openFile(path: string, options: FlashOptions): Database.Database {
  makePrivate(path);
  const db = new Database(path, { timeout: 0 });
  try {
    // Two fleets with the same flash would overwrite each other's journals.
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    const version = Number(db.pragma('user_version', { simple: true }));
    if (version > SCHEMA_VERSION) {
      throw new FlashTooNew(
        `${path} was made by a newer version (${version}; this one knows ${SCHEMA_VERSION}).`,
      );
    }
    if (options.capacityBytes !== undefined) {
      const pageBytes = Number(db.pragma('page_size', { simple: true }));
      db.pragma(`max_page_count = ${Math.floor(options.capacityBytes / pageBytes)}`);
    }
    db.exec(SCHEMA);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
    return db;
  } catch (error) {
    db.close();
    if (codeOf(error).startsWith('SQLITE_BUSY')) {
      throw new FlashInUse(`${path} is in use by another process.`, { cause: error });
    }
    if (error instanceof FlashTooNew) throw error;
    throw new FlashBroken(`${path} cannot be used as flash: ${String(error)}.`, { cause: error });
  }
}

/** The statements on the pages. Each throws the driver's error. */
class FlashPages {
  readonly #select: Database.Statement<[string], PageRow>;
  readonly #selectKey: Database.Statement<[string, string], Pick<PageRow, 'revision' | 'place'>>;
  readonly #upsert: Database.Statement;
  readonly #erase: Database.Statement;
  readonly #eraseSlot: Database.Statement;
  readonly #wipe: Database.Statement;
  #nextPlace: number;

  constructor(db: Database.Database) {
    this.#select = db.prepare(
      'SELECT key, slot, revision, place, crc, bytes FROM page WHERE owner = ? ORDER BY place, revision DESC',
    );
    this.#selectKey = db.prepare(
      'SELECT revision, place FROM page WHERE owner = ? AND key = ? ORDER BY revision DESC LIMIT 1',
    );
    this.#upsert = db.prepare(
      `INSERT INTO page (owner, key, slot, revision, place, crc, bytes) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET revision = excluded.revision, crc = excluded.crc, bytes = excluded.bytes`,
    );
    this.#erase = db.prepare('DELETE FROM page WHERE owner = ? AND key = ?');
    this.#eraseSlot = db.prepare('DELETE FROM page WHERE owner = ? AND key = ? AND slot = ?');
    this.#wipe = db.prepare('DELETE FROM page WHERE owner = ?');
    const last = db.prepare<[], { place: number | null }>('SELECT max(place) AS place FROM page').get();
    this.#nextPlace = (last?.place ?? 0) + 1;
  }

  perform(call: FlashCall): ReadonlyMap<string, Uint8Array> | undefined {
    if ('load' in call) return this.#read(call.load);
    if ('wipe' in call) {
      this.#wipe.run(call.wipe);
      return undefined;
    }
    for (const operation of call.operations) {
      if ('put' in operation) this.#put(call.write, operation.put, operation.bytes);
      else this.#erase.run(call.write, operation.erase);
    }
    return undefined;
  }

  #read(owner: string): ReadonlyMap<string, Uint8Array> {
    const pages = new Map<string, Uint8Array>();
    for (const row of this.#select.all(owner)) {
      // A damaged slot is deleted; otherwise the next write would overwrite the current content.
      if (row.crc !== checksum(owner, row.key, row.revision, row.bytes)) {
        this.#eraseSlot.run(owner, row.key, row.slot);
      } else if (!pages.has(row.key)) pages.set(row.key, new Uint8Array(row.bytes));
    }
    return pages;
  }

  #put(owner: string, key: string, bytes: Uint8Array): void {
    const newest = this.#selectKey.get(owner, key);
    const revision = (newest?.revision ?? -1) + 1;
    const place = newest?.place ?? this.#nextPlace++;
    this.#upsert.run(owner, key, revision % 2, revision, place, checksum(owner, key, revision, bytes), bytes);
  }
}

function checksum(owner: string, key: string, revision: number, bytes: Uint8Array): number {
  return crc32(bytes, crc32(JSON.stringify([owner, key, revision])));
}

/** SQLite's errors for a damaged file as `FlashBroken`; every other error is returned unchanged. */
function damaged({ name }: Database.Database, error: unknown): Error {
  if (/^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(codeOf(error)))
    return new FlashBroken(`${name} is damaged: ${String(error)}.`, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

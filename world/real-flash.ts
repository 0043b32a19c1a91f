import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { type Flash, FlashBroken, FlashFull, FlashInUse, type FlashOperation, FlashTooNew } from './flash.ts';
import { makePrivate } from './real-private-file.ts';

/**
 * Flash of all boxes in one SQLite file.
 *
 * Every page has two slots, written in turn: a page keeps its older content until the newer one is whole. Each slot
 * carries a CRC-32 over whose page it is, its revision and its bytes, so that one which was torn (or belongs
 * elsewhere) is told from a whole one, whatever the file system did.
 *
 *     owner  key   slot revision place  crc  bytes
 *     0f3a…  j/17  0    4        92     …    …        older content
 *     0f3a…  j/17  1    5        92     …    …        in force, unless it is torn
 *
 * `place` is given when a key is first written and gives the order at `load`.
 */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS page (
    owner TEXT NOT NULL, key TEXT NOT NULL, slot INTEGER NOT NULL, revision INTEGER NOT NULL,
    place INTEGER NOT NULL, crc INTEGER NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (owner, key, slot)
  ) WITHOUT ROWID`;
const SCHEMA_VERSION = 1;

interface Row {
  readonly key: string;
  readonly slot: number;
  readonly revision: number;
  readonly place: number;
  readonly crc: number;
  readonly bytes: Uint8Array;
}

interface Job {
  run(): void;
  done(): void;
  failed(error: unknown): void;
}

export interface FlashOptions {
  /** The highest size of the file in bytes, as flash has one; writing beyond is `FlashFull`. Unbounded without. */
  readonly capacityBytes?: number;
}

/**
 * Opens or creates the file at `path` for this process and its owner alone. Throws `FlashInUse`, `FlashTooNew` or
 * `FlashBroken`; so do later calls that meet a damaged page. What is asked for in one turn of the loop becomes one transaction. Writes survive the death
 * of the process (kill -9 included) and a power cut from the moment they resolve.
 */
export function realFlash(path: string, options: FlashOptions = {}): Flash {
  mkdirSync(dirname(path), { recursive: true });
  const db = openFile(path, options);
  try {
    return new SqliteFlash(db);
  } catch (error) {
    db.close();
    throw damaged(db, error);
  }
}

function openFile(path: string, options: FlashOptions): Database.Database {
  makePrivate(path);
  const db = new Database(path, { timeout: 0 });
  try {
    // Two fleets over one flash would write over each other's journals.
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

class SqliteFlash implements Flash {
  readonly #db: Database.Database;
  readonly #select: Database.Statement<[string], Row>;
  readonly #selectKey: Database.Statement<[string, string], Pick<Row, 'revision' | 'place'>>;
  readonly #upsert: Database.Statement;
  readonly #erase: Database.Statement;
  readonly #eraseSlot: Database.Statement;
  readonly #wipe: Database.Statement;
  #nextPlace: number;
  #waiting: Job[] = [];
  #turn: NodeJS.Immediate | undefined;

  constructor(db: Database.Database) {
    this.#db = db;
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

  async load(owner: string): Promise<ReadonlyMap<string, Uint8Array>> {
    this.#refuseClosed();
    this.#commitWaiting();
    try {
      return this.#read(owner);
    } catch (error) {
      throw damaged(this.#db, error);
    }
  }

  #read(owner: string): ReadonlyMap<string, Uint8Array> {
    const pages = new Map<string, Uint8Array>();
    for (const row of this.#select.all(owner)) {
      // A torn slot goes, or the next write would take the slot of the content that is now in force.
      if (row.crc !== checksum(owner, row.key, row.revision, row.bytes)) {
        this.#eraseSlot.run(owner, row.key, row.slot);
      } else if (!pages.has(row.key)) pages.set(row.key, new Uint8Array(row.bytes));
    }
    return pages;
  }

  write(owner: string, operations: readonly FlashOperation[]): Promise<void> {
    // The caller may use its buffer for something else from now on.
    const copies = operations.map((operation) =>
      'put' in operation ? { put: operation.put, bytes: operation.bytes.slice() } : operation,
    );
    return this.#enqueue(() => {
      for (const operation of copies) {
        if ('put' in operation) this.#put(owner, operation.put, operation.bytes);
        else this.#erase.run(owner, operation.erase);
      }
    });
  }

  wipe(owner: string): Promise<void> {
    return this.#enqueue(() => this.#wipe.run(owner));
  }

  async close(): Promise<void> {
    if (!this.#db.open) return;
    this.#commitWaiting();
    this.#db.close();
  }

  #put(owner: string, key: string, bytes: Uint8Array): void {
    const newest = this.#selectKey.get(owner, key);
    const revision = (newest?.revision ?? -1) + 1;
    const place = newest?.place ?? this.#nextPlace++;
    this.#upsert.run(owner, key, revision % 2, revision, place, checksum(owner, key, revision, bytes), bytes);
  }

  async #enqueue(run: () => void): Promise<void> {
    this.#refuseClosed();
    await new Promise<void>((done, failed) => {
      this.#waiting.push({ run, done, failed });
      this.#turn ??= setImmediate(() => this.#commitWaiting());
    });
  }

  /** One transaction for all that waits; where that fails, one for each, so that every writer learns its own fate. */
  #commitWaiting(): void {
    if (this.#turn !== undefined) clearImmediate(this.#turn);
    this.#turn = undefined;
    const jobs = this.#waiting;
    this.#waiting = [];
    if (jobs.length === 0) return;
    const failure = this.#attempt(() => {
      for (const job of jobs) job.run();
    });
    for (const job of jobs) {
      // All failed together: each is tried alone, so that one which finds no room does not take others along.
      const own = failure === undefined ? undefined : this.#attempt(job.run);
      if (own === undefined) job.done();
      else job.failed(own);
    }
  }

  /** Runs `work` in one transaction; the error where it could not be carried out, and then nothing was written. */
  #attempt(work: () => void): Error | undefined {
    try {
      this.#db.transaction(work)();
      return undefined;
    } catch (error) {
      if (codeOf(error).startsWith('SQLITE_FULL'))
        return new FlashFull('The flash has no room.', { cause: error });
      return damaged(this.#db, error);
    }
  }

  #refuseClosed(): void {
    if (!this.#db.open) throw new Error('The flash is closed.');
  }
}

function checksum(owner: string, key: string, revision: number, bytes: Uint8Array): number {
  return crc32(bytes, crc32(JSON.stringify([owner, key, revision])));
}

/** What SQLite says of a file whose pages do not fit together; every other error stays what it is. */
function damaged({ name }: Database.Database, error: unknown): Error {
  if (/^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(codeOf(error)))
    return new FlashBroken(`${name} is damaged: ${String(error)}.`, { cause: error });
  return error instanceof Error ? error : new Error(String(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

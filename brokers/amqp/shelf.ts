import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { makePrivate } from '../../world/real-private-file.ts';
import { Reader, type Table, Writer } from './fields.ts';
import type { Binding, Entrance, ExchangeType } from './state.ts';

const SCHEMA_VERSION = 1;
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS exchange (
    name TEXT PRIMARY KEY, type TEXT NOT NULL, auto_delete INTEGER NOT NULL, internal INTEGER NOT NULL,
    args BLOB NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS queue (
    name TEXT PRIMARY KEY, auto_delete INTEGER NOT NULL, args BLOB NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS binding (
    key TEXT PRIMARY KEY, source TEXT NOT NULL, kind TEXT NOT NULL, destination TEXT NOT NULL,
    routing_key TEXT NOT NULL, args BLOB NOT NULL
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS message (
    position INTEGER PRIMARY KEY, queue TEXT NOT NULL, exchange TEXT NOT NULL, routing_key TEXT NOT NULL,
    properties BLOB NOT NULL, body BLOB NOT NULL, expires_at_ms INTEGER
  );
  CREATE INDEX IF NOT EXISTS message_of_queue ON message (queue);`;

/** What was kept, oldest messages first. */
export interface Kept {
  readonly exchanges: readonly {
    readonly name: string;
    readonly type: ExchangeType;
    readonly autoDelete: boolean;
    readonly internal: boolean;
    readonly args: Table;
  }[];
  readonly queues: readonly { readonly name: string; readonly autoDelete: boolean; readonly args: Table }[];
  readonly bindings: readonly { readonly key: string; readonly binding: Omit<Binding, 'storedAt'> }[];
  readonly messages: Iterable<KeptMessage>;
}

export interface KeptMessage {
  readonly position: number;
  readonly queue: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly properties: Uint8Array;
  readonly body: Uint8Array;
  readonly expiresAtMs: number | null;
}

/** The file of the broker is of a newer version, damaged, or none of ours. */
export class ShelfUnusable extends Error {
  override readonly name = 'ShelfUnusable';
}

/** Durable exchanges, queues and bindings, and persistent messages, in one SQLite file. */
export class Shelf {
  readonly #db: Database.Database;
  readonly #run: (entrances: readonly Entrance[]) => void;

  /** Opens or creates the file for this process alone; `:memory:` keeps nothing. Throws `ShelfUnusable`. */
  constructor(path: string) {
    try {
      if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
      this.#db = open(path);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new ShelfUnusable(`The AMQP broker cannot use ${path}: ${reason}.`, { cause: error });
    }
    this.#run = writer(this.#db);
  }

  load(): Kept {
    const all = (sql: string) => this.#db.prepare<[], Record<string, unknown>>(sql).all();
    return {
      exchanges: all('SELECT * FROM exchange').map((row) => ({
        name: String(row['name']),
        type: exchangeType(row['type']),
        autoDelete: row['auto_delete'] === 1,
        internal: row['internal'] === 1,
        args: readTable(row['args']),
      })),
      queues: all('SELECT * FROM queue').map((row) => ({
        name: String(row['name']),
        autoDelete: row['auto_delete'] === 1,
        args: readTable(row['args']),
      })),
      bindings: all('SELECT * FROM binding').map((row) => ({
        key: String(row['key']),
        binding: {
          source: String(row['source']),
          destination: {
            kind: row['kind'] === 'exchange' ? 'exchange' : 'queue',
            name: String(row['destination']),
          },
          routingKey: String(row['routing_key']),
          args: readTable(row['args']),
        },
      })),
      messages: this.#db
        .prepare<[], KeptMessage>(
          `SELECT position, queue, exchange, routing_key AS routingKey, properties, body,
                  expires_at_ms AS expiresAtMs
           FROM message ORDER BY position`,
        )
        .iterate(),
    };
  }

  /** Writes all, or throws and writes nothing. What it wrote survives the death of process and machine. */
  commit(entrances: readonly Entrance[]): void {
    this.#run(entrances);
  }

  close(): void {
    this.#db.close();
  }
}

function open(path: string): Database.Database {
  if (path !== ':memory:') makePrivate(path);
  const db = new Database(path, { timeout: 0 });
  try {
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    const version = Number(db.pragma('user_version', { simple: true }));
    if (version > SCHEMA_VERSION)
      throw new Error(`it is of version ${version}, newer than ${SCHEMA_VERSION}`);
    db.exec(SCHEMA);
    db.pragma(`user_version = ${SCHEMA_VERSION}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

function writer(db: Database.Database): (entrances: readonly Entrance[]) => void {
  const putExchange = db.prepare('INSERT OR REPLACE INTO exchange VALUES (?, ?, ?, ?, ?)');
  const dropExchange = db.prepare('DELETE FROM exchange WHERE name = ?');
  const putQueue = db.prepare('INSERT OR REPLACE INTO queue VALUES (?, ?, ?)');
  const dropQueue = db.prepare('DELETE FROM queue WHERE name = ?');
  const dropMessages = db.prepare('DELETE FROM message WHERE queue = ?');
  const putBinding = db.prepare('INSERT OR REPLACE INTO binding VALUES (?, ?, ?, ?, ?, ?)');
  const dropBinding = db.prepare('DELETE FROM binding WHERE key = ?');
  const putMessage = db.prepare('INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?, ?, ?)');
  const dropMessage = db.prepare('DELETE FROM message WHERE position = ?');
  const enter = (entrance: Entrance) => {
    switch (entrance.kind) {
      case 'put-exchange': {
        const { name, type, autoDelete, internal, args } = entrance.exchange;
        return putExchange.run(name, type, Number(autoDelete), Number(internal), bytesOf(args));
      }
      case 'drop-exchange':
        return dropExchange.run(entrance.name);
      case 'put-queue': {
        const { name, autoDelete, args } = entrance.queue;
        return putQueue.run(name, Number(autoDelete), bytesOf(args));
      }
      case 'drop-queue':
        dropMessages.run(entrance.name);
        return dropQueue.run(entrance.name);
      case 'put-binding': {
        const { source, destination, routingKey, args } = entrance.binding;
        return putBinding.run(
          ...[entrance.key, source, destination.kind, destination.name, routingKey, bytesOf(args)],
        );
      }
      case 'drop-binding':
        return dropBinding.run(entrance.key);
      case 'put-message': {
        const { position, message, expiresAtMs } = entrance.entry;
        const { exchange, routingKey, properties, body } = message;
        const expires = expiresAtMs === undefined ? null : Math.ceil(expiresAtMs);
        return putMessage.run(position, entrance.queue, exchange, routingKey, properties, body, expires);
      }
      case 'drop-message':
        return dropMessage.run(entrance.position);
    }
  };
  return db.transaction((entrances: readonly Entrance[]) => {
    for (const entrance of entrances) enter(entrance);
  });
}

function bytesOf(table: Table): Uint8Array {
  const writer = new Writer();
  writer.table(table);
  return writer.done();
}

function readTable(value: unknown): Table {
  return value instanceof Uint8Array ? new Reader(value).table() : new Map();
}

function exchangeType(value: unknown): ExchangeType {
  return value === 'fanout' || value === 'topic' || value === 'headers' ? value : 'direct';
}

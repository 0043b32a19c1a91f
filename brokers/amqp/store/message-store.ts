import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import type { ExchangeType } from '../../../world/amqp/exchange-routing.ts';
import { errorText } from '../../../world/error-text.ts';
import { makePrivate } from '../../../world/files/real-private-files.ts';
import { AmqpReader, type AmqpTable, AmqpWriter } from '../codec/fields.ts';
import { withBcc } from '../further-keys.ts';
import type { Binding, JournalRecord } from '../state.ts';

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

/** The stored data, oldest messages first. */
export interface StoredBroker {
  readonly exchanges: readonly {
    readonly name: string;
    readonly type: ExchangeType;
    readonly autoDelete: boolean;
    readonly internal: boolean;
    readonly args: AmqpTable;
  }[];
  readonly queues: readonly {
    readonly name: string;
    readonly autoDelete: boolean;
    readonly args: AmqpTable;
  }[];
  readonly bindings: readonly { readonly key: string; readonly binding: Omit<Binding, 'storedAt'> }[];
  readonly messages: Iterable<StoredMessageRow>;
}

export interface StoredMessageRow {
  readonly position: number;
  readonly queue: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly properties: Uint8Array;
  readonly body: Uint8Array;
  readonly expiresAtMs: number | null;
}

/** The file of the broker was written by a newer version, is damaged, or belongs to another program. */
export class MessageStoreUnusable extends Error {
  override readonly name = 'MessageStoreUnusable';
}

/** Durable exchanges, queues and bindings, and persistent messages, in one SQLite file. */
export class MessageStore {
  readonly #db: Database.Database;
  readonly #write: (rows: readonly MessageStoreRow[]) => void;

  /**
   * Opens or creates the file for this process alone; `:memory:` stores nothing. Throws
   * `MessageStoreUnusable`.
   */
  constructor(path: string) {
    try {
      if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
      this.#db = open(path);
    } catch (error) {
      const reason = errorText(error);
      throw new MessageStoreUnusable(`The AMQP broker cannot use ${path}: ${reason}.`, { cause: error });
    }
    this.#write = rowWriter(this.#db);
  }

  load(): StoredBroker {
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
        .prepare<[], StoredMessageRow>(
          `SELECT position, queue, exchange, routing_key AS routingKey, properties, body,
                  expires_at_ms AS expiresAtMs
           FROM message ORDER BY position`,
        )
        .iterate(),
    };
  }

  /**
   * Writes all records, or throws and writes nothing. Written records survive a crash of process and machine.
   */
  commit(records: readonly JournalRecord[]): void {
    this.write(rowsOf(records));
  }

  /** The same, with the rows of the records. */
  write(rows: readonly MessageStoreRow[]): void {
    this.#write(rows);
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

const STATEMENTS = {
  putExchange: 'INSERT OR REPLACE INTO exchange VALUES (?, ?, ?, ?, ?)',
  dropExchange: 'DELETE FROM exchange WHERE name = ?',
  putQueue: 'INSERT OR REPLACE INTO queue VALUES (?, ?, ?)',
  dropQueue: 'DELETE FROM queue WHERE name = ?',
  dropMessages: 'DELETE FROM message WHERE queue = ?',
  putBinding: 'INSERT OR REPLACE INTO binding VALUES (?, ?, ?, ?, ?, ?)',
  dropBinding: 'DELETE FROM binding WHERE key = ?',
  putMessage: 'INSERT OR REPLACE INTO message VALUES (?, ?, ?, ?, ?, ?, ?)',
  dropMessage: 'DELETE FROM message WHERE position = ?',
} as const;

/** A statement and its parameters: what a record is in the file. It can be posted to another thread. */
export type MessageStoreRow = readonly [
  statement: keyof typeof STATEMENTS,
  ...parameters: readonly (string | number | Uint8Array | null)[],
];

/** The rows of records, in their order. The bytes are copies without the rest of the buffer they lie in. */
export function rowsOf(records: readonly JournalRecord[]): readonly MessageStoreRow[] {
  return records.flatMap(rowsOfOne);
}

function rowsOfOne(record: JournalRecord): readonly MessageStoreRow[] {
  switch (record.kind) {
    case 'put-exchange': {
      const { name, type, autoDelete, internal, args } = record.exchange;
      return [['putExchange', name, type, Number(autoDelete), Number(internal), bytesOf(args)]];
    }
    case 'drop-exchange':
      return [['dropExchange', record.name]];
    case 'put-queue': {
      const { name, autoDelete, args } = record.queue;
      return [['putQueue', name, Number(autoDelete), bytesOf(args)]];
    }
    case 'drop-queue':
      return [
        ['dropMessages', record.name],
        ['dropQueue', record.name],
      ];
    case 'put-binding': {
      const { source, destination, routingKey, args } = record.binding;
      return [
        ['putBinding', record.key, source, destination.kind, destination.name, routingKey, bytesOf(args)],
      ];
    }
    case 'drop-binding':
      return [['dropBinding', record.key]];
    case 'put-message': {
      const { position, message, expiresAtMs } = record.entry;
      const { exchange, routingKey } = message;
      const expires = expiresAtMs === undefined ? null : Math.ceil(expiresAtMs);
      const properties = withBcc(message);
      const body = new Uint8Array(message.body);
      return [['putMessage', position, record.queue, exchange, routingKey, properties, body, expires]];
    }
    case 'drop-message':
      return [['dropMessage', record.position]];
  }
}

function rowWriter(db: Database.Database): (rows: readonly MessageStoreRow[]) => void {
  const prepared = Object.fromEntries(
    Object.entries(STATEMENTS).map(([name, sql]) => [name, db.prepare(sql)]),
  ) as Readonly<Record<keyof typeof STATEMENTS, Database.Statement>>;
  return db.transaction((rows: readonly MessageStoreRow[]) => {
    for (const [statement, ...parameters] of rows) prepared[statement].run(...parameters);
  });
}

function bytesOf(table: AmqpTable): Uint8Array {
  const writer = new AmqpWriter();
  writer.table(table);
  return writer.done();
}

function readTable(value: unknown): AmqpTable {
  return value instanceof Uint8Array ? new AmqpReader(value).table() : new Map();
}

function exchangeType(value: unknown): ExchangeType {
  return value === 'fanout' || value === 'topic' || value === 'headers' ? value : 'direct';
}

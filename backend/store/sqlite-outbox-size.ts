import type { Database } from 'better-sqlite3';

/** What an outbox adds up to. */
export interface SizeRow {
  readonly messages: number;
  readonly bytes: number;
}

/** How much waits in the outbox: as the database has it, and a guess that costs no look at it. */
export interface OutboxSizes {
  /** Exactly. */
  read(): SizeRow;
  /** Within a transaction: messages were written, the oldest of them made at `oldestMs`. */
  grow(written: SizeRow & { readonly oldestMs: number }): void;
  /** Within a transaction: messages are off the outbox. */
  shrink(removed: SizeRow): void;
  /** The transaction of a `shrink` was committed. */
  shrunk(removed: SizeRow): void;
  /** Never less than there is, nor younger than the oldest. */
  atMost(): SizeRow & { readonly oldestMs: number };
  /** What `read` has just found stands in place of the guess of how much there is. */
  correct(size: SizeRow): void;
}

const known = new WeakMap<Database, OutboxSizes>();

/** The sizes of a database's outbox: one and the same for all that write to it. */
export function outboxSizes(database: Database): OutboxSizes {
  const found = known.get(database);
  if (found !== undefined) return found;
  const made = makeSizes(database);
  known.set(database, made);
  return made;
}

/**
 * No other process has the file open. A transaction that is rolled back leaves the guess too high, which only makes
 * somebody look; so it is lowered behind a commit only.
 */
function makeSizes(database: Database): OutboxSizes {
  const select = database.prepare<[], SizeRow>('SELECT messages, bytes FROM outbox_size');
  const change = database.prepare<[number, number]>(
    'UPDATE outbox_size SET messages = messages + ?, bytes = bytes + ?',
  );
  const read = (): SizeRow => select.get() ?? { messages: 0, bytes: 0 };
  let { messages, bytes } = read();
  // How old those are that an earlier process left is not looked at: as long as there are some, they may be too old.
  let oldestMs = messages === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;

  return {
    read,
    grow(written) {
      change.run(written.messages, written.bytes);
      messages += written.messages;
      bytes += written.bytes;
      oldestMs = Math.min(oldestMs, written.oldestMs);
    },
    shrink: (removed) => void change.run(-removed.messages, -removed.bytes),
    shrunk(removed) {
      messages -= removed.messages;
      bytes -= removed.bytes;
      if (messages === 0) oldestMs = Number.POSITIVE_INFINITY;
    },
    atMost: () => ({ messages, bytes, oldestMs }),
    correct(size) {
      messages = size.messages;
      bytes = size.bytes;
    },
  };
}

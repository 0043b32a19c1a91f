import type { Database } from 'better-sqlite3';
import { outboxCountedAt } from './outbox-limits.ts';

/** What an outbox adds up to. */
export interface SizeRow {
  readonly messages: number;
  readonly bytes: number;
}

/**
 * How much waits in the outbox, as the database has it and as a guess that costs no look at it; and the positions of its
 * messages, which the same row gives out: what lies behind the last one that it has counted is not counted yet.
 */
export interface OutboxCount {
  /** Exactly. Looks at the newest messages, `outboxCountedAt` of them at most and those of one call. */
  read(): SizeRow;
  /** Within a transaction: exactly, and from here on `read` need not look at any message that is there now. */
  settle(): SizeRow;
  /** Within a transaction, once before its first message: positions can be given out. */
  begin(): void;
  /** Within a transaction: the next position, for a message that is written before another one is asked for. */
  position(): number;
  /** Within a transaction: messages were written, the oldest of them made at `oldestMs`. */
  grow(written: SizeRow & { readonly oldestMs: number }): void;
  /** False: the database has no count of this message that had to be changed, were it removed. */
  mayCount(position: number): boolean;
  /** Within a transaction: these messages are off the outbox. Those of which `mayCount` is false may be left out. */
  shrink(removed: readonly RemovedMessage[]): void;
  /** The transaction that removed so many messages was committed. */
  shrunk(messages: number): void;
  /** Never less than there is, nor younger than the oldest. */
  atMost(): SizeRow & { readonly oldestMs: number };
  /** What `read` has just found stands in place of the guess of how much there is. */
  correct(size: SizeRow): void;
}

export interface RemovedMessage {
  readonly position: number;
  readonly bytes: number;
}

const known = new WeakMap<Database, OutboxCount>();

/** The count of a database's outbox: one and the same for all that write to it. */
export function outboxCount(database: Database): OutboxCount {
  const found = known.get(database);
  if (found !== undefined) return found;
  const made = makeCount(database);
  known.set(database, made);
  return made;
}

interface CountedRow {
  /** The last position that the row counts. */
  readonly up_to: number;
  /** Up to here positions may have been given out, by whatever process. */
  readonly reserved: number;
}

/**
 * No other process has the file open. A transaction that is rolled back leaves the guess too high, which only makes
 * somebody look; so it is lowered behind a commit only. The guess of the bytes falls when nothing waits any more, or
 * when somebody has looked.
 */
function makeCount(database: Database): OutboxCount {
  const selectCounted = database.prepare<[], CountedRow>('SELECT up_to, reserved FROM outbox_size');
  const select = database.prepare<[], SizeRow>(`
    SELECT s.messages + count(o.position) AS messages, s.bytes + coalesce(sum(octet_length(o.body)), 0) AS bytes
    FROM outbox_size s LEFT JOIN outbox o ON o.position > s.up_to`);
  const count = database.prepare<[number, number]>(`
    UPDATE outbox_size SET up_to = ?, reserved = ?,
      messages = messages + (SELECT count(*) FROM outbox WHERE position > up_to),
      bytes = bytes + (SELECT coalesce(sum(octet_length(body)), 0) FROM outbox WHERE position > up_to)`);
  const lower = database.prepare<[number, number]>(
    'UPDATE outbox_size SET messages = messages - ?, bytes = bytes - ?',
  );
  const read = (): SizeRow => select.get() ?? { messages: 0, bytes: 0 };
  const readCounted = (): CountedRow => selectCounted.get() ?? { up_to: 0, reserved: 0 };

  let { messages, bytes } = read();
  // How old those are that an earlier process left is not looked at: as long as there are some, they may be too old.
  let oldestMs = messages === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  let { up_to: upTo, reserved } = readCounted();
  let last = reserved;
  // A count that was written may have been rolled back since; `upTo` is too high then, and `reserved` must be read.
  let isSure = true;

  function writeCount(): void {
    isSure = false;
    upTo = last;
    reserved = last + outboxCountedAt;
    count.run(upTo, reserved);
  }

  return {
    read,
    settle() {
      writeCount();
      return read();
    },
    begin() {
      if (isSure) return;
      const row = readCounted();
      upTo = row.up_to;
      reserved = row.reserved;
      isSure = true;
    },
    position() {
      if (last >= reserved) writeCount();
      last += 1;
      return last;
    },
    grow(written) {
      messages += written.messages;
      bytes += written.bytes;
      oldestMs = Math.min(oldestMs, written.oldestMs);
    },
    mayCount: (position) => position <= upTo,
    shrink(removed) {
      const counted = readCounted().up_to;
      const gone = removed.filter(({ position }) => position <= counted);
      const goneBytes = gone.reduce((sum, one) => sum + one.bytes, 0);
      if (gone.length > 0) lower.run(gone.length, goneBytes);
    },
    shrunk(removed) {
      messages -= removed;
      if (messages > 0) return;
      bytes = 0;
      oldestMs = Number.POSITIVE_INFINITY;
    },
    atMost: () => ({ messages, bytes, oldestMs }),
    correct(size) {
      messages = size.messages;
      bytes = size.bytes;
    },
  };
}

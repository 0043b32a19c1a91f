import type { Database } from 'better-sqlite3';
import { outboxCountedAt } from '../../port/outbox-limits.ts';

/** The size of an outbox. */
export interface SizeRow {
  readonly messages: number;
  readonly bytes: number;
}

/**
 * The size of the outbox, exactly from the database and as an estimate without reading it; and the positions
 * of its messages, which the same row assigns: positions after the last counted one are not counted yet.
 */
export interface OutboxCount {
  /** Exactly. Reads the newest messages, at most `outboxCountedAt` of them and those of one call. */
  read(): SizeRow;
  /** Within a transaction: exactly, and `read` need not read any present message from here on. */
  settle(): SizeRow;
  /** Within a transaction, once before its first message: positions can be assigned. */
  begin(): void;
  /** Within a transaction: the next position, for a message that is written before the next call. */
  position(): number;
  /** Within a transaction: messages were written, the oldest of them created at `oldestMs`. */
  grow(written: SizeRow & { readonly oldestMs: number }): void;
  /** False: the stored count does not include this message, so its removal need not change it. */
  mayCount(position: number): boolean;
  /**
   * Within a transaction: these messages were removed. Those for which `mayCount` is false may be left out.
   */
  shrink(removed: readonly RemovedMessage[]): void;
  /** The transaction that removed this many messages was committed. */
  shrunk(messages: number): void;
  /** An estimate: never less than the actual size, nor younger than the oldest. */
  atMost(): SizeRow & { readonly oldestMs: number };
  /** Replaces the estimate by what `read` has just found. */
  correct(size: SizeRow): void;
}

export interface RemovedMessage {
  readonly position: number;
  readonly bytes: number;
}

const known = new WeakMap<Database, OutboxCount>();

/** The count of a database's outbox: one instance for all writers. */
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
  /** Positions up to here may have been assigned, by any process. */
  readonly reserved: number;
}

/**
 * No other process has the file open. A transaction that is rolled back leaves the estimate too high, which
 * only costs a read; so it is lowered only after a commit. The estimate of the bytes falls when nothing waits
 * any more, or after a read.
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
  // The age of messages that an earlier process left is not read: while there are some, they may be too old.
  let oldestMs = messages === 0 ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
  let { up_to: upTo, reserved } = readCounted();
  let last = reserved;
  // A written count may have been rolled back since; `upTo` is too high then, and `reserved` must be read.
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

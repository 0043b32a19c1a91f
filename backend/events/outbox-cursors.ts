import { type OutboxRow, type PartitionCursor, shareOf } from '../store/port/outbox-store.ts';

/** The next read of the outbox: all of it in one order, or some of its partitions, each after a position of its own. */
export type OutboxRead =
  | { readonly afterPosition: number; readonly limit: number }
  | { readonly cursors: readonly PartitionCursor[]; readonly limit: number };

/**
 * - resting: the outbox is not known to have further rows of it.
 * - hungry: there may be more.
 * - reading: it is part of the read that is in progress.
 * - woken: the same, and there may be more by now than that read finds.
 */
type CursorState = 'resting' | 'hungry' | 'reading' | 'woken';

interface Cursor {
  position: number;
  state: CursorState;
}

/** The key of the cursor of all partitions together, in place of a partition. */
const ALL = -1;

/**
 * How far the outbox was read: one cursor for all partitions together, or one for each. All are hungry at first, and
 * are before the first row.
 */
export class OutboxCursors {
  readonly #cursors: Map<number, Cursor>;
  readonly #areOne: boolean;
  #mayHaveMore: boolean;
  /** How many rows of each cursor the read that is in progress returns at most. */
  #share = 0;

  /** `partitions`: those that are read; undefined: all in one order. */
  constructor(partitions: readonly number[] | undefined) {
    const keys = partitions ?? [ALL];
    this.#cursors = new Map(keys.map((key) => [key, { position: 0, state: 'hungry' }]));
    this.#areOne = partitions === undefined;
    this.#mayHaveMore = keys.length > 0;
  }

  /** These are read from now on, from their first row. */
  begin(partitions: readonly number[]): void {
    for (const partition of partitions) this.#cursors.set(partition, { position: 0, state: 'hungry' });
    if (partitions.length > 0) this.#mayHaveMore = true;
  }

  /** These are not read any more; rows of them in a read in progress are ignored. */
  end(partitions: readonly number[]): void {
    for (const partition of partitions) this.#cursors.delete(partition);
  }

  /** Whether a read may find rows: something is hungry. */
  get mayHaveMore(): boolean {
    return this.#mayHaveMore;
  }

  /** There may be new rows anywhere. */
  wake(): void {
    for (const cursor of this.#cursors.values()) this.#wake(cursor);
  }

  /** The next read: of what is hungry. It ends with `haveRead` or `haveFailed`, before the next one. */
  beginRead(limit: number): OutboxRead {
    const cursors: PartitionCursor[] = [];
    for (const [partition, cursor] of this.#cursors) {
      if (cursor.state !== 'hungry') continue;
      cursor.state = 'reading';
      cursors.push({ partition, afterPosition: cursor.position });
    }
    this.#mayHaveMore = false;
    this.#share = shareOf(limit, cursors.length);
    return this.#areOne ? { afterPosition: cursors[0]?.afterPosition ?? 0, limit } : { cursors, limit };
  }

  /** What the read has found: those of the rows that count. */
  haveRead(rows: readonly OutboxRow[]): readonly OutboxRow[] {
    const found = new Map<Cursor, number>();
    const counted = rows.filter((row) => {
      const cursor = this.#of(row);
      // One that was restarted meanwhile is not part of this read.
      if (cursor?.state !== 'reading' && cursor?.state !== 'woken') return false;
      cursor.position = row.position;
      found.set(cursor, (found.get(cursor) ?? 0) + 1);
      return true;
    });
    this.#endRead((cursor) => found.get(cursor) === this.#share);
    return counted;
  }

  haveFailed(): void {
    this.#endRead(() => true);
  }

  /**
   * Those of the rows that a commit has written which directly follow the last row read: they count as read. For the
   * others something is hungry now, or it is not read here.
   */
  follow(rows: readonly OutboxRow[]): readonly OutboxRow[] {
    return rows.filter((row) => {
      const cursor = this.#of(row);
      if (cursor === undefined) return false;
      // Positions rise by one. Rows written before whose call is still in progress leave a gap here.
      const follows = cursor.state === 'resting' && row.position === cursor.position + 1;
      if (follows) cursor.position = row.position;
      else this.#wake(cursor);
      return follows;
    });
  }

  #of(row: OutboxRow): Cursor | undefined {
    return this.#cursors.get(this.#areOne ? ALL : row.partition);
  }

  #wake(cursor: Cursor): void {
    if (cursor.state === 'reading') cursor.state = 'woken';
    if (cursor.state !== 'resting') return;
    cursor.state = 'hungry';
    this.#mayHaveMore = true;
  }

  #endRead(hasMore: (cursor: Cursor) => boolean): void {
    for (const cursor of this.#cursors.values()) {
      if (cursor.state !== 'reading' && cursor.state !== 'woken') continue;
      cursor.state = cursor.state === 'woken' || hasMore(cursor) ? 'hungry' : 'resting';
      if (cursor.state === 'hungry') this.#mayHaveMore = true;
    }
  }
}

import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { limits } from '../base/limits.ts';
import { backoffMs } from '../base/retry.ts';
import type { OutboxRow, OutboxStore } from '../store/port/outbox-store.ts';
import { OutboxCursors } from './outbox-cursors.ts';

export interface OutboxReaderParts {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly outbox: Pick<OutboxStore, 'next' | 'nextByPartition'>;
  readonly counters: Counters;
  /** The partitions that are read at first; absent: all, in one order, from a store that no other process writes to. */
  readonly partitions?: readonly number[] | undefined;
  /** How many rows there is room for. */
  freeRows(): number;
  /** Rows in the order of the outbox, each once. */
  rowsRead(rows: readonly OutboxRow[]): void;
}

/** Reads the outbox as far ahead as there is room. */
export interface OutboxReader {
  /** There may be new rows in the outbox. */
  wake(): void;
  /**
   * A commit has put these rows into the outbox. Those that directly follow the last row read are not read again, if
   * all fit.
   */
  rowsWritten(rows: readonly OutboxRow[]): void;
  /** These partitions are read from now on, from their first row. */
  begin(partitions: readonly number[]): void;
  /** These are not read any more. */
  end(partitions: readonly number[]): void;
  /** There is room again. */
  readOn(): void;
  sever(): void;
}

/**
 * - ready: what may have more rows is read once there is room.
 * - reading: a read is in progress.
 * - waiting: the store failed.
 * - over: stopped.
 */
type State = 'ready' | 'reading' | 'waiting' | 'over';

/** Starts at the head of the outbox: messages of an earlier instance are published first. */
export function makeOutboxReader(parts: OutboxReaderParts): OutboxReader {
  const { world, outbox, counters } = parts;
  const chance = world.random.stream('backend/read-ahead');
  const cursors = new OutboxCursors(parts.partitions);
  let state: State = 'ready';
  let failures = 0;
  let cancelAlarm = (): void => undefined;

  function readOn(): void {
    if (state !== 'ready' || !cursors.mayHaveMore) return;
    const limit = Math.min(limits.outboxReadRows, parts.freeRows());
    // A few rows at a time are not worth a read: it waits until half of one fits.
    if (limit < limits.outboxReadRows / 2) return;
    state = 'reading';
    read(limit).then(
      (rows) => {
        if (isOver()) return;
        failures = 0;
        state = 'ready';
        const counted = cursors.haveRead(rows);
        if (counted.length > 0) parts.rowsRead(counted);
        readOn();
      },
      (error: unknown) => {
        if (!isOver()) failed(error);
      },
    );
  }

  function read(limit: number): Promise<readonly OutboxRow[]> {
    const query = cursors.beginRead(limit);
    return 'cursors' in query ? outbox.nextByPartition(query) : outbox.next(query);
  }

  function failed(error: unknown): void {
    const delayMs = backoffMs(failures, limits.firstBackoffMs, limits.lastStoreBackoffMs, chance.fraction());
    failures += 1;
    counters.add('outbox.failed');
    world.log.error({ error: String(error), delayMs }, 'the outbox cannot be read');
    cursors.haveFailed();
    state = 'waiting';
    cancelAlarm = world.time.alarm(world.time.nowMs() + delayMs, () => {
      state = 'ready';
      readOn();
    });
  }

  const isOver = (): boolean => state === 'over';

  function wake(): void {
    cursors.wake();
    readOn();
  }

  return {
    wake,
    rowsWritten(rows) {
      if (rows.length > parts.freeRows()) return wake();
      const following = cursors.follow(rows);
      if (following.length > 0) parts.rowsRead(following);
      return readOn();
    },
    begin(partitions) {
      cursors.begin(partitions);
      readOn();
    },
    end: (partitions) => cursors.end(partitions),
    readOn,
    sever() {
      state = 'over';
      cancelAlarm();
    },
  };
}

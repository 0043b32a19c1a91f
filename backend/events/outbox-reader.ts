import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import { backoffMs } from '../retry.ts';
import type { OutboxRow, OutboxStore } from '../store/port/outbox-store.ts';

export interface OutboxReaderParts {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly outbox: Pick<OutboxStore, 'next'>;
  readonly counters: Counters;
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
   * A commit has put these rows into the outbox. If they directly follow the last row read, and fit, they are
   * not read again.
   */
  rowsWritten(rows: readonly OutboxRow[]): void;
  /** There is room again. */
  readOn(): void;
  sever(): void;
}

/**
 * - resting: the outbox is not known to have further rows.
 * - hungry: there may be more; they are read once there is room.
 * - reading: a read is under way.
 * - waiting: the store failed.
 * - over: stopped.
 */
type State = 'resting' | 'hungry' | 'reading' | 'waiting' | 'over';

/** Starts at the head of the outbox: what an earlier instance left goes out first. */
export function makeOutboxReader(parts: OutboxReaderParts): OutboxReader {
  const { world, outbox, counters } = parts;
  const chance = world.random.stream('backend/read-ahead');
  let state: State = 'hungry';
  let position = 0;
  let wokenMeanwhile = false;
  let failures = 0;
  let cancelAlarm = (): void => undefined;

  function readOn(): void {
    if (state !== 'hungry') return;
    const limit = Math.min(limits.outboxReadRows, parts.freeRows());
    // A few rows at a time are not worth a read: it waits until half of one fits.
    if (limit < limits.outboxReadRows / 2) return;
    state = 'reading';
    wokenMeanwhile = false;
    outbox.next({ afterPosition: position, limit }).then(
      (rows) => {
        if (isOver()) return;
        failures = 0;
        position = rows.at(-1)?.position ?? position;
        state = rows.length === limit || wokenMeanwhile ? 'hungry' : 'resting';
        if (rows.length > 0) parts.rowsRead(rows);
        readOn();
      },
      (error: unknown) => {
        if (!isOver()) failed(error);
      },
    );
  }

  function failed(error: unknown): void {
    const delayMs = backoffMs(failures, limits.firstBackoffMs, limits.lastStoreBackoffMs, chance.fraction());
    failures += 1;
    counters.add('outbox.failed');
    world.log.error({ error: String(error), delayMs }, 'the outbox cannot be read');
    state = 'waiting';
    cancelAlarm = world.time.alarm(world.time.nowMs() + delayMs, () => {
      state = 'hungry';
      readOn();
    });
  }

  const isOver = (): boolean => state === 'over';

  function wake(): void {
    wokenMeanwhile = true;
    if (state === 'resting') state = 'hungry';
    readOn();
  }

  return {
    wake,
    rowsWritten(rows) {
      // Positions rise by one. Rows written before whose call is still under way leave a gap here.
      const follows = state === 'resting' && rows[0]?.position === position + 1;
      const last = rows.at(-1);
      if (!follows || last === undefined || rows.length > parts.freeRows()) return wake();
      position = last.position;
      return parts.rowsRead(rows);
    },
    readOn,
    sever() {
      state = 'over';
      cancelAlarm();
    },
  };
}

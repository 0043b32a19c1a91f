import type { World } from '../../world/world.ts';
import { backoffMs } from '../backoff.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import type { OutboxRow, OutboxStore } from '../store/outbox-store.ts';

export interface ReadAheadParts {
  readonly world: Pick<World, 'time' | 'random' | 'log'>;
  readonly outbox: Pick<OutboxStore, 'next'>;
  readonly counters: Counters;
  /** How many rows there is room for. */
  room(): number;
  /** Rows in the order of the outbox, each once. */
  read(rows: readonly OutboxRow[]): void;
}

/** The producer: reads the outbox as far ahead as there is room. */
export interface ReadAhead {
  /** There may be something new in the outbox. */
  wake(): void;
  /**
   * A commit has put these rows into the outbox. Where they follow upon all that was read, and have room, they are not
   * read again.
   */
  written(rows: readonly OutboxRow[]): void;
  /** There is room again. */
  goOn(): void;
  sever(): void;
}

/**
 * - resting: nothing is known to be in the outbox behind what was read.
 * - hungry: there may be more; it is read once there is room.
 * - reading: a read is under way.
 * - waiting: the store failed.
 * - over
 */
type State = 'resting' | 'hungry' | 'reading' | 'waiting' | 'over';

/** Starts at the head of the outbox: what an earlier incarnation left goes out first. */
export function makeReadAhead(parts: ReadAheadParts): ReadAhead {
  const { world, outbox, counters } = parts;
  const chance = world.random.stream('backend/read-ahead');
  let state: State = 'hungry';
  let position = 0;
  let wokenMeanwhile = false;
  let failures = 0;
  let cancelAlarm = (): void => undefined;

  function goOn(): void {
    if (state !== 'hungry') return;
    const limit = Math.min(limits.courierReadRows, parts.room());
    // Few rows at a time are not worth a read: it waits until half of one fits.
    if (limit < limits.courierReadRows / 2) return;
    state = 'reading';
    wokenMeanwhile = false;
    outbox.next({ afterPosition: position, limit }).then(
      (rows) => {
        if (isOver()) return;
        failures = 0;
        position = rows.at(-1)?.position ?? position;
        state = rows.length === limit || wokenMeanwhile ? 'hungry' : 'resting';
        if (rows.length > 0) parts.read(rows);
        goOn();
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
      goOn();
    });
  }

  const isOver = (): boolean => state === 'over';

  function wake(): void {
    wokenMeanwhile = true;
    if (state === 'resting') state = 'hungry';
    goOn();
  }

  return {
    wake,
    written(rows) {
      // Positions rise by one. Others that were written before, and whose word is still on its way, leave a gap here.
      const follows = state === 'resting' && rows[0]?.position === position + 1;
      const last = rows.at(-1);
      if (!follows || last === undefined || rows.length > parts.room()) return wake();
      position = last.position;
      return parts.read(rows);
    },
    goOn,
    sever() {
      state = 'over';
      cancelAlarm();
    },
  };
}

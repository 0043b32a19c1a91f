import { Client, type ClientConfig } from 'pg';
import type { Stream } from '../../../world/random/random.ts';
import type { Time } from '../../../world/time/time.ts';
import { backoffMs } from '../../retry.ts';
import type { WakeUp, WakeUpListener } from '../port/wake-ups.ts';
import type { PostgresLimits } from './limits.ts';
import { CHANNEL, wakeUpOf } from './notices.ts';

export interface ListeningParts {
  readonly config: ClientConfig;
  /** The name of this store among those on the database: its own notices are left out. */
  readonly by: string;
  readonly time: Time;
  readonly chance: Stream;
  readonly limits: PostgresLimits;
}

/** What other stores on the database have committed. */
export interface Listening {
  listen(listener: WakeUpListener): () => void;
  close(): Promise<void>;
}

/**
 * A connection of its own that hears the notices of others, from the first listener on. Where it breaks, it is opened
 * again; what was told meanwhile is lost, so everybody is told that anything may have happened.
 */
export function listening({ config, by, time, chance, limits }: ListeningParts): Listening {
  const listeners = new Set<WakeUpListener>();
  let client: Client | undefined;
  let isClosed = false;
  let attempts = 0;
  let cancelAlarm = (): void => undefined;
  let cancelCheck = (): void => undefined;

  function tell(wakeUp: WakeUp): void {
    for (const listener of [...listeners]) listener(wakeUp);
  }

  async function open(): Promise<void> {
    // It waits for notices, however long none comes.
    const { statement_timeout: _, query_timeout: __, ...others } = config;
    const opened = new Client(others);
    client = opened;
    let isOver = false;
    const lost = (): void => {
      if (isOver) return;
      isOver = true;
      cancelCheck();
      opened.end().catch(() => undefined);
      if (isClosed || client !== opened) return;
      client = undefined;
      const delayMs = backoffMs(attempts, limits.firstListenMs, limits.lastListenMs, chance.fraction());
      attempts += 1;
      cancelAlarm = time.alarm(time.nowMs() + delayMs, () => void open());
    };
    opened.on('error', lost);
    opened.on('end', lost);
    opened.on('notification', ({ payload }) => {
      const wakeUp = wakeUpOf(payload, by);
      if (wakeUp !== undefined && !isOver) tell(wakeUp);
    });
    /** A connection that is cut off looks like one on which nobody tells anything. */
    const checkLater = (): void => {
      if (isOver) return;
      cancelCheck = time.alarm(time.nowMs() + limits.listenCheckMs, () => {
        cancelCheck = time.alarm(time.nowMs() + limits.answerMs, lost);
        opened.query('select 1').then(() => {
          cancelCheck();
          checkLater();
        }, lost);
      });
    };
    try {
      await opened.connect();
      await opened.query(`listen ${CHANNEL}`);
      attempts = 0;
      if (isOver) return;
      checkLater();
      tell({ kind: 'anything' });
    } catch {
      lost();
    }
  }

  return {
    listen(given) {
      // The same function may listen twice.
      const listener: WakeUpListener = (wakeUp) => given(wakeUp);
      listeners.add(listener);
      if (client === undefined && listeners.size === 1 && !isClosed) void open();
      return () => void listeners.delete(listener);
    },
    async close() {
      isClosed = true;
      cancelAlarm();
      cancelCheck();
      await client?.end();
    },
  };
}

import { Client, type ClientConfig } from 'pg';
import type { Stream } from '../../../world/random/random.ts';
import type { Time } from '../../../world/time/time.ts';
import { backoffMs } from '../../base/retry.ts';
import type { WakeUp, WakeUpListener } from '../port/wake-ups.ts';
import type { PostgresLimits } from './limits.ts';
import { CHANNEL, wakeUpOf } from './notices.ts';

export interface ListeningParts {
  readonly config: ClientConfig;
  /** The name of this store among those on the database: its own notifications are ignored. */
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
 * A separate connection that listens for notifications of others, from the first listener on. If it breaks it is
 * reopened; notifications in between are lost, so all listeners get `anything`.
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
    // It waits for notifications without a time-out.
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
    /** A broken connection looks like an idle one. */
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

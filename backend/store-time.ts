import type { Time } from '../world/time/time.ts';
import type { World } from '../world/world.ts';
import { limits } from './limits.ts';
import type { ClockStore } from './store/port/clock-store.ts';

export interface StoreTimeParts {
  readonly world: Pick<World, 'time' | 'log'>;
  readonly clock: ClockStore;
}

export interface StoreTime {
  /** The time of the store. It may jump when it is found that the machine's clock is off, forwards or back. */
  readonly time: Time;
  stop(): void;
}

/**
 * The time that all backends on a store go by. They write times for each other: when a command expires, an attempt is due,
 * a token was issued. A backend whose machine has another time would take what others hold for abandoned, and give tokens
 * that are not valid yet. So each looks how far its clock is off the store's, now and then, and goes by the store's; until
 * the first answer, and while the store does not answer, by what it knows.
 */
export function followStoreTime({ world, clock }: StoreTimeParts): StoreTime {
  const { time } = world;
  let offsetMs = 0;
  let isOver = false;
  let cancelAlarm = (): void => undefined;

  async function look(): Promise<void> {
    const askedMs = time.nowMs();
    try {
      const storeMs = await clock.nowMs();
      const next = judgeOffset(offsetMs, { askedMs, storeMs, answeredMs: time.nowMs() });
      if (next !== offsetMs && !isOver) tell(next);
      offsetMs = next;
    } catch {
      // Whoever needs the store tells that it fails.
    }
    if (!isOver) cancelAlarm = time.alarm(time.nowMs() + limits.clockLookMs, () => void look());
  }

  function tell(offMs: number): void {
    const text =
      "the clock of this machine is not that of the store, which the service goes by: set the machine's clock";
    if (Math.abs(offMs) < limits.clockWarningMs) world.log.info({ offMs }, text);
    else world.log.warn({ offMs }, text);
  }

  void look();
  return {
    time: {
      nowMs: () => time.nowMs() + offsetMs,
      alarm: (dueMs, wake) => time.alarm(dueMs - offsetMs, wake),
    },
    stop() {
      isOver = true;
      cancelAlarm();
    },
  };
}

/**
 * How far the store's clock is ahead of the machine's, by an answer that told the store's time at some moment between two
 * of the machine's. What was known before stays, unless it is clearly wrong: time should not jump for nothing. Total.
 */
export function judgeOffset(
  beforeMs: number,
  answer: { readonly askedMs: number; readonly storeMs: number; readonly answeredMs: number },
): number {
  const { askedMs, storeMs, answeredMs } = answer;
  const foundMs = Math.round(storeMs - (askedMs + answeredMs) / 2);
  const doubtMs = Math.abs(answeredMs - askedMs) / 2 + limits.clockToleranceMs;
  return Math.abs(foundMs - beforeMs) > doubtMs ? foundMs : beforeMs;
}

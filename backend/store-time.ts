import type { Time } from '../world/time/time.ts';
import type { World } from '../world/world.ts';
import { limits } from './limits.ts';
import type { ClockStore } from './store/port/clock-store.ts';

export interface StoreTimeParts {
  readonly world: Pick<World, 'time' | 'steadyTime' | 'log'>;
  readonly clock: ClockStore;
}

export interface StoreTime {
  /** The time of the store. It may jump when it is found to be another one, forwards or back. */
  readonly time: Time;
  stop(): void;
}

/**
 * The time that all backends on a store go by. They write times for each other: when a command expires, an attempt is due,
 * a token was issued. A backend whose machine has another time would take what others hold for abandoned, and give tokens
 * that are not valid yet. So each looks how far its clock is off the store's, now and then, and goes by the store's; until
 * the first answer, and while the store does not answer, by what it knows.
 *
 * It counts on from the store's time by the steady clock, so the machine's clock may be set while it runs. Where the two go
 * apart it asks the store again at once, since a clock may also have been set because the machine was frozen.
 */
export function followStoreTime({ world, clock }: StoreTimeParts): StoreTime {
  const { time, steadyTime } = world;
  /** How far the store's clock is ahead of the steady one, and of the machine's. */
  let offsetMs = 0;
  let machineOffsetMs = 0;
  let machineAheadMs = aheadMs();
  let isLooking = false;
  let isOver = false;
  let cancelAlarm = (): void => undefined;

  function aheadMs(): number {
    return time.nowMs() - steadyTime.nowMs();
  }

  function lookIfSet(): void {
    if (Math.abs(aheadMs() - machineAheadMs) > limits.clockStepMs) void look();
  }

  async function look(): Promise<void> {
    if (isLooking || isOver) return;
    isLooking = true;
    cancelAlarm();
    machineAheadMs = aheadMs();
    const askedMs = steadyTime.nowMs();
    try {
      const storeMs = await clock.nowMs();
      const answer = { askedMs, storeMs, answeredMs: steadyTime.nowMs() };
      offsetMs = judgeOffset(offsetMs, answer);
      tell(judgeOffset(machineOffsetMs, moved(answer, machineAheadMs)));
    } catch {
      // Whoever needs the store tells that it fails.
    }
    isLooking = false;
    if (!isOver) cancelAlarm = steadyTime.alarm(steadyTime.nowMs() + limits.clockLookMs, () => void look());
  }

  function tell(offMs: number): void {
    if (offMs === machineOffsetMs || isOver) return;
    machineOffsetMs = offMs;
    const text =
      "the clock of this machine is not that of the store, which the service goes by: set the machine's clock";
    if (Math.abs(offMs) < limits.clockWarningMs) world.log.info({ offMs }, text);
    else world.log.warn({ offMs }, text);
  }

  void look();
  return {
    time: {
      nowMs() {
        lookIfSet();
        return steadyTime.nowMs() + offsetMs;
      },
      alarm: (dueMs, wake) => steadyTime.alarm(dueMs - offsetMs, wake),
    },
    stop() {
      isOver = true;
      cancelAlarm();
    },
  };
}

/** When the store told its time, by two readings of one clock. */
export interface ClockAnswer {
  readonly askedMs: number;
  readonly storeMs: number;
  readonly answeredMs: number;
}

/** The same by a clock that is so far ahead. */
function moved({ askedMs, storeMs, answeredMs }: ClockAnswer, byMs: number): ClockAnswer {
  return { askedMs: askedMs + byMs, storeMs, answeredMs: answeredMs + byMs };
}

/**
 * How far the store's clock is ahead of the machine's, by an answer that told the store's time at some moment between two
 * of the machine's. What was known before stays, unless it is clearly wrong: time should not jump for nothing. Total.
 */
export function judgeOffset(beforeMs: number, { askedMs, storeMs, answeredMs }: ClockAnswer): number {
  const foundMs = Math.round(storeMs - (askedMs + answeredMs) / 2);
  const doubtMs = Math.abs(answeredMs - askedMs) / 2 + limits.clockToleranceMs;
  return Math.abs(foundMs - beforeMs) > doubtMs ? foundMs : beforeMs;
}

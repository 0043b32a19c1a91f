import type { Time } from '../world/time/time.ts';
import type { World } from '../world/world.ts';
import { limits } from './base/limits.ts';
import type { ClockStore } from './store/port/store.ts';

export interface StoreTimeParts {
  readonly world: Pick<World, 'time' | 'steadyTime' | 'log'>;
  readonly clock: ClockStore;
}

export interface StoreTime {
  /** The time of the store. It may jump forwards or back when it is corrected. */
  readonly time: Time;
  stop(): void;
}

/**
 * The common time of all backends on a store. They write times for each other: when a command expires, an attempt is
 * due, a token was issued. A backend whose machine has another time would treat work of others as abandoned, and issue
 * tokens that are not valid yet. So each periodically measures the offset of its clock from the store's, and uses the
 * store's time; until the first answer, and while the store does not answer, it uses the last known offset.
 *
 * It extrapolates the store's time by the monotonic clock, so the machine's clock may be set while it runs. If the two
 * diverge it asks the store again at once, since a clock may also have been set because the machine was frozen.
 */
export function followStoreTime({ world, clock }: StoreTimeParts): StoreTime {
  const { time, steadyTime } = world;
  /** How far the store's clock is ahead of the monotonic one, and of the machine's. */
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
      // A failing store is reported by the parts that need it.
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

/** When the store gave its time, by two readings of one clock. */
export interface ClockAnswer {
  readonly askedMs: number;
  readonly storeMs: number;
  readonly answeredMs: number;
}

/** The same by a clock that is ahead by that offset. */
function moved({ askedMs, storeMs, answeredMs }: ClockAnswer, byMs: number): ClockAnswer {
  return { askedMs: askedMs + byMs, storeMs, answeredMs: answeredMs + byMs };
}

/**
 * How far the store's clock is ahead of the machine's, by an answer with the store's time at some moment between two of
 * the machine's. The previous offset stays unless it is clearly wrong, to avoid needless jumps. Total.
 */
export function judgeOffset(beforeMs: number, { askedMs, storeMs, answeredMs }: ClockAnswer): number {
  const foundMs = Math.round(storeMs - (askedMs + answeredMs) / 2);
  const doubtMs = Math.abs(answeredMs - askedMs) / 2 + limits.clockToleranceMs;
  return Math.abs(foundMs - beforeMs) > doubtMs ? foundMs : beforeMs;
}

import type { World } from '../../world/world.ts';
import type { Setup, SetupStore } from '../store/port/setup-store.ts';
import { setupLimits } from './limits.ts';

export interface SetupScheduleParts {
  readonly world: Pick<World, 'time' | 'log'>;
  readonly store: Pick<SetupStore, 'due' | 'ofBoxes' | 'nextDueMs'>;
  /** How many more setups can be handled now. */
  freePlaces(): number;
  /** Does what is due for one setup. Rejects if the store fails. */
  handle(setup: Setup): Promise<void>;
}

/** Finds setups that are due, without looking when there can be none. */
export interface SetupSchedule {
  /** Something may be due with these boxes. */
  ready(boxIds: readonly string[]): void;
  /** Setups may have been written without notice: all are looked at. */
  lookAgain(): void;
  /** Something falls due then. */
  dueBy(dueMs: number): void;
  /** There is more room. */
  roomFreed(): void;
  stop(): void;
}

/** Earlier than any time: nothing has been looked at. */
const NEVER_MS = Number.MIN_SAFE_INTEGER;

/**
 * A setup falls due in two ways. By its time: a look at what fell due since the last one finds it, without
 * reading the many that wait for their boxes. Or by its box: `ready` names it, and only that box is looked
 * at. After a failure, and every few minutes, all setups are looked at.
 */
export function makeSetupSchedule(parts: SetupScheduleParts): SetupSchedule {
  const { world, store } = parts;
  /** Everything that fell due up to this time was found. */
  let seenMs = NEVER_MS;
  /** When all setups were last looked at: another backend may have written since. */
  let allMs = NEVER_MS;
  const readyBoxIds = new Set<string>();
  let isTime = false;
  let isFull = false;
  let isLooking = false;
  let isStopped = false;
  let alarmMs = Number.POSITIVE_INFINITY;
  let cancelAlarm = (): void => undefined;
  let cancelReady: (() => void) | undefined;

  function dueBy(dueMs: number): void {
    if (isStopped || dueMs >= alarmMs) return;
    cancelAlarm();
    alarmMs = dueMs;
    cancelAlarm = world.time.alarm(dueMs, () => {
      alarmMs = Number.POSITIVE_INFINITY;
      isTime = true;
      look();
    });
  }

  function look(): void {
    if (isLooking) return;
    isLooking = true;
    lookOn().then(
      () => {
        isLooking = false;
      },
      (error: unknown) => {
        world.log.error({ error: String(error) }, 'setups cannot be continued: the store failed');
        isLooking = false;
        seenMs = NEVER_MS;
        dueBy(world.time.nowMs() + setupLimits.retryMs);
      },
    );
  }

  async function lookOn(): Promise<void> {
    while (!isStopped && !isFull && (isTime || readyBoxIds.size > 0)) {
      if (isTime) await lookByTime();
      else await lookAtBoxes();
    }
  }

  async function lookByTime(): Promise<void> {
    const nowMs = world.time.nowMs();
    const limit = parts.freePlaces();
    isFull = limit <= 0;
    if (isFull) return;
    const isAll = seenMs === NEVER_MS || nowMs >= allMs + setupLimits.pollMs;
    const found = await store.due({ nowMs, limit, afterMs: isAll ? NEVER_MS : seenMs });
    for (const setup of found) if (!isStopped) await parts.handle(setup);
    if (found.length === limit) return;
    isTime = false;
    seenMs = nowMs;
    if (isAll) allMs = nowMs;
    const dueMs = await store.nextDueMs(nowMs);
    dueBy(Math.min(dueMs ?? Number.POSITIVE_INFINITY, allMs + setupLimits.pollMs));
  }

  async function lookAtBoxes(): Promise<void> {
    const boxIds = [...readyBoxIds];
    readyBoxIds.clear();
    for (const setup of await store.ofBoxes(boxIds)) {
      if (isStopped) return;
      // One that waits for its due time counts now, since its box is connected.
      if (setup.dueMs > world.time.nowMs()) dueBy(setup.dueMs);
      else if (parts.freePlaces() > 0) await parts.handle(setup);
      else {
        isFull = true;
        readyBoxIds.add(setup.vehicle.boxId);
      }
    }
  }

  dueBy(world.time.nowMs());
  return {
    ready(boxIds) {
      if (isStopped) return;
      for (const boxId of boxIds) readyBoxIds.add(boxId);
      // Not at once: the caller of `ready` may not have answered yet, and more boxes may follow.
      cancelReady ??= world.time.alarm(world.time.nowMs(), () => {
        cancelReady = undefined;
        look();
      });
    },
    lookAgain() {
      seenMs = NEVER_MS;
      dueBy(world.time.nowMs());
    },
    dueBy,
    roomFreed() {
      if (!isFull) return;
      isFull = false;
      look();
    },
    stop() {
      isStopped = true;
      cancelAlarm();
      cancelReady?.();
    },
  };
}

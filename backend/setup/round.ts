import type { World } from '../../world/world.ts';
import type { Setup, SetupStore } from '../store/setup-store.ts';
import { setupLimits } from './limits.ts';

export interface SetupRoundParts {
  readonly world: Pick<World, 'time' | 'log'>;
  readonly store: Pick<SetupStore, 'due' | 'ofBoxes' | 'nextDueMs'>;
  /** How many may be found now. */
  room(): number;
  /** Does what is due of one. Rejects where the store fails. */
  found(setup: Setup): Promise<void>;
}

/** Finds setups that are due, without looking while nothing can be. */
export interface SetupRound {
  /** Something may be due with these boxes. */
  ready(boxIds: readonly string[]): void;
  /** Something falls due then. */
  dueBy(dueMs: number): void;
  /** There is more room. */
  roomier(): void;
  stop(): void;
}

/** Before every time: nothing has been seen. */
const NEVER_MS = Number.MIN_SAFE_INTEGER;

/**
 * A setup falls due in two ways. Its time comes: then a look at what fell due since the last one finds it, and passes
 * by the many that wait for their boxes. Or its box does: whoever knows tells, and only that box is looked at. After a
 * failure, and every few minutes, everything is.
 */
export function makeSetupRound(parts: SetupRoundParts): SetupRound {
  const { world, store } = parts;
  /** All that fell due up to then was found. */
  let seenMs = NEVER_MS;
  /** When everything was looked at last: another backend may have written since. */
  let allMs = NEVER_MS;
  const told = new Set<string>();
  let isTime = false;
  let isFull = false;
  let isLooking = false;
  let isStopped = false;
  let alarmMs = Number.POSITIVE_INFINITY;
  let cancelAlarm = (): void => undefined;
  let cancelTold: (() => void) | undefined;

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
        world.log.error({ error: String(error) }, 'setups cannot be looked after: the store failed');
        isLooking = false;
        seenMs = NEVER_MS;
        dueBy(world.time.nowMs() + setupLimits.retryMs);
      },
    );
  }

  async function lookOn(): Promise<void> {
    while (!isStopped && !isFull && (isTime || told.size > 0)) {
      if (isTime) await lookByTime();
      else await lookAtBoxes();
    }
  }

  async function lookByTime(): Promise<void> {
    const nowMs = world.time.nowMs();
    const limit = parts.room();
    isFull = limit <= 0;
    if (isFull) return;
    const isAll = seenMs === NEVER_MS || nowMs >= allMs + setupLimits.pollMs;
    const found = await store.due({ nowMs, limit, afterMs: isAll ? NEVER_MS : seenMs });
    for (const setup of found) if (!isStopped) await parts.found(setup);
    if (found.length === limit) return;
    isTime = false;
    seenMs = nowMs;
    if (isAll) allMs = nowMs;
    const dueMs = await store.nextDueMs(nowMs);
    dueBy(Math.min(dueMs ?? Number.POSITIVE_INFINITY, allMs + setupLimits.pollMs));
  }

  async function lookAtBoxes(): Promise<void> {
    const boxIds = [...told];
    told.clear();
    for (const setup of await store.ofBoxes(boxIds)) {
      if (isStopped) return;
      // One that waits counts from now on, since its box is there.
      if (setup.dueMs > world.time.nowMs()) dueBy(setup.dueMs);
      else if (parts.room() > 0) await parts.found(setup);
      else {
        isFull = true;
        told.add(setup.vehicle.boxId);
      }
    }
  }

  dueBy(world.time.nowMs());
  return {
    ready(boxIds) {
      if (isStopped) return;
      for (const boxId of boxIds) told.add(boxId);
      // Not at once: who tells may not have answered yet, and others join.
      cancelTold ??= world.time.alarm(world.time.nowMs(), () => {
        cancelTold = undefined;
        look();
      });
    },
    dueBy,
    roomier() {
      if (!isFull) return;
      isFull = false;
      look();
    },
    stop() {
      isStopped = true;
      cancelAlarm();
      cancelTold?.();
    },
  };
}

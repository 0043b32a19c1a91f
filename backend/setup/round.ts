import type { World } from '../../world/world.ts';
import type { Setup, SetupStore } from '../store/setup-store.ts';
import { setupLimits } from './limits.ts';

export interface SetupRoundParts {
  readonly world: Pick<World, 'time' | 'log'>;
  readonly store: Pick<SetupStore, 'due' | 'nextDueMs'>;
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
 * by the many that wait for their boxes. Or its box does: whoever knows tells. After a failure, or where there was no
 * room for all, everything is looked at.
 */
export function makeSetupRound(parts: SetupRoundParts): SetupRound {
  const { world, store } = parts;
  /** All that fell due up to then was found. */
  let seenMs = NEVER_MS;
  /** When everything was looked at last: another backend may have written since. */
  let allMs = NEVER_MS;
  let boxes = new Set<string>();
  let isLooking = false;
  let isWanted = false;
  let isFull = false;
  let isStopped = false;
  let alarmMs = Number.POSITIVE_INFINITY;
  let cancelAlarm = (): void => undefined;

  function dueBy(dueMs: number): void {
    if (isStopped || dueMs >= alarmMs) return;
    cancelAlarm();
    alarmMs = dueMs;
    cancelAlarm = world.time.alarm(dueMs, () => {
      alarmMs = Number.POSITIVE_INFINITY;
      want();
    });
  }

  function want(): void {
    isWanted = true;
    if (!isLooking && !isStopped) void look();
  }

  async function look(): Promise<void> {
    isLooking = true;
    while (isWanted && !isStopped) {
      isWanted = false;
      try {
        await lookOnce();
      } catch (error) {
        seenMs = NEVER_MS;
        world.log.error({ error: String(error) }, 'setups cannot be looked after: the store failed');
        dueBy(world.time.nowMs() + setupLimits.retryMs);
      }
    }
    isLooking = false;
  }

  async function lookOnce(): Promise<void> {
    const nowMs = world.time.nowMs();
    const told = boxes;
    boxes = new Set();
    const sinceMs = nowMs >= allMs + setupLimits.pollMs ? NEVER_MS : seenMs;
    const isAll =
      (await take({ nowMs, afterMs: sinceMs })) &&
      (told.size === 0 || sinceMs === NEVER_MS || (await take({ nowMs, boxIds: [...told] })));
    seenMs = isAll ? nowMs : NEVER_MS;
    if (isAll && sinceMs === NEVER_MS) allMs = nowMs;
    const dueMs = await store.nextDueMs(nowMs);
    dueBy(
      Math.min(dueMs ?? Number.POSITIVE_INFINITY, (allMs === NEVER_MS ? nowMs : allMs) + setupLimits.pollMs),
    );
  }

  /** False: there may be more that is due. */
  async function take(which: {
    readonly nowMs: number;
    readonly afterMs?: number;
    readonly boxIds?: readonly string[];
  }): Promise<boolean> {
    const limit = parts.room();
    isFull = limit <= 0;
    if (isFull) return false;
    const found = await store.due({ ...which, limit });
    for (const setup of found) {
      if (isStopped) return false;
      await parts.found(setup);
    }
    if (found.length < limit) return true;
    isFull = parts.room() <= 0;
    isWanted ||= !isFull;
    return false;
  }

  dueBy(world.time.nowMs());
  return {
    ready(boxIds) {
      for (const boxId of boxIds) boxes.add(boxId);
      // Not at once: who tells may not have answered yet, and others join.
      dueBy(world.time.nowMs());
    },
    dueBy,
    roomier() {
      if (!isFull) return;
      isFull = false;
      want();
    },
    stop() {
      isStopped = true;
      cancelAlarm();
    },
  };
}

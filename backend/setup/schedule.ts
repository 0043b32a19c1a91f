import type { World } from '../../world/world.ts';
import { setupLimits } from '../base/limits.ts';
import { makeWorkLoop, type WorkLoop } from '../base/work-loop.ts';
import type { Setup, SetupStore } from '../store/port/setup-store.ts';

export interface SetupScheduleParts {
  readonly world: Pick<World, 'time' | 'log'>;
  readonly store: Pick<SetupStore, 'due' | 'ofBoxes' | 'nextDueMs'>;
  /** How many more setups can be handled now. */
  freePlaces(): number;
  /** Does what is due for one setup. Rejects if the store fails. */
  handle(setup: Setup): Promise<void>;
}

/** Finds due setups, and reads the store only if there may be some. */
export interface SetupSchedule {
  /** Something may be due with these boxes. */
  ready(boxIds: readonly string[]): void;
  /** Setups may have been written without a notification: all are checked. */
  recheck(): void;
  /** Something falls due then. */
  dueBy(dueMs: number): void;
  /** There is more room. */
  roomFreed(): void;
  stop(): void;
}

/** Earlier than any time: nothing was checked. */
const NEVER_MS = Number.MIN_SAFE_INTEGER;

/**
 * A setup falls due in two ways. By its time: a poll reads what fell due since the last one, without the many that wait
 * for their boxes. Or by its box: `ready` names it, and only that box is checked. After a failure, and every few
 * minutes, all setups are checked.
 */
export function makeSetupSchedule(parts: SetupScheduleParts): SetupSchedule {
  return new DueSetups(parts);
}

class DueSetups implements SetupSchedule {
  readonly #parts: SetupScheduleParts;
  readonly #world: SetupScheduleParts['world'];
  readonly #store: SetupScheduleParts['store'];
  /** Everything that fell due up to this time was found. */
  #seenMs = NEVER_MS;
  /** When all setups were last checked: another backend may have written since. */
  #allMs = NEVER_MS;
  readonly #readyBoxIds = new Set<string>();
  #isTime = false;
  /** The next poll by time reads all setups, not only those that fell due since the last one. */
  #isAllWanted = true;
  #isFull = false;
  #isStopped = false;
  #alarmMs = Number.POSITIVE_INFINITY;
  #cancelAlarm = (): void => undefined;
  #cancelReady: (() => void) | undefined;
  readonly #loop: WorkLoop;

  constructor(parts: SetupScheduleParts) {
    this.#parts = parts;
    this.#world = parts.world;
    this.#store = parts.store;
    this.#loop = makeWorkLoop({
      time: this.#world.time,
      round: () => this.#look(),
      failed: (error) => {
        this.#world.log.error({ error: String(error) }, 'setups cannot be continued: the store failed');
        this.#isTime = true;
        this.#isAllWanted = true;
        return setupLimits.retryMs;
      },
    });
    this.dueBy(this.#world.time.nowMs());
  }

  ready(boxIds: readonly string[]): void {
    if (this.#isStopped) return;
    for (const boxId of boxIds) this.#readyBoxIds.add(boxId);
    // Not at once: the caller of `ready` may not have answered yet, and more boxes may follow.
    this.#cancelReady ??= this.#world.time.alarm(this.#world.time.nowMs(), () => {
      this.#cancelReady = undefined;
      this.#loop.wake();
    });
  }

  recheck(): void {
    this.#isAllWanted = true;
    this.dueBy(this.#world.time.nowMs());
  }

  roomFreed(): void {
    if (!this.#isFull) return;
    this.#isFull = false;
    this.#loop.wake();
  }

  stop(): void {
    this.#isStopped = true;
    this.#loop.stop();
    this.#cancelAlarm();
    this.#cancelReady?.();
  }

  dueBy(dueMs: number): void {
    if (this.#isStopped || dueMs >= this.#alarmMs) return;
    this.#cancelAlarm();
    this.#alarmMs = dueMs;
    this.#cancelAlarm = this.#world.time.alarm(dueMs, () => {
      this.#alarmMs = Number.POSITIVE_INFINITY;
      this.#isTime = true;
      this.#loop.wake();
    });
  }

  async #look(): Promise<void> {
    while (!this.#isStopped && !this.#isFull && (this.#isTime || this.#readyBoxIds.size > 0)) {
      if (this.#isTime) await this.#lookByTime();
      else await this.#lookAtBoxes();
    }
  }

  async #lookByTime(): Promise<void> {
    const nowMs = this.#world.time.nowMs();
    const limit = this.#parts.freePlaces();
    this.#isFull = limit <= 0;
    if (this.#isFull) return;
    const isAll = this.#isAllWanted || nowMs >= this.#allMs + setupLimits.pollMs;
    // Before the store is read: requests that come meanwhile are for the next poll.
    this.#isTime = false;
    this.#isAllWanted = false;
    const found = await this.#store.due({ nowMs, limit, afterMs: isAll ? NEVER_MS : this.#seenMs });
    for (const setup of found) if (!this.#isStopped) await this.#parts.handle(setup);
    if (found.length === limit) {
      this.#isTime = true;
      this.#isAllWanted ||= isAll;
      return;
    }
    this.#seenMs = nowMs;
    if (isAll) this.#allMs = nowMs;
    const dueMs = await this.#store.nextDueMs(nowMs);
    this.dueBy(Math.min(dueMs ?? Number.POSITIVE_INFINITY, this.#allMs + setupLimits.pollMs));
  }

  async #lookAtBoxes(): Promise<void> {
    const boxIds = [...this.#readyBoxIds];
    this.#readyBoxIds.clear();
    for (const setup of await this.#store.ofBoxes(boxIds)) {
      if (this.#isStopped) return;
      // One that waits for its due time is due now, since its box is connected.
      if (setup.dueMs > this.#world.time.nowMs()) this.dueBy(setup.dueMs);
      else if (this.#parts.freePlaces() > 0) await this.#parts.handle(setup);
      else {
        this.#isFull = true;
        this.#readyBoxIds.add(setup.vehicle.boxId);
      }
    }
  }
}

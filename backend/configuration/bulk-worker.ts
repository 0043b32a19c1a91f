import { LIMITS } from '../../contract/limits.ts';
import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { bulkLimits, limits } from '../base/limits.ts';
import { within } from '../base/within.ts';
import { makeWorkLoop, type WorkLoop } from '../base/work-loop.ts';
import type { BulkPlace, BulkStore, BulkWorkItem } from '../store/port/bulk-store.ts';
import type { AttemptWorkItem } from './bulk-attempt.ts';
import { type BulkResultWriter, makeBulkResultWriter } from './bulk-results.ts';

export interface BulkWorkerParts {
  readonly world: Pick<World, 'time' | 'log'>;
  readonly store: BulkStore;
  readonly attemptWorkItem: AttemptWorkItem;
  readonly counters: Counters;
  /** How long one attempt may take, in milliseconds. */
  readonly answerTimeoutMs: number;
  /** The name under which it leases vehicles; unique among running workers. */
  readonly holder: string;
}

/** Carries bulk jobs out; several backends may do so at once. */
export interface BulkWorker {
  /** A job was written. */
  wake(): void;
  /** These boxes are ready for commands now. */
  ready(boxIds: readonly string[]): void;
  /**
   * Boxes may have become ready without a notification, such as those of a stopped backend: items of connected boxes
   * are due.
   */
  recheck(): void;
  /** Starts nothing more, and waits briefly for the results of attempts in progress. */
  stop(): Promise<void>;
  sever(): void;
}

/** How long to sleep until `dueMs` and the items that are grouped with it. */
function gathered(dueMs: number, nowMs: number): number {
  const { gatherMs } = bulkLimits;
  return Math.max(1, Math.ceil(dueMs / gatherMs) * gatherMs - nowMs);
}

/**
 * Leases due items, a bounded number at a time, tries them, and sleeps until the next is due. It has no state that must
 * survive: an attempt whose worker is gone is repeated when its lease ends, or when that worker restarts.
 */
export function startBulkWorker(parts: BulkWorkerParts): BulkWorker {
  return new LeasedBulkWorker(parts);
}

class LeasedBulkWorker implements BulkWorker {
  readonly #parts: BulkWorkerParts;
  readonly #world: BulkWorkerParts['world'];
  readonly #store: BulkWorkerParts['store'];
  readonly #counters: BulkWorkerParts['counters'];
  readonly #leaseMs: number;
  readonly #underWay = new Map<BulkPlace, Promise<void>>();
  #isEnded = false;
  #mayHoldFromBefore = true;
  // A crash, or a failure of the store, may have occurred between a box's ready and the call of `ready`.
  #mayHaveMissed = true;
  #prunedMs = Number.NEGATIVE_INFINITY;
  #cancelAlarm = (): void => undefined;
  readonly #writer: BulkResultWriter;
  readonly #loop: WorkLoop;

  constructor(parts: BulkWorkerParts) {
    this.#parts = parts;
    this.#world = parts.world;
    this.#store = parts.store;
    this.#counters = parts.counters;
    this.#leaseMs = parts.answerTimeoutMs + bulkLimits.leaseSlackMs;
    this.#writer = makeBulkResultWriter({ world: this.#world, store: this.#store });
    this.#loop = makeWorkLoop({
      time: this.#world.time,
      round: () => this.#takeDue(),
      failed: (error) => {
        this.#world.log.warn({ error: String(error) }, 'due items of bulk jobs cannot be read');
        return bulkLimits.retryMs;
      },
    });
    this.#loop.wake();
  }

  wake(): void {
    this.#loop.wake();
  }

  ready(boxIds: readonly string[]): void {
    if (this.#isEnded || boxIds.length === 0) return;
    this.#store.makeDueNow(boxIds, this.#world.time.nowMs()).then(
      ({ isAnyDue }) => {
        if (isAnyDue) this.#loop.wake();
      },
      (error: unknown) => {
        this.#mayHaveMissed = true;
        this.#sleepFor(bulkLimits.retryMs);
        this.#world.log.warn(
          { error: String(error) },
          'bulk jobs could not be updated after boxes connected',
        );
      },
    );
  }

  recheck(): void {
    this.#mayHaveMissed = true;
    this.#loop.wake();
  }

  async stop(): Promise<void> {
    this.#isEnded = true;
    this.#loop.stop();
    this.#cancelAlarm();
    await within(this.#world.time, limits.stopMs, Promise.all(this.#underWay.values()));
    this.#writer.end();
  }

  sever(): void {
    this.#isEnded = true;
    this.#loop.stop();
    this.#cancelAlarm();
    this.#writer.end();
  }

  #sleepFor(durationMs: number): void {
    this.#cancelAlarm();
    if (!this.#isEnded)
      this.#cancelAlarm = this.#world.time.alarm(this.#world.time.nowMs() + durationMs, this.#loop.wake);
  }

  async #takeDue(): Promise<void> {
    // The end of an attempt wakes it.
    if (this.#underWay.size >= bulkLimits.inFlightLow) return;
    const nowMs = this.#world.time.nowMs();
    await this.#removeExpired(nowMs);
    const limit = bulkLimits.inFlight - this.#underWay.size;
    const nextMs = await this.#store.nextDueMs([...this.#underWay.keys()]);
    const isDue = nextMs !== undefined && nextMs <= nowMs;
    const query = {
      nowMs,
      leaseMs: this.#leaseMs,
      limit,
      holder: this.#parts.holder,
      underWay: [...this.#underWay.keys()],
    };
    const workItems = isDue ? await this.#store.lease(query) : [];
    for (const workItem of workItems) this.#begin(workItem);
    const dueMs = isDue ? await this.#store.nextDueMs([...this.#underWay.keys()]) : nextMs;
    // While all slots are taken, the end of an attempt wakes it.
    const pollMs = this.#mayHaveMissed ? bulkLimits.retryMs : bulkLimits.pollMs;
    this.#sleepFor(Math.min(pollMs, dueMs === undefined ? pollMs : gathered(dueMs, nowMs)));
  }

  async #removeExpired(nowMs: number): Promise<void> {
    if (this.#mayHoldFromBefore) {
      await this.#store.release(this.#parts.holder, nowMs);
      this.#mayHoldFromBefore = false;
    }
    if (this.#mayHaveMissed) {
      this.#mayHaveMissed = false;
      try {
        await this.#store.makeConnectedDueNow(nowMs);
      } catch (error) {
        this.#mayHaveMissed = true;
        throw error;
      }
    }
    if (nowMs < this.#prunedMs + bulkLimits.pruneEveryMs) return;
    await this.#store.prune({ createdBeforeMs: nowMs - LIMITS.bulk.keptMs, limit: bulkLimits.prunedPerCall });
    this.#prunedMs = nowMs;
  }

  #begin(workItem: BulkWorkItem): void {
    this.#counters.add('bulk.attempts');
    const attempt = this.#parts
      .attemptWorkItem(workItem)
      .then((result) => {
        this.#counters.add(`bulk.${result.outcome}`);
        return this.#writer.write(result);
      })
      .finally(() => {
        this.#underWay.delete(workItem);
        this.#loop.wake();
      });
    this.#underWay.set(workItem, attempt);
  }
}

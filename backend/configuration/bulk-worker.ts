import type { World } from '../../world/world.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import type { BulkPlace, BulkStore, BulkWorkItem } from '../store/port/bulk-store.ts';
import { within } from '../within.ts';
import type { AttemptWorkItem } from './bulk-attempt.ts';
import { bulkLimits } from './bulk-limits.ts';
import { makeBulkResultWriter } from './bulk-results.ts';

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
  /** Boxes may be ready without notice, as those of a backend that is gone: what waits for one that is connected is due. */
  lookAgain(): void;
  /** Starts nothing more, and waits a moment for the results of what is under way. */
  stop(): Promise<void>;
  sever(): void;
}

/** How long to sleep until `dueMs` and everything that falls due with it. */
function gathered(dueMs: number, nowMs: number): number {
  const { gatherMs } = bulkLimits;
  return Math.max(1, Math.ceil(dueMs / gatherMs) * gatherMs - nowMs);
}

/**
 * Leases what is due, a bounded number at a time, tries it, and sleeps until the next is due. It has no state
 * that must survive: an attempt whose worker is gone is taken up again when its lease ends, or when that
 * worker starts again.
 */
export function startBulkWorker(parts: BulkWorkerParts): BulkWorker {
  const { world, store, counters } = parts;
  const leaseMs = parts.answerTimeoutMs + bulkLimits.leaseSlackMs;
  const underWay = new Map<BulkPlace, Promise<void>>();
  let isEnded = false;
  let isLooking = false;
  let isLookWanted = false;
  let mayHoldFromBefore = true;
  // A crash may have come between a box's ready and the call of `ready`; so may a failure of the store.
  let mayHaveMissed = true;
  let prunedMs = Number.NEGATIVE_INFINITY;
  let cancelAlarm = (): void => undefined;
  const writer = makeBulkResultWriter({ world, store });

  function wake(): void {
    if (isEnded) return;
    isLookWanted = true;
    if (!isLooking) void look();
  }

  function sleepFor(durationMs: number): void {
    cancelAlarm();
    if (!isEnded) cancelAlarm = world.time.alarm(world.time.nowMs() + durationMs, wake);
  }

  async function look(): Promise<void> {
    isLooking = true;
    try {
      while (isLookWanted && !isEnded && underWay.size < bulkLimits.inFlightLow) {
        isLookWanted = false;
        await takeDue();
      }
    } catch (error) {
      world.log.warn({ error: String(error) }, 'due items of bulk jobs cannot be read');
      sleepFor(bulkLimits.retryMs);
    } finally {
      isLooking = false;
    }
  }

  async function takeDue(): Promise<void> {
    const nowMs = world.time.nowMs();
    await removeExpired(nowMs);
    const limit = bulkLimits.inFlight - underWay.size;
    const nextMs = await store.nextDueMs([...underWay.keys()]);
    const isDue = nextMs !== undefined && nextMs <= nowMs;
    const query = { nowMs, leaseMs, limit, holder: parts.holder, underWay: [...underWay.keys()] };
    const workItems = isDue ? await store.lease(query) : [];
    for (const workItem of workItems) begin(workItem);
    const dueMs = isDue ? await store.nextDueMs([...underWay.keys()]) : nextMs;
    // While all slots are taken, the end of an attempt wakes it.
    const pollMs = mayHaveMissed ? bulkLimits.retryMs : bulkLimits.pollMs;
    sleepFor(Math.min(pollMs, dueMs === undefined ? pollMs : gathered(dueMs, nowMs)));
  }

  async function removeExpired(nowMs: number): Promise<void> {
    if (mayHoldFromBefore) {
      await store.release(parts.holder, nowMs);
      mayHoldFromBefore = false;
    }
    if (mayHaveMissed) {
      mayHaveMissed = false;
      try {
        await store.makeConnectedDueNow(nowMs);
      } catch (error) {
        mayHaveMissed = true;
        throw error;
      }
    }
    if (nowMs < prunedMs + bulkLimits.pruneEveryMs) return;
    await store.prune({ createdBeforeMs: nowMs - bulkLimits.keptMs, limit: bulkLimits.prunedPerCall });
    prunedMs = nowMs;
  }

  function begin(workItem: BulkWorkItem): void {
    counters.add('bulk.attempts');
    const attempt = parts
      .attemptWorkItem(workItem)
      .then((result) => {
        counters.add(`bulk.${result.outcome}`);
        return writer.write(result);
      })
      .finally(() => {
        underWay.delete(workItem);
        wake();
      });
    underWay.set(workItem, attempt);
  }

  wake();
  return {
    wake,
    ready(boxIds) {
      if (isEnded || boxIds.length === 0) return;
      store.makeDueNow(boxIds, world.time.nowMs()).then(
        ({ isAnyDue }) => {
          if (isAnyDue) wake();
        },
        (error: unknown) => {
          mayHaveMissed = true;
          // The next look finds them too.
          if (!isLooking) sleepFor(bulkLimits.retryMs);
          world.log.warn({ error: String(error) }, 'bulk jobs could not be updated after boxes connected');
        },
      );
    },
    lookAgain() {
      mayHaveMissed = true;
      wake();
    },
    async stop() {
      isEnded = true;
      cancelAlarm();
      await within(world.time, limits.stopMs, Promise.all(underWay.values()));
      writer.end();
    },
    sever() {
      isEnded = true;
      cancelAlarm();
      writer.end();
    },
  };
}

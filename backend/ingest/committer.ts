import type { World } from '../../world/world.ts';
import { readiness } from '../commands/readiness.ts';
import type { Counters } from '../counters.ts';
import { limits } from '../limits.ts';
import type { IngestStore, KnownVehicle } from '../store/ingest-store.ts';
import type { OutboxRow } from '../store/outbox-store.ts';
import { StoreFailed } from '../store/store.ts';
import type { Vehicle } from '../store/vehicle-store.ts';
import { fold } from './fold.ts';
import { type Arrival, readLetter, requestsAnswered, sendersOf } from './letter.ts';
import type { FrameDown, Plan, Translate, Trouble } from './plan.ts';
import { stampRecords } from './stamp.ts';
import { makeVehicleCache } from './vehicle-cache.ts';

export interface CommitterParts {
  readonly world: Pick<World, 'time' | 'mint' | 'trace'>;
  readonly store: IngestStore;
  readonly translate: Translate;
  /** Whether there is an exchange: without one no message is made. */
  readonly hasExchange: boolean;
  readonly counters: Counters;
}

/** What is to be done once a batch is durable. */
export interface Committed {
  readonly down: readonly FrameDown[];
  readonly settled: readonly string[];
  /** Boxes that take commands now and were not known to before. */
  readonly ready: readonly string[];
  readonly messages: number;
  /** The messages as the outbox has them; undefined: to be read there. */
  readonly written: readonly OutboxRow[] | undefined;
  readonly troubles: readonly Trouble[];
}

/** Turns a batch of arrivals into one commit. Rejects where the store fails: then nothing of it was written. */
export type Committer = (arrivals: readonly Arrival[]) => Promise<Committed>;

/**
 * Read, load, fold, commit. A commit that the store refuses because somebody else has changed a box meanwhile is
 * decided anew upon what is true now.
 */
export function makeCommitter(parts: CommitterParts): Committer {
  const { world, store, translate, counters } = parts;
  const cache = makeVehicleCache(store, limits.cachedVehicles);

  async function attempt(
    letters: ReturnType<typeof readLetter>[],
    boxIds: readonly string[],
    requestIds: readonly string[],
  ): Promise<Committed | undefined> {
    const known = await cache.read(boxIds);
    const commands = requestIds.length === 0 ? new Map() : await store.loadCommands(requestIds);
    const plan = fold(letters, { known, commands, translate });
    const stamp = parts.hasExchange ? { mint: world.mint, nowMs: world.time.nowMs() } : undefined;
    const { records, messages } = stampRecords(plan.records, stamp);
    let settled: readonly string[] = [];
    let ready: readonly string[] = [];
    let written: readonly OutboxRow[] | undefined;
    if (hasContent(plan)) {
      const { boxes, replies, quarantine, calibrations, wiped } = plan;
      const result = await store.commit({
        boxes,
        records,
        replies,
        messages,
        quarantine,
        calibrations,
        wiped,
      });
      if (result.stale.length > 0) {
        counters.add('commits.stale');
        cache.forget(result.stale);
        return undefined;
      }
      cache.wrote(known, plan.vehicles);
      written = result.written;
      settled = result.settled;
      ready = newlyReady(known, plan.vehicles, world.time.nowMs());
      counters.add('commits.done');
      world.trace.note({
        who: 'backend',
        what: 'commit',
        detail: `${letters.length} payloads, ${records.length} records, ${messages.length} messages`,
      });
    }
    for (const [name, amount] of plan.counts) counters.add(name, amount);
    counters.add('messages.written', messages.length);
    return { down: plan.down, settled, ready, messages: messages.length, written, troubles: plan.troubles };
  }

  return async (arrivals) => {
    const letters = arrivals.map(readLetter);
    const boxIds = sendersOf(letters);
    const requestIds = requestsAnswered(letters);
    try {
      for (let count = 0; count < limits.staleAttempts; count += 1) {
        const committed = await attempt(letters, boxIds, requestIds);
        if (committed !== undefined) return committed;
      }
      throw new StoreFailed('The boxes of a batch changed each time while it was being decided.');
    } catch (error) {
      // Whether a store that failed has written cannot be told from here.
      cache.forget(boxIds);
      throw error;
    }
  };
}

function hasContent(plan: Plan): boolean {
  return (
    plan.boxes.length > 0 || plan.records.length > 0 || plan.replies.length > 0 || plan.quarantine.length > 0
  );
}

/** The boxes that can take a command by what was just committed, and could not by what was known before. */
function newlyReady(
  known: ReadonlyMap<string, KnownVehicle>,
  changed: Plan['vehicles'],
  nowMs: number,
): readonly string[] {
  const ready: string[] = [];
  for (const [boxId, vehicle] of changed) {
    if (isReady(vehicle, nowMs) && !isReady(known.get(boxId)?.vehicle, nowMs)) ready.push(boxId);
  }
  return ready;
}

function isReady(vehicle: Pick<Vehicle, 'box'> | undefined, nowMs: number): boolean {
  return vehicle !== undefined && readiness(vehicle.box, nowMs) === 'connected';
}

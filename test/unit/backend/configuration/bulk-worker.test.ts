import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { bulkLimits } from '../../../../backend/base/limits.ts';
import { bulkWaitMs } from '../../../../backend/configuration/bulk-attempt.ts';
import { type BulkWorker, startBulkWorker } from '../../../../backend/configuration/bulk-worker.ts';
import type {
  BulkItem,
  BulkResult,
  BulkStore,
  BulkWorkItem,
} from '../../../../backend/store/port/bulk-store.ts';
import { StoreFailed } from '../../../../backend/store/port/store.ts';
import { openSqliteStore, type SqliteStore } from '../../../../backend/store/sqlite/store.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';
import { BOX_ID, newVehicle } from '../../../support/store/store-rows.ts';

const FOR_EVER_MS = 13 * 3_600_000;
const ANSWER_MS = 20_000;
const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
let loop: VirtualLoop;
let store: SqliteStore;
let workers: BulkWorker[];
/** Every attempt: when it began, relative to the job. */
let attempts: { readonly vehicleId: string; readonly atMs: number }[];
let createdMs: number;

beforeEach(async () => {
  loop = new VirtualLoop();
  store = openSqliteStore(':memory:');
  workers = [];
  attempts = [];
  createdMs = loop.nowMs;
  await store.vehicles.save(newVehicle());
});
afterEach(async () => {
  for (const worker of workers) worker.sever();
  await store.close();
});

type Outcome = 'applied' | 'failed' | 'postponed' | 'never';

/** A worker whose attempts take `takesMs` and end as `outcomeOf` says. */
function start(
  outcomeOf: (workItem: BulkWorkItem) => Outcome,
  takesMs = 100,
  bulk: BulkStore = store.bulk,
  holder = `worker ${workers.length}`,
): BulkWorker {
  const time = virtualTime(loop, new ProcessScope(`worker ${workers.length}`));
  const reason = { problem: 'no-connection', detail: 'It is away.' } as const;
  const worker = startBulkWorker({
    world: { time, log: SILENT },
    store: bulk,
    counters: makeCounters(),
    answerTimeoutMs: ANSWER_MS,
    holder,
    attemptWorkItem: (workItem) => {
      const { jobId, position, attempt, vehicleId } = workItem;
      attempts.push({ vehicleId, atMs: time.nowMs() - createdMs });
      const outcome = outcomeOf(workItem);
      if (outcome === 'never') return new Promise<BulkResult>(() => undefined);
      return new Promise((resolve) => {
        time.alarm(time.nowMs() + takesMs, () => {
          const named = { jobId, position, attempt };
          if (outcome === 'applied') resolve({ ...named, outcome });
          else if (outcome === 'failed') resolve({ ...named, outcome, reason });
          else resolve({ ...named, outcome, dueMs: time.nowMs() + bulkWaitMs(workItem.step, 0), reason });
        });
      });
    },
  });
  workers.push(worker);
  return worker;
}

const create = (vehicleIds: readonly string[], id = 'JOB') =>
  store.bulk.create(
    {
      id,
      fleetId: 'FLEET1',
      flowId: 'flow',
      vehicleIds,
      features: { tracking: null },
      createdMs,
      expiresMs: createdMs + LIMITS.bulk.jobMs,
    },
    { jobs: LIMITS.bulk.fleetJobs, vehicles: LIMITS.bulk.fleetVehicles },
  );
const items = (): Promise<readonly BulkItem[]> =>
  store.bulk.items({ jobId: 'JOB', afterPosition: -1, limit: 20_000 });
const many = (count: number) => Array.from({ length: count }, (_, index) => `V${index}`);
const pass = (durationMs: number) => loop.runUntil(loop.nowMs + durationMs);

/** The store with calls of its own; what they get is passed on. */
const storeWith = (change: Partial<BulkStore>): BulkStore =>
  new Proxy(store.bulk, { get: (target, name) => Reflect.get(name in change ? change : target, name) });

describe('the worker', () => {
  test('carries out due attempts, a limited number at a time', async () => {
    let underWay = 0;
    let most = 0;
    const counted = start((workItem) => {
      underWay += 1;
      most = Math.max(most, underWay);
      if (workItem.position % 2 === 0) return 'applied';
      return 'failed';
    });
    const finish = store.bulk.finish;
    Object.assign(store.bulk, {
      finish: (results: readonly BulkResult[], nowMs: number) => {
        underWay -= results.length;
        return finish(results, nowMs);
      },
    });
    await create(many(1000));
    counted.wake();
    await pass(10_000);
    expect(most).toBeLessThanOrEqual(bulkLimits.inFlight);
    expect(most).toBeGreaterThanOrEqual(bulkLimits.inFlightLow);
    expect(await store.bulk.find('JOB')).toMatchObject({ counts: { applied: 500, failed: 500, pending: 0 } });
    expect(attempts.length).toBe(1000);
  });

  test('finds a job that another backend has written', async () => {
    start(() => 'applied');
    await pass(bulkLimits.pollMs);
    await create(['VEH01']);
    await pass(bulkLimits.pollMs + 1000);
    expect(await items()).toMatchObject([{ status: 'applied' }]);
  });

  test('polls the store rarely while nothing is due', async () => {
    let looks = 0;
    const { nextDueMs } = store.bulk;
    Object.assign(store.bulk, {
      nextDueMs: () => {
        looks += 1;
        return nextDueMs();
      },
    });
    start(() => 'applied');
    await pass(12 * 3_600_000);
    expect(looks).toBeLessThanOrEqual(2 * ((12 * 3_600_000) / bulkLimits.pollMs + 1));
  });

  test('leases attempts together that are due at about the same time, and none before it is due', async () => {
    let leases = 0;
    const { lease } = store.bulk;
    Object.assign(store.bulk, {
      lease: (...query: Parameters<typeof lease>) => {
        leases += 1;
        return lease(...query);
      },
    });
    await create(many(50));
    start(({ position }) => (position < 49 ? 'postponed' : 'never'), 100);
    await pass(20_000);
    const before = leases;
    // Their waits end within the same second, each at a time of its own.
    const [first] = await store.bulk.items({ jobId: 'JOB', afterPosition: -1, limit: 1 });
    expect(first?.attempts).toBe(1);
    await pass(LIMITS.bulk.firstWaitMs + 2_000);
    expect(leases - before).toBeLessThanOrEqual(3);
    const again = attempts.slice(50);
    expect(again.length).toBeGreaterThanOrEqual(49);
    for (const { atMs } of again) expect(atMs).toBeGreaterThanOrEqual(LIMITS.bulk.firstWaitMs);
  });

  test('shares a job with another worker: each vehicle is tried once', async () => {
    await create(many(500));
    start(() => 'applied');
    start(() => 'applied');
    await pass(20_000);
    expect(new Set(attempts.map(({ vehicleId }) => vehicleId)).size).toBe(500);
    expect(attempts.length).toBe(500);
  });

  test('takes over the attempts of a crashed worker when its lease ends', async () => {
    await create(['VEH01']);
    const first = start(() => 'never');
    await pass(1000);
    first.sever();
    start(() => 'applied');
    await pass(20_000 + bulkLimits.leaseSlackMs + bulkLimits.gatherMs);
    expect(await items()).toMatchObject([{ status: 'applied', attempts: 2 }]);
  });

  test('leaves an attempt to the worker that makes it, as long as that may take', async () => {
    await create(['VEH01']);
    const first = start(() => 'applied', ANSWER_MS + bulkLimits.leaseSlackMs - 1_000);
    await pass(1_000);
    const other = start(() => 'applied');
    for (let look = 0; look < 10; look += 1) {
      // One after the other: a look of the first must not give up what it carries out.
      first.wake();
      await pass(1_000);
      other.ready([BOX_ID]);
      await pass(1_500);
    }
    expect(attempts).toHaveLength(1);
    await pass(5_000);
    expect(await items()).toMatchObject([{ status: 'applied', attempts: 1 }]);
  });

  test('does not look into the store while all that is left waits for its next attempt', async () => {
    let looks = 0;
    await create(['VEH01']);
    start(
      () => 'postponed',
      100,
      storeWith({
        nextDueMs: (underWay) => {
          looks += 1;
          return store.bulk.nextDueMs(underWay);
        },
      }),
    );
    await pass(1_000);
    looks = 0;
    await pass(LIMITS.bulk.firstWaitMs - 2_000);
    expect([looks, attempts.length]).toEqual([0, 1]);
    await pass(3_000);
    expect(attempts).toHaveLength(2);
  });

  test('that restarts resumes its own attempts as soon as the box connects, and no others', async () => {
    const first = start(() => 'never', 100, store.bulk, 'one');
    await create(['VEH01']);
    first.wake();
    await pass(1_000);
    first.sever();
    const other = start(() => 'applied', 100, store.bulk, 'two');
    await pass(1_000);
    expect(attempts).toHaveLength(1);
    other.sever();
    const again = start(() => 'applied', 100, store.bulk, 'one');
    await pass(1_000);
    expect(attempts).toHaveLength(1);
    again.ready([BOX_ID]);
    await pass(1_000);
    expect(attempts.map(({ atMs }) => atMs)).toEqual([expect.any(Number), 3_000]);
    expect(await items()).toMatchObject([{ status: 'applied', attempts: 2 }]);
  });

  test('tries at once when the box connects', async () => {
    await create(['VEH01']);
    let isThere = false;
    const worker = start(() => (isThere ? 'applied' : 'postponed'));
    await pass(20_000);
    expect(attempts.length).toBe(1);
    isThere = true;
    worker.ready([BOX_ID]);
    await pass(200);
    expect(attempts.at(-1)?.atMs).toBe(20_000);
    expect(await items()).toMatchObject([{ status: 'applied', attempts: 2 }]);
  });

  test('gives every vehicle one result after 12 h, whatever happened', async () => {
    await create(many(300));
    start(({ position }) => (position % 3 === 0 ? 'applied' : 'postponed'));
    await pass(FOR_EVER_MS);
    expect(await store.bulk.find('JOB')).toMatchObject({ counts: { pending: 0, applied: 100, failed: 200 } });
    for (const { reason } of (await items()).filter((one) => one.status === 'failed'))
      expect(reason?.problem).toBe('no-connection');
    expect(Math.max(...attempts.map(({ atMs }) => atMs))).toBeLessThan(LIMITS.bulk.jobMs);
  });

  test('continues after the store failed for a while, and notices boxes that connected meanwhile', async () => {
    await create(['VEH01']);
    let isFailing = false;
    let isThere = false;
    const failing = new Proxy(store.bulk, {
      get: (target, name) => {
        const call = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>;
        return (...given: unknown[]) =>
          isFailing ? Promise.reject(new StoreFailed('full')) : Reflect.apply(call, target, given);
      },
    });
    const worker = start(() => (isThere ? 'applied' : 'postponed'), 100, failing);
    await pass(50);
    isFailing = true;
    await pass(20_000);
    isThere = true;
    worker.ready([BOX_ID]);
    const known = (await store.ingest.load([BOX_ID])).get(BOX_ID);
    const change = { boxId: BOX_ID, version: known?.version ?? 0, notReadyUntilMs: null };
    await store.ingest.commit({
      boxes: [{ ...change, connection: { counter: 1, open: true } }],
      records: [],
      replies: [],
      messages: [],
      quarantine: [],
    });
    isFailing = false;
    await pass(2 * bulkLimits.retryMs + 1000);
    expect(await items()).toMatchObject([{ status: 'applied', attempts: 2 }]);
  });

  test('asks which boxes have connected when it starts, after a failure, and when it is told to', async () => {
    const askedMs: number[] = [];
    let failures = 2;
    const worker = start(
      () => 'applied',
      100,
      storeWith({
        makeConnectedDueNow: (nowMs) => {
          askedMs.push(nowMs - createdMs);
          failures -= 1;
          return failures >= 0
            ? Promise.reject(new StoreFailed('full'))
            : store.bulk.makeConnectedDueNow(nowMs);
        },
      }),
    );
    await pass(12 * 3_600_000);
    expect(askedMs).toEqual([0, bulkLimits.retryMs, 2 * bulkLimits.retryMs]);
    worker.recheck();
    await pass(12 * 3_600_000);
    expect(askedMs.slice(3)).toEqual([12 * 3_600_000]);
  });

  test('looks again soon if the store failed when a box connected', async () => {
    await create(['VEH01']);
    let asked = 0;
    const worker = start(
      () => 'postponed',
      100,
      storeWith({
        makeDueNow: () => Promise.reject(new StoreFailed('full')),
        makeConnectedDueNow: (nowMs) => {
          asked += 1;
          return store.bulk.makeConnectedDueNow(nowMs);
        },
      }),
    );
    await pass(1_000);
    expect(asked).toBe(1);
    worker.ready([BOX_ID]);
    await pass(bulkLimits.retryMs);
    expect(asked).toBe(2);
  });

  test('writes the results of running attempts when it stops, and begins no more', async () => {
    await create(many(500));
    const worker = start(() => 'applied');
    await pass(50);
    const stopped = worker.stop();
    await loop.runWhile(stopped, { withinMs: 10_000 });
    const begun = attempts.length;
    await pass(60_000);
    expect(attempts.length).toBe(begun);
    expect(await store.bulk.find('JOB')).toMatchObject({ counts: { applied: begun, pending: 500 - begun } });
  });

  test('that is severed begins no job that is written later, and writes no more results', async () => {
    const idle = start(() => 'applied');
    await pass(1_000);
    idle.sever();
    await create(['VEH01']);
    idle.wake();
    await pass(2 * bulkLimits.pollMs);
    expect(attempts).toEqual([]);
    const busy = start(() => 'applied');
    await pass(50);
    busy.sever();
    await pass(1_000);
    expect([attempts.length, (await items())[0]?.status]).toEqual([1, 'pending']);
  });

  test('writes a result that the store did not take once it does, and tries no vehicle twice for it', async () => {
    await create(many(3));
    let failures = 2;
    const finish: BulkStore['finish'] = (results, nowMs) => {
      failures -= 1;
      return failures >= 0 ? Promise.reject(new StoreFailed('full')) : store.bulk.finish(results, nowMs);
    };
    start(() => 'applied', 100, storeWith({ finish }));
    await pass(2 * bulkLimits.retryMs + 1_000);
    expect(await store.bulk.find('JOB')).toMatchObject({ counts: { applied: 3, pending: 0 } });
    await pass(ANSWER_MS + bulkLimits.leaseSlackMs);
    expect(attempts).toHaveLength(3);
  });

  test('removes jobs after 7 days', async () => {
    await create(['VEH01']);
    start(() => 'applied');
    await pass(LIMITS.bulk.keptMs - bulkLimits.pruneEveryMs);
    expect(await store.bulk.find('JOB')).toBeDefined();
    await pass(2 * bulkLimits.pruneEveryMs + 10_000);
    expect(await store.bulk.find('JOB')).toBeUndefined();
  });
});

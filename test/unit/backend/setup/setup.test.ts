import { describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { setupLimits } from '../../../../backend/base/limits.ts';
import type { CommandAnswer } from '../../../../backend/commands/command-dispatcher.ts';
import { afterAttempt, startSetup } from '../../../../backend/setup/setup.ts';
import { StoreFailed } from '../../../../backend/store/port/store.ts';
import { openSqliteStore, type SqliteStore } from '../../../../backend/store/sqlite/store.ts';
import { problem } from '../../../../contract/problems.ts';
import { sleep } from '../../../../world/time/time.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';

const BOX = '00000000000000aa';
const refusal = problem('no-connection', 'The vehicle did not answer in time.');
const silent = { done: false, refusal, outcome: 'unknown' } as const;

async function shelved(store: SqliteStore, isConnected = true, boxId = BOX): Promise<void> {
  await store.vehicles.saveUnit({
    boxId,
    fleetId: 'FLEET',
    boxSecretHash: 'hash',
    generation: 2,
    sim: undefined,
  });
  if (!isConnected) return;
  const known = (await store.ingest.load([boxId])).get(boxId);
  await store.ingest.commit({
    boxes: [{ boxId, version: known?.version ?? 0, connection: { counter: 1, open: true } }],
    records: [],
    replies: [],
    messages: [],
    quarantine: [],
  });
}

const onboard = (store: SqliteStore, atMs: number, id = 'ABCDE', boxId = BOX) =>
  store.vehicles.create({
    id,
    fleetId: 'FLEET',
    telematics: { boxId },
    model: 'petrol-compact',
    setupStatus: 'PENDING',
    masterData: {},
    customFields: {},
    tags: [],
    atMs,
  });

/** A worker whose command dispatcher answers as the test requires, and the attempts made. */
function stage(answer: (attempt: number, world: VirtualWorld) => Promise<CommandAnswer>) {
  const world = openVirtualWorld({ seed: 1, mqttAccess: anyone });
  const store = openSqliteStore(':memory:');
  const begunMs: number[] = [];
  const start = () =>
    startSetup({
      world: world.instance('backend'),
      store: store.setup,
      counters: makeCounters(),
      dispatcher: {
        execute: async () => {
          begunMs.push(world.time.nowMs());
          return answer(begunMs.length, world);
        },
      },
    });
  const status = async () => {
    const vehicle = await store.vehicles.find('ABCDE');
    return [vehicle?.setupStatus, vehicle?.setupDetail];
  };
  return { world, store, begunMs, start, status };
}

const anyone = { mayConnect: () => true, mayPublish: () => true, maySubscribe: () => true };

describe('the setup worker', () => {
  test('tries a silent box a few times with increasing delays, and then reports the failure', async () => {
    const { world, store, begunMs, start, status } = stage(async (_attempt, { time }) => {
      await sleep(time, setupLimits.answerTimeoutMs);
      return silent;
    });
    await world.run(async () => {
      await shelved(store);
      await onboard(store, world.time.nowMs());
      const worker = start();
      await sleep(world.time, 10_000);
      expect(await status()).toEqual(['RUNNING', '']);
      await sleep(world.time, setupLimits.answerTimeoutMs);
      expect(await status()).toEqual(['PENDING', 'The telematics unit did not answer; attempt 1 of 5.']);
      await sleep(world.time, 3 * 3_600_000);
      worker.stop();
      expect(await status()).toEqual(['FAILED', 'The telematics unit did not answer; it was tried 5 times.']);
    });
    expect(begunMs).toHaveLength(setupLimits.attempts);
    const waits = begunMs.slice(1).map((atMs, index) => atMs - (begunMs[index] ?? 0));
    for (const [index, waitMs] of waits.entries()) {
      const leastMs = setupLimits.answerTimeoutMs + (setupLimits.firstBackoffMs / 2) * 2 ** index;
      expect(waitMs).toBeGreaterThanOrEqual(leastMs);
    }
  });

  test('does not try a vehicle whose box is disconnected, and begins at once when it connects', async () => {
    const { world, store, begunMs, start, status } = stage(async () => silent);
    await world.run(async () => {
      await shelved(store, false);
      await onboard(store, world.time.nowMs());
      const worker = start();
      await sleep(world.time, 3_600_000);
      expect(begunMs).toEqual([]);
      await shelved(store, true);
      worker.ready([BOX]);
      await sleep(world.time, 10);
      worker.stop();
      expect(begunMs).toHaveLength(1);
      expect(await status()).toEqual(['PENDING', 'The telematics unit did not answer; attempt 1 of 5.']);
    });
  });

  test('finds missed connections with its slow poll', async () => {
    const { world, store, begunMs, start } = stage(async () => silent);
    await world.run(async () => {
      const worker = start();
      await sleep(world.time, 3_600_000);
      await shelved(store);
      await onboard(store, world.time.nowMs());
      await sleep(world.time, setupLimits.pollMs);
      worker.stop();
      expect(begunMs.length).toBeGreaterThan(0);
    });
  });

  test('polls the store rarely while nothing is due, however many vehicles wait for their boxes', async () => {
    const { world, store, start } = stage(async () => silent);
    let looks = 0;
    const { due } = store.setup;
    Object.assign(store.setup, {
      due: (...query: Parameters<typeof due>) => {
        looks += 1;
        return due(...query);
      },
    });
    await world.run(async () => {
      await shelved(store, false);
      await onboard(store, world.time.nowMs());
      const worker = start();
      await sleep(world.time, 12 * 3_600_000);
      worker.stop();
    });
    expect(looks).toBeLessThanOrEqual((12 * 3_600_000) / setupLimits.pollMs + 1);
  });

  test('begins the next attempt at its time, even if the box reconnected earlier', async () => {
    const { world, store, begunMs, start } = stage(async () => silent);
    await world.run(async () => {
      await shelved(store);
      await onboard(store, world.time.nowMs());
      const worker = start();
      await sleep(world.time, 100);
      const connect = async (counter: number, open: boolean) => {
        const known = (await store.ingest.load([BOX])).get(BOX);
        await store.ingest.commit({
          boxes: [{ boxId: BOX, version: known?.version ?? 0, connection: { counter, open } }],
          records: [],
          replies: [],
          messages: [],
          quarantine: [],
        });
      };
      await connect(1, false);
      await sleep(world.time, setupLimits.firstBackoffMs / 4);
      await connect(2, true);
      worker.ready([BOX]);
      await sleep(world.time, setupLimits.firstBackoffMs);
      worker.stop();
      expect(begunMs).toHaveLength(2);
    });
  });

  test('processes notifications from while the store failed', async () => {
    const { world, store, begunMs, start } = stage(async () => silent);
    let isFailing = false;
    const { due, ofBoxes } = store.setup;
    const failing = () => Promise.reject(new StoreFailed('full'));
    Object.assign(store.setup, {
      due: (query: Parameters<typeof due>[0]) => (isFailing ? failing() : due(query)),
      ofBoxes: (boxIds: readonly string[]) => (isFailing ? failing() : ofBoxes(boxIds)),
    });
    await world.run(async () => {
      await shelved(store);
      const worker = start();
      await sleep(world.time, 1_000);
      isFailing = true;
      await onboard(store, world.time.nowMs());
      worker.ready([BOX]);
      await sleep(world.time, 30_000);
      expect(begunMs).toEqual([]);
      isFailing = false;
      await sleep(world.time, setupLimits.retryMs);
      worker.stop();
      expect(begunMs).toHaveLength(1);
    });
  });

  test('sets up a large fleet, a limited number at once', async () => {
    const count = setupLimits.atOnce + 100;
    let underWay = 0;
    let most = 0;
    const { world, store, begunMs, start } = stage(async (_attempt, { time }) => {
      underWay += 1;
      most = Math.max(most, underWay);
      await sleep(time, 60_000);
      underWay -= 1;
      return { done: true, status: undefined, state: undefined };
    });
    await world.run(async () => {
      for (let index = 0; index < count; index += 1) {
        const boxId = index.toString(16).padStart(16, '0');
        await shelved(store, true, boxId);
        await onboard(store, world.time.nowMs(), `V${index}`, boxId);
      }
      const worker = start();
      await sleep(world.time, 61_000);
      worker.stop();
    });
    expect(begunMs).toHaveLength(count);
    expect(most).toBe(setupLimits.atOnce);
  });

  test('does not count an attempt that never reached the box', async () => {
    const { world, store, begunMs, start, status } = stage(async () => ({ done: false, refusal }));
    await world.run(async () => {
      await shelved(store);
      await onboard(store, world.time.nowMs());
      const worker = start();
      await sleep(world.time, 10 * 60_000);
      worker.stop();
      expect(begunMs.length).toBeGreaterThan(2 * setupLimits.attempts);
      expect(await status()).toEqual(['PENDING', 'The telematics unit could not be reached yet.']);
    });
  });

  test('continues after a restart with unfinished setups of another worker', async () => {
    const { world, store, begunMs, start, status } = stage(() => new Promise(() => undefined));
    await world.run(async () => {
      await shelved(store);
      await onboard(store, world.time.nowMs());
      const first = start();
      await sleep(world.time, 1_000);
      first.stop();
      const second = start();
      await sleep(world.time, setupLimits.answerTimeoutMs);
      expect(begunMs).toHaveLength(1);
      await sleep(world.time, setupLimits.graceMs);
      expect(await status()).toEqual(['PENDING', 'The telematics unit did not answer; attempt 1 of 5.']);
      await sleep(world.time, setupLimits.firstBackoffMs);
      second.stop();
      expect(begunMs).toHaveLength(2);
    });
  });

  test('of several backends on one store begins each setup once, and ends it once', async () => {
    const { world, store, begunMs, start, status } = stage(async (_attempt, { time }) => {
      await sleep(time, setupLimits.answerTimeoutMs);
      return silent;
    });
    await world.run(async () => {
      await shelved(store);
      const workers = [start(), start(), start()];
      await sleep(world.time, 1_000);
      await onboard(store, world.time.nowMs());
      for (const worker of workers) worker.ready([BOX]);
      await sleep(world.time, setupLimits.answerTimeoutMs + 100);
      expect(begunMs).toHaveLength(1);
      expect(await status()).toEqual(['PENDING', 'The telematics unit did not answer; attempt 1 of 5.']);
      await sleep(world.time, setupLimits.firstBackoffMs);
      expect(begunMs).toHaveLength(2);
      for (const worker of workers) worker.stop();
    });
  });

  test('finds at once what was written without notice, where it is told to look', async () => {
    const { world, store, begunMs, start } = stage(() => new Promise(() => undefined));
    await world.run(async () => {
      await shelved(store);
      const worker = start();
      await sleep(world.time, 1_000);
      await onboard(store, world.time.nowMs());
      await sleep(world.time, 1_000);
      expect(begunMs).toEqual([]);
      worker.recheck();
      await sleep(world.time, 1);
      expect(begunMs).toHaveLength(1);
      worker.stop();
    });
  });

  test('never changes a setup that the box has completed, or a later vehicle with the same id', async () => {
    const store = openSqliteStore(':memory:');
    await shelved(store);
    await onboard(store, 1_000);
    const [due] = await store.setup.due({ nowMs: 1_000, limit: 10 });
    const begun = due === undefined ? undefined : await store.setup.begin(due, 9_000, 1_000);
    if (due === undefined || begun === undefined) throw new Error('nothing was due');
    expect(await store.setup.begin(due, 9_000, 1_000)).toBeUndefined();
    await store.vehicles.remove('ABCDE');
    await onboard(store, 2_000);
    expect(await store.setup.end(begun, { to: 'FAILED', detail: 'late' }, 9_500)).toBe(false);
    expect(await store.setup.due({ nowMs: 2_000, limit: 10 })).toMatchObject([{ attempts: 0 }]);
  });

  test('gets from the store which setups are due, which belong to a box, and when the next one is due', async () => {
    const store = openSqliteStore(':memory:');
    await shelved(store, false);
    await onboard(store, 1_000);
    const now = { nowMs: 2_000, limit: 10 };
    expect(await store.setup.due(now)).toEqual([]);
    expect(await store.setup.nextDueMs(0)).toBeUndefined();
    await shelved(store);
    const [fresh] = await store.setup.ofBoxes([BOX]);
    if (fresh === undefined) throw new Error('nothing was due');
    expect(await store.setup.ofBoxes(['00000000000000bb'])).toEqual([]);
    await store.setup.begin(fresh, 9_000, 1_500);
    expect(await store.setup.due(now)).toEqual([]);
    expect(await store.setup.ofBoxes([BOX])).toMatchObject([{ dueMs: 9_000 }]);
    expect(await store.setup.due({ ...now, nowMs: 9_000, afterMs: 8_999 })).toHaveLength(1);
    expect(await store.setup.due({ ...now, nowMs: 9_500, afterMs: 9_000 })).toEqual([]);
    expect(await store.setup.nextDueMs(8_999)).toBe(9_000);
    expect(await store.setup.nextDueMs(9_000)).toBeUndefined();
  });
});

test('the outcome of an attempt includes the reason', () => {
  const after = (attempt: number, outcome: 'unknown' | 'not-ready' | 'expired') =>
    afterAttempt(attempt, { done: false, refusal, outcome }, 0, 0);
  expect(after(1, 'not-ready')).toMatchObject({ detail: 'The telematics unit was busy; attempt 1 of 5.' });
  expect(after(2, 'expired')).toMatchObject({ to: 'PENDING', dueMs: setupLimits.firstBackoffMs });
  expect(after(5, 'unknown')).toMatchObject({ to: 'FAILED' });
});

import { beforeEach, describe, expect, test } from 'vitest';
import type { BulkItem, BulkPlace, NewBulkJob } from '../../backend/store/port/bulk-store.ts';
import {
  BOX_ID,
  ingestBatch,
  newVehicle,
  OTHER_BOX_ID,
  openCommand,
  REPLY_KEY,
  START_MS,
  type TestStore,
} from '../support/store/store-rows.ts';

const TRACKING = { tracking: { time_interval_in_seconds: 60 } };
const PARKING = { 'parking-events': null };
const LEASE_MS = 30_000;
const HOUR_MS = 3_600_000;
const ROOM = { jobs: 100, vehicles: 1_000 };

/** The behaviour of a store for bulk jobs. */
export function bulkContract(stage: TestStore): void {
  const bulk = () => stage.store.bulk;
  const create = (id: string, change: Partial<NewBulkJob> = {}) =>
    bulk().create(
      {
        id,
        fleetId: 'FLEET1',
        flowId: '6a0f5a8e-0000-4000-8000-000000000003',
        vehicleIds: ['VEH01'],
        features: TRACKING,
        createdMs: START_MS,
        expiresMs: START_MS + 12 * HOUR_MS,
        ...change,
      },
      ROOM,
    );
  const lease = (nowMs: number, limit = 10) => bulk().lease({ nowMs, leaseMs: LEASE_MS, limit });
  const items = (jobId: string) => bulk().items({ jobId, afterPosition: -1, limit: 100 });
  const item = async (jobId: string): Promise<Partial<BulkItem>> => (await items(jobId))[0] ?? {};
  const reason = { problem: 'no-connection', detail: 'It did not connect.' } as const;
  const postponed = (jobId: string, dueMs: number, attempt = 1) =>
    ({ jobId, position: 0, attempt, outcome: 'postponed', dueMs, reason }) as const;
  const order = (features: typeof TRACKING | typeof PARKING, jobId?: string) => ({
    command: 'configure' as const,
    configuration: {
      revision: 7,
      basedOn: 0,
      features,
      calibrates: [],
      kept: {},
      ...(jobId === undefined ? {} : { bulkJobId: jobId }),
    },
  });
  const done = (requestId: string, atMs = START_MS + 50) =>
    stage.store.ingest.commit(
      ingestBatch({
        replies: [
          {
            reply: { kind: 'reply', requestId, outcome: 'done', error: '' },
            boxId: BOX_ID,
            key: REPLY_KEY,
            atMs,
          },
        ],
      }),
    );

  describe('bulk jobs', () => {
    beforeEach(async () => {
      await stage.store.vehicles.save(newVehicle());
      await stage.store.vehicles.save(newVehicle({ id: 'VEH02', boxId: OTHER_BOX_ID }));
      // As in the configurator: a revision is assigned before it is confirmed.
      await stage.store.configuration.begin(BOX_ID, START_MS);
    });

    test('a written job is there after a crash, its vehicles pending in their order', async () => {
      await create('J1', { vehicleIds: ['VEH02', 'VEH01', 'VEH01X'] });
      await stage.crash();
      expect(await bulk().find('J1')).toMatchObject({
        fleetId: 'FLEET1',
        features: TRACKING,
        createdMs: START_MS,
        counts: { total: 3, pending: 3, applied: 0, failed: 0 },
        hasBegun: false,
      });
      expect((await items('J1')).map((one) => [one.position, one.vehicleId, one.status])).toEqual([
        [0, 'VEH02', 'pending'],
        [1, 'VEH01', 'pending'],
        [2, 'VEH01X', 'pending'],
      ]);
      expect(await bulk().items({ jobId: 'J1', afterPosition: 0, limit: 1 })).toMatchObject([
        { vehicleId: 'VEH01' },
      ]);
      expect(await bulk().find('J2')).toBeUndefined();
    });

    test('a due vehicle is leased once, with its attempt counted, and again only after the lease has ended', async () => {
      await create('J1', { vehicleIds: ['VEH01', 'VEH02'] });
      expect(await lease(START_MS - 1)).toEqual([]);
      expect(await lease(START_MS, 1)).toMatchObject([
        { vehicleId: 'VEH01', attempt: 1, step: 0, features: TRACKING },
      ]);
      expect(await lease(START_MS)).toMatchObject([{ vehicleId: 'VEH02', attempt: 1 }]);
      expect(await lease(START_MS + LEASE_MS - 1)).toEqual([]);
      expect(await item('J1')).toMatchObject({ attempts: 1, lastAttemptMs: START_MS, status: 'pending' });
      await stage.crash();
      expect(await lease(START_MS + LEASE_MS)).toMatchObject([{ attempt: 2 }, { attempt: 2 }]);
    });

    test('a postponed vehicle is due at its time, one step further', async () => {
      await create('J1');
      await lease(START_MS);
      await bulk().finish([postponed('J1', START_MS + 1000)], START_MS + 10);
      expect(await bulk().nextDueMs()).toBe(START_MS + 1000);
      expect(await lease(START_MS + 999)).toEqual([]);
      expect(await lease(START_MS + 1000)).toMatchObject([{ attempt: 2, step: 1 }]);
    });

    test('a vehicle is settled once, whatever comes later', async () => {
      await create('J1');
      await lease(START_MS);
      const refused = { problem: 'incompatible-telematics-unit-model', detail: 'No sensor.' } as const;
      await bulk().finish(
        [{ jobId: 'J1', position: 0, attempt: 1, outcome: 'failed', reason: refused }],
        START_MS + 1,
      );
      await bulk().finish([{ jobId: 'J1', position: 0, attempt: 1, outcome: 'applied' }], START_MS + 2);
      await bulk().finish([postponed('J1', START_MS + 3)], START_MS + 3);
      expect(await item('J1')).toMatchObject({ status: 'failed', reason: refused });
      expect(await bulk().nextDueMs()).toBeUndefined();
      expect(await bulk().find('J1')).toMatchObject({ counts: { pending: 0, failed: 1 }, hasBegun: true });
    });

    test('the result of an attempt that another worker has taken over is ignored, unless the box has confirmed it', async () => {
      await create('J1');
      await lease(START_MS);
      await lease(START_MS + LEASE_MS);
      await bulk().finish([postponed('J1', START_MS + HOUR_MS, 1)], START_MS + LEASE_MS);
      expect(await bulk().nextDueMs()).toBe(START_MS + 2 * LEASE_MS);
      await bulk().finish(
        [{ jobId: 'J1', position: 0, attempt: 1, outcome: 'applied' }],
        START_MS + LEASE_MS,
      );
      expect(await item('J1')).toMatchObject({ status: 'applied', reason: undefined });
    });

    test('after the job its pending vehicles have failed, those with an attempt at the end of it', async () => {
      const endMs = START_MS + 12 * HOUR_MS;
      await create('J1', { vehicleIds: ['VEH01', 'VEH02', 'VEH03'] });
      await lease(START_MS, 1);
      await bulk().finish([postponed('J1', endMs + HOUR_MS)], START_MS + 10);
      await lease(endMs - 1, 1);
      expect(await lease(endMs)).toEqual([]);
      expect((await items('J1')).map((one) => [one.status, one.reason?.problem])).toEqual([
        ['failed', 'no-connection'],
        ['pending', undefined],
        ['failed', 'no-connection'],
      ]);
      expect((await item('J1')).reason?.detail).toContain(reason.detail);
      expect((await items('J1'))[2]?.reason?.detail).toContain('not tried');
      await bulk().finish([{ ...postponed('J1', endMs + HOUR_MS), position: 1 }], endMs + 20_000);
      expect(await bulk().find('J1')).toMatchObject({ counts: { pending: 0, failed: 3 } });
    });

    test('the reply of a box settles the vehicle in its commit, also if no worker waits for it', async () => {
      await create('J1');
      await lease(START_MS);
      expect(await stage.store.commands.open(openCommand('R1', order(TRACKING, 'J1')))).toBe('opened');
      await stage.store.commands.giveUp('R1', START_MS + 20_000);
      await bulk().finish([postponed('J1', START_MS + HOUR_MS)], START_MS + 20_000);
      await done('R1', START_MS + 25_000);
      await stage.crash();
      expect(await item('J1')).toMatchObject({ status: 'applied', attempts: 1 });
    });

    test('a late reply to a replaced configuration settles nothing', async () => {
      await create('J1');
      await lease(START_MS);
      await stage.store.commands.open(openCommand('R1', order(TRACKING, 'J1')));
      await stage.store.commands.giveUp('R1', START_MS + 20_000);
      const later = order(PARKING);
      await stage.store.commands.open(
        openCommand('R2', { ...later, configuration: { ...later.configuration, revision: 8 } }),
      );
      await done('R2');
      await done('R1');
      expect(await item('J1')).toMatchObject({ status: 'pending' });
    });

    test('a later configuration of the same features overtakes pending ones, one of other features does not', async () => {
      await create('J1');
      await stage.store.commands.open(openCommand('R1', order(PARKING)));
      expect(await item('J1')).toMatchObject({ status: 'pending' });
      await stage.store.commands.withdraw('R1', START_MS);
      expect(await stage.store.commands.open(openCommand('R2', order(TRACKING)))).toBe('opened');
      expect(await item('J1')).toMatchObject({
        status: 'failed',
        reason: { problem: 'conflicting-operation' },
      });
    });

    test('a configuration that could not be opened overtakes nothing', async () => {
      await create('J1');
      await stage.store.commands.open(openCommand('R1'));
      expect(await stage.store.commands.open(openCommand('R2', order(TRACKING)))).toBe('conflict');
      expect(await item('J1')).toMatchObject({ status: 'pending' });
    });

    test("another fleet's job that names the vehicle is not overtaken, and overtakes nothing", async () => {
      await create('J1');
      await create('J2', { fleetId: 'FLEET2' });
      await stage.store.commands.open(openCommand('R1', order(TRACKING)));
      expect(await item('J1')).toMatchObject({ status: 'failed' });
      expect(await item('J2')).toMatchObject({ status: 'pending' });
    });

    test('a later job overtakes the vehicles that it shares with earlier ones', async () => {
      await create('J1', { vehicleIds: ['VEH01', 'VEH02'] });
      await create('J2', { features: PARKING });
      await create('J3', { features: { ...TRACKING, ...PARKING } });
      expect((await items('J1')).map((one) => one.status)).toEqual(['failed', 'pending']);
      expect(await item('J2')).toMatchObject({ reason: { problem: 'conflicting-operation' } });
      expect(await item('J3')).toMatchObject({ status: 'pending' });
    });

    test('an overtaken attempt succeeds with the reply of the box, and fails without it', async () => {
      await create('J1', { vehicleIds: ['VEH01', 'VEH02'] });
      await lease(START_MS);
      await stage.store.commands.open(openCommand('R1', order(TRACKING, 'J1')));
      await create('J2', { vehicleIds: ['VEH01', 'VEH02'] });
      expect((await items('J1')).map((one) => one.status)).toEqual(['pending', 'pending']);
      await done('R1');
      await bulk().finish([{ ...postponed('J1', START_MS + HOUR_MS), position: 1 }], START_MS + 20_000);
      expect((await items('J1')).map((one) => [one.status, one.reason?.problem])).toEqual([
        ['applied', undefined],
        ['failed', 'conflicting-operation'],
      ]);
    });

    test('an attempt is not opened after a later one has begun', async () => {
      await create('J1');
      await lease(START_MS);
      await create('J2');
      expect(await stage.store.commands.open(openCommand('R1', order(TRACKING, 'J1')))).toBe('conflict');
      expect(await stage.store.commands.find('R1')).toBeUndefined();
    });

    test('an overtaken attempt of a crashed backend fails at the end of its lease', async () => {
      await create('J1');
      await lease(START_MS);
      await create('J2');
      expect(await lease(START_MS + LEASE_MS)).toMatchObject([{ jobId: 'J2' }]);
      expect(await item('J1')).toMatchObject({ reason: { problem: 'conflicting-operation' } });
    });

    test('a box that connects makes its vehicle due, and its wait starts again', async () => {
      await create('J1', { vehicleIds: ['VEH01', 'VEH02'] });
      await lease(START_MS);
      await bulk().finish(
        [postponed('J1', START_MS + HOUR_MS), { ...postponed('J1', START_MS + HOUR_MS), position: 1 }],
        START_MS + 1,
      );
      expect(await bulk().makeDueNow(['00000000000000ff'], START_MS + 5)).toEqual({ isAnyDue: false });
      expect(await bulk().makeDueNow([BOX_ID], START_MS + 5)).toEqual({ isAnyDue: true });
      expect(await lease(START_MS + 5)).toMatchObject([{ vehicleId: 'VEH01', step: 0 }]);
    });

    test('a box that connects during an attempt is tried again as soon as that has failed', async () => {
      await create('J1');
      await lease(START_MS);
      expect(await bulk().makeDueNow([BOX_ID], START_MS + 5)).toEqual({ isAnyDue: false });
      await bulk().finish([postponed('J1', START_MS + HOUR_MS)], START_MS + 20_000);
      expect(await lease(START_MS + 20_000)).toMatchObject([{ attempt: 2, step: 0 }]);
      await bulk().finish([postponed('J1', START_MS + HOUR_MS, 2)], START_MS + 40_000);
      expect(await bulk().nextDueMs()).toBe(START_MS + HOUR_MS);
    });

    test('vehicles with a connected box are due after notifications of the connection were lost', async () => {
      await create('J1', { vehicleIds: ['VEH01', 'VEH02'] });
      await lease(START_MS);
      await bulk().finish(
        [postponed('J1', START_MS + HOUR_MS), { ...postponed('J1', START_MS + HOUR_MS), position: 1 }],
        START_MS + 1,
      );
      const change = await stage.change({ connection: { counter: 1, open: true }, notReadyUntilMs: null });
      await stage.store.ingest.commit(ingestBatch({ boxes: [change] }));
      await bulk().makeConnectedDueNow(START_MS + 5);
      expect(await lease(START_MS + 5)).toMatchObject([{ vehicleId: 'VEH01' }]);
    });

    test('what is under way is not leased once more to who carries it out, and to others once its lease has ended', async () => {
      await create('J1', { vehicleIds: ['VEH01', 'VEH02'] });
      const place = { jobId: 'J1', position: 0 };
      const take = (nowMs: number, underWay: readonly BulkPlace[]) =>
        bulk().lease({ nowMs, leaseMs: LEASE_MS, limit: 1, underWay });
      expect(await take(START_MS, [])).toMatchObject([{ ...place, attempt: 1 }]);
      expect(await take(START_MS + 1, [place])).toMatchObject([{ position: 1, attempt: 1 }]);
      const endMs = START_MS + LEASE_MS;
      expect(await bulk().nextDueMs([place])).toBe(endMs + 1);
      expect(await bulk().nextDueMs()).toBe(endMs);
      expect(await take(endMs, [place])).toEqual([]);
      expect(await take(endMs, [])).toMatchObject([{ ...place, attempt: 2 }]);
    });

    test('leases of a holder end with its release, and its open configurations are given up', async () => {
      await create('J1', { vehicleIds: ['VEH01', 'VEH02'] });
      const take = (holder: string) => bulk().lease({ nowMs: START_MS, leaseMs: LEASE_MS, limit: 1, holder });
      await take('one');
      await take('two');
      const sent = openCommand('R1', order(TRACKING, 'J1'));
      expect(await stage.store.commands.open(sent)).toBe('opened');
      await bulk().release('one', START_MS + 1);
      expect(await stage.store.commands.find('R1')).toMatchObject({ outcome: 'unknown' });
      // The box is not connected yet: nothing is due earlier than before.
      expect(await lease(START_MS + 2)).toEqual([]);
      expect(await bulk().makeDueNow([BOX_ID, OTHER_BOX_ID], START_MS + 3)).toEqual({ isAnyDue: true });
      expect(await lease(START_MS + 3)).toMatchObject([{ vehicleId: 'VEH01', attempt: 2 }]);
      await done('R1', START_MS + 4);
      expect((await items('J1'))[0]).toMatchObject({ status: 'applied' });
      expect((await items('J1'))[1]).toMatchObject({ status: 'pending', attempts: 1 });
    });

    test('old jobs are removed with their vehicles, the oldest first', async () => {
      await create('J1');
      await create('J2', { createdMs: START_MS + 1 });
      await bulk().prune({ createdBeforeMs: START_MS + 10, limit: 1 });
      expect(await bulk().find('J1')).toBeUndefined();
      expect(await items('J1')).toEqual([]);
      expect(await bulk().find('J2')).toBeDefined();
    });
  });
}

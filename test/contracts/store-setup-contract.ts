import { beforeEach, describe, expect, test } from 'vitest';
import type { Setup } from '../../backend/store/port/setup-store.ts';
import {
  BOX_ID,
  ingestBatch,
  newVehicle,
  OTHER_BOX_ID,
  START_MS,
  type TestStore,
} from '../support/store/store-rows.ts';

/** The behaviour of a store for setups. */
export function setupContract(stage: TestStore): void {
  describe('setups', () => {
    const store = () => stage.store.setup;
    const onboard = (id: string, boxId: string, setupStatus: 'PENDING' | 'SUCCEEDED' = 'PENDING') =>
      stage.store.vehicles.save(newVehicle({ id, boxId, setupStatus }));
    const connect = async (
      boxId: string,
      fields: { open?: boolean; notReadyUntilMs?: number | null } = {},
    ) => {
      const { open = true, ...others } = fields;
      const change = await stage.change({ boxId, connection: { counter: 1, open }, ...others });
      expect((await stage.store.ingest.commit(ingestBatch({ boxes: [change] }))).stale).toEqual([]);
    };
    const due = (nowMs = START_MS, more: { afterMs?: number; limit?: number } = {}) =>
      store().due({ nowMs, limit: 10, ...more });
    const dueIds = async (...query: Parameters<typeof due>) =>
      (await due(...query)).map(({ vehicle }) => vehicle.id);
    const only = async (): Promise<Setup> => {
      const [setup] = await store().ofBoxes([BOX_ID]);
      if (setup === undefined) throw new Error('there is no setup');
      return setup;
    };
    const begun = async (dueMs: number) => {
      const running = await store().begin(await only(), dueMs, START_MS);
      if (running === undefined) throw new Error('it has changed since');
      return running;
    };

    beforeEach(async () => {
      await onboard('VEH01', BOX_ID);
      await onboard('VEH02', OTHER_BOX_ID);
    });

    test('a pending one is due once its box is connected and ready', async () => {
      expect(await due()).toEqual([]);
      await connect(BOX_ID, { notReadyUntilMs: START_MS + 1_000 });
      expect(await due()).toEqual([]);
      expect(await store().ofBoxes([BOX_ID])).toEqual([]);
      await connect(BOX_ID, { notReadyUntilMs: null });
      expect(await due()).toMatchObject([
        { vehicle: { id: 'VEH01', boxId: BOX_ID, setupStatus: 'PENDING' }, attempts: 0 },
      ]);
      await connect(BOX_ID, { open: false });
      expect(await due()).toEqual([]);
    });

    test('a running one is due when its box has not answered by then, connected or not', async () => {
      await connect(BOX_ID);
      const running = await begun(START_MS + 5_000);
      expect(running).toMatchObject({
        vehicle: { setupStatus: 'RUNNING' },
        attempts: 1,
        dueMs: START_MS + 5_000,
      });
      await connect(BOX_ID, { open: false });
      await stage.crash();
      expect(await due(START_MS + 4_999)).toEqual([]);
      expect(await due(START_MS + 5_000)).toMatchObject([
        { vehicle: { id: 'VEH01', setupStatus: 'RUNNING' }, attempts: 1, dueMs: START_MS + 5_000 },
      ]);
      expect(await store().ofBoxes([OTHER_BOX_ID, BOX_ID])).toMatchObject([{ vehicle: { id: 'VEH01' } }]);
    });

    test('they come in the order of their due times, up to the limit and behind a given time', async () => {
      await connect(BOX_ID);
      await connect(OTHER_BOX_ID);
      await store().end(await begun(START_MS + 9), pendingUntil(START_MS + 2), START_MS);
      const [second] = await store().ofBoxes([OTHER_BOX_ID]);
      if (second === undefined) throw new Error('there is no setup');
      const running = await store().begin(second, START_MS + 9, START_MS);
      if (running === undefined) throw new Error('it has changed since');
      await store().end(running, pendingUntil(START_MS + 1), START_MS);
      expect(await dueIds(START_MS)).toEqual([]);
      expect(await dueIds(START_MS + 2)).toEqual(['VEH02', 'VEH01']);
      expect(await dueIds(START_MS + 2, { limit: 1 })).toEqual(['VEH02']);
      expect(await dueIds(START_MS + 2, { afterMs: START_MS + 1 })).toEqual(['VEH01']);
      const both = await store().ofBoxes([BOX_ID, OTHER_BOX_ID]);
      expect(both.map(({ vehicle }) => vehicle.id)).toEqual(['VEH02', 'VEH01']);
      expect(await store().nextDueMs(START_MS)).toBe(START_MS + 1);
      expect(await store().nextDueMs(START_MS + 1)).toBe(START_MS + 2);
      expect(await store().nextDueMs(START_MS + 2)).toBeUndefined();
    });

    test('one is begun once, and its box has another version then', async () => {
      await connect(BOX_ID);
      const [setup, { version }] = [await only(), await stage.known()];
      expect(await store().begin(setup, START_MS + 5_000, START_MS + 7)).toBeDefined();
      expect(await store().begin(setup, START_MS + 5_000, START_MS + 7)).toBeUndefined();
      expect((await stage.known()).version).toBe(version + 1);
      expect(await stage.store.vehicles.find('VEH01')).toMatchObject({
        setupStatus: 'RUNNING',
        modifiedMs: START_MS + 7,
      });
    });

    test('of several who begin one at once, one does', async () => {
      await connect(BOX_ID);
      const [setup, { version }] = [await only(), await stage.known()];
      const began = await Promise.all(
        [1, 2, 3, 4].map((attempt) => store().begin(setup, START_MS + attempt, START_MS)),
      );
      expect(began.filter((running) => running !== undefined)).toEqual([await only()]);
      expect((await stage.known()).version).toBe(version + 1);
    });

    test('an attempt ends once: it failed, or the next one is pending', async () => {
      await connect(BOX_ID);
      const running = await begun(START_MS + 5_000);
      expect(await store().end(running, pendingUntil(START_MS + 30_000), START_MS)).toBe(true);
      expect(await store().end(running, pendingUntil(START_MS + 60_000), START_MS)).toBe(false);
      expect(await only()).toMatchObject({
        vehicle: { setupStatus: 'PENDING', setupDetail: 'It is silent.' },
        attempts: 1,
        dueMs: START_MS + 30_000,
      });
      const again = await begun(START_MS + 40_000);
      expect(again.attempts).toBe(2);
      expect(await store().end(again, { to: 'FAILED', detail: 'It refused.' }, START_MS + 9)).toBe(true);
      expect(await store().ofBoxes([BOX_ID])).toEqual([]);
      expect(await stage.store.vehicles.find('VEH01')).toMatchObject({
        setupStatus: 'FAILED',
        setupDetail: 'It refused.',
        modifiedMs: START_MS + 9,
      });
    });

    test('an attempt of which nothing has reached the box does not count', async () => {
      await connect(BOX_ID);
      const running = await begun(START_MS + 5_000);
      await store().end(running, { ...pendingUntil(START_MS), isVoid: true }, START_MS);
      expect(await only()).toMatchObject({ vehicle: { setupStatus: 'PENDING' }, attempts: 0 });
    });

    test('one of a vehicle that was removed and onboarded again is another one', async () => {
      await connect(BOX_ID);
      const running = await begun(START_MS + 5_000);
      await stage.store.vehicles.remove('VEH01');
      await stage.store.vehicles.save(newVehicle({ setupStatus: 'PENDING', atMs: START_MS + 1 }));
      expect(await store().end(running, { to: 'FAILED', detail: '' }, START_MS + 2)).toBe(false);
      expect((await stage.store.vehicles.find('VEH01'))?.setupStatus).toBe('PENDING');
    });
  });
}

const pendingUntil = (dueMs: number) => ({ to: 'PENDING', dueMs, detail: 'It is silent.' }) as const;

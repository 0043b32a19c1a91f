import { describe, expect, test } from 'vitest';
import {
  BOX_ID,
  ingestBatch,
  newVehicle,
  OTHER_BOX_ID,
  START_MS,
  type TestStore,
} from '../support/store/store-rows.ts';

/** The behaviour of a store for what metrics and health ask. */
export function censusContract(stage: TestStore): void {
  describe('census', () => {
    const count = () => stage.store.census.count();
    const connect = async (boxId: string, open: boolean) => {
      const change = await stage.change({ boxId, connection: { counter: 1, open } });
      expect((await stage.store.ingest.commit(ingestBatch({ boxes: [change] }))).stale).toEqual([]);
    };

    test('an empty store counts nothing', async () => {
      expect(await count()).toEqual({ boxesConnected: 0, bulkItemsPending: 0 });
    });

    test('a box is counted while its connection is open', async () => {
      await stage.store.vehicles.save(newVehicle());
      await stage.store.vehicles.save(newVehicle({ id: 'VEH02', boxId: OTHER_BOX_ID }));
      expect(await count()).toMatchObject({ boxesConnected: 0 });
      await connect(BOX_ID, true);
      expect(await count()).toMatchObject({ boxesConnected: 1 });
      await connect(OTHER_BOX_ID, true);
      await connect(BOX_ID, false);
      await stage.crash();
      expect(await count()).toMatchObject({ boxesConnected: 1 });
    });

    test('a vehicle of a bulk job is counted until it has a result', async () => {
      const vehicleIds = ['VEH01', 'VEH02'];
      for (const [index, boxId] of [BOX_ID, OTHER_BOX_ID].entries())
        await stage.store.vehicles.save(newVehicle({ id: vehicleIds[index] ?? '', boxId }));
      await stage.store.bulk.create(
        {
          id: 'J1',
          fleetId: 'FLEET1',
          flowId: '6a0f5a8e-0000-4000-8000-000000000003',
          vehicleIds,
          features: { 'parking-events': null },
          createdMs: START_MS,
          expiresMs: START_MS + 3_600_000,
        },
        { jobs: 10, vehicles: 10 },
      );
      expect(await count()).toMatchObject({ bulkItemsPending: 2 });
      const [due] = await stage.store.bulk.lease({ nowMs: START_MS, leaseMs: 30_000, limit: 1 });
      if (due === undefined) throw new Error('none is due');
      const { jobId, position, attempt } = due;
      expect(await count()).toMatchObject({ bulkItemsPending: 2 });
      await stage.store.bulk.finish([{ jobId, position, attempt, outcome: 'applied' }], START_MS + 1);
      expect(await count()).toMatchObject({ bulkItemsPending: 1 });
    });

    test('writes can be probed again and again, and nothing is counted for it', async () => {
      await stage.store.census.probe(START_MS);
      await stage.store.census.probe(START_MS + 1);
      await stage.crash();
      await stage.store.census.probe(START_MS);
      expect(await count()).toEqual({ boxesConnected: 0, bulkItemsPending: 0 });
    });
  });
}

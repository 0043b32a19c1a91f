import { describe, expect, test } from 'vitest';
import { BoxTaken } from '../../backend/store/port/vehicle-store.ts';
import {
  BOX_ID,
  ingestBatch,
  newVehicle,
  OTHER_BOX_ID,
  START_MS,
  type TestStore,
} from '../support/store/store-rows.ts';

/** The behaviour of a store for clients and vehicles. */
export function vehiclesContract(stage: TestStore): void {
  describe('access', () => {
    test('a client is found as it was saved, replaced by its id, and missing once deleted', async () => {
      const client = {
        id: 'c1',
        fleetId: 'FLEET1',
        secretHash: 's1',
        permissions: ['vehicles'],
        redirectUris: [],
        createdMs: START_MS,
      };
      await stage.store.access.saveFleet({ id: 'FLEET1', name: 'One' });
      await stage.store.access.saveFleet({ id: 'FLEET1', name: 'One again' });
      await stage.store.access.saveClient(client);
      expect(await stage.store.access.findClient('c1')).toEqual(client);
      await stage.store.access.saveClient({ ...client, permissions: ['vehicles.ro', 'vehicle-commands'] });
      expect((await stage.store.access.findClient('c1'))?.permissions).toEqual([
        'vehicles.ro',
        'vehicle-commands',
      ]);
      await stage.store.access.deleteClient('c1');
      expect(await stage.store.access.findClient('c1')).toBeUndefined();
    });
  });

  describe('vehicles', () => {
    test('an onboarded vehicle is found by its id, with nothing reported by the box yet', async () => {
      await stage.store.vehicles.save(newVehicle());
      const found = await stage.store.vehicles.find('VEH01');
      expect(found).toEqual({
        id: 'VEH01',
        fleetId: 'FLEET1',
        boxId: BOX_ID,
        maker: undefined,
        sim: undefined,
        sharedWith: undefined,
        customFields: {},
        maintenance: false,
        operationStatus: { value: 'OPERATING', modifiedMs: START_MS },
        rentalStatus: { value: 'NOT_IN_RENTAL', modifiedMs: START_MS },
        setupDetail: '',
        revision: 1,
        model: 'petrol-compact',
        setupStatus: 'SUCCEEDED',
        masterData: { vin: 'WVWZZZ1JZXW000001', license_plate: 'B-AB 123', year_of_production: 2024 },
        tags: ['pool'],
        createdMs: START_MS,
        modifiedMs: START_MS,
        box: {
          generation: 2,
          firmware: undefined,
          hardwareRevision: undefined,
          connection: undefined,
          notReadyUntilMs: undefined,
          lastContactMs: undefined,
          journal: { epoch: 0, contiguous: 0, ranges: [], setUpAt: 0 },
        },
        state: {},
        stateText: '{}',
      });
      expect(await stage.store.vehicles.find('VEH02')).toBeUndefined();
    });

    test('saving again replaces what people entered and keeps what the box has reported', async () => {
      await stage.store.vehicles.save(newVehicle());
      const journal = { epoch: 7, contiguous: 3, ranges: [[5, 6]] as const };
      await stage.store.ingest.commit(
        ingestBatch({ boxes: [await stage.change({ generation: 1, journal, lastContactMs: START_MS + 5 })] }),
      );
      await stage.store.vehicles.save(newVehicle({ setupStatus: 'FAILED', tags: [], atMs: START_MS + 9 }));
      const found = await stage.store.vehicles.find('VEH01');
      expect(found).toMatchObject({
        setupStatus: 'FAILED',
        tags: [],
        createdMs: START_MS,
        modifiedMs: START_MS + 9,
      });
      expect(found?.box).toMatchObject({ generation: 1, journal, lastContactMs: START_MS + 5 });
    });

    test('a box of another vehicle is refused and nothing of the call is written', async () => {
      await stage.store.vehicles.save(newVehicle());
      await expect(stage.store.vehicles.save(newVehicle({ id: 'VEH02' }))).rejects.toBeInstanceOf(BoxTaken);
      expect(await stage.store.vehicles.find('VEH02')).toBeUndefined();
    });

    test('a box that left its vehicle is in stock, and a commit based on the earlier state is stale', async () => {
      await stage.store.vehicles.save(newVehicle());
      const old = await stage.change({ lastContactMs: START_MS });
      await stage.store.vehicles.save(newVehicle({ boxId: OTHER_BOX_ID }));
      const shelved = (await stage.store.ingest.load([BOX_ID])).get(BOX_ID);
      expect(shelved).toMatchObject({ vehicle: { id: '', model: '', setupStatus: 'PENDING', state: {} } });
      expect((await stage.store.ingest.load(['0000000000000000'])).size).toBe(0);
      expect(await stage.store.ingest.commit(ingestBatch({ boxes: [old] }))).toEqual({
        stale: [BOX_ID],
        settled: [],
      });
    });

    test('a list contains the fleet by id, after the given id, no more than requested', async () => {
      for (const number of [3, 1, 2, 4]) {
        const id = `VEH0${number}`;
        await stage.store.vehicles.save(newVehicle({ id, boxId: `000000000000000${number}` }));
      }
      await stage.store.vehicles.save(newVehicle({ id: 'ALIEN', fleetId: 'FLEET2', boxId: OTHER_BOX_ID }));
      const page = async (afterId: string | undefined, limit: number) =>
        (
          await stage.store.vehicles.list({
            fleetId: 'FLEET1',
            afterId,
            limit,
            search: undefined,
            tag: undefined,
          })
        ).map((vehicle) => vehicle.id);
      expect(await page(undefined, 3)).toEqual(['VEH01', 'VEH02', 'VEH03']);
      expect(await page('VEH03', 3)).toEqual(['VEH04']);
      expect(await page('VEH04', 3)).toEqual([]);
    });

    test.each([
      ['veh01', ['VEH01']],
      ['zzz1j', ['VEH01']],
      ['b-ab', ['VEH01']],
      ['Dienst', ['VEH02']],
      ['00B2', ['VEH02']],
      ['%', []],
      ['_', []],
    ])(
      'a search for %j finds %j: id, VIN, plate, name, box id, in any case, no wildcards',
      async (search, expected) => {
        await stage.store.vehicles.save(newVehicle());
        await stage.store.vehicles.save(
          newVehicle({
            id: 'VEH02',
            boxId: OTHER_BOX_ID,
            masterData: { custom_name: 'Dienstwagen', vin: null },
          }),
        );
        const found = await stage.store.vehicles.list({
          fleetId: 'FLEET1',
          afterId: undefined,
          limit: 10,
          search,
          tag: undefined,
        });
        expect(found.map((vehicle) => vehicle.id)).toEqual(expected);
      },
    );

    test('a tag finds the vehicles that have exactly this tag', async () => {
      await stage.store.vehicles.save(newVehicle({ tags: ['pool', 'berlin'] }));
      await stage.store.vehicles.save(newVehicle({ id: 'VEH02', boxId: OTHER_BOX_ID, tags: ['pool-2'] }));
      const found = await stage.store.vehicles.list({
        fleetId: 'FLEET1',
        afterId: undefined,
        limit: 10,
        search: undefined,
        tag: 'pool',
      });
      expect(found.map((vehicle) => vehicle.id)).toEqual(['VEH01']);
    });
  });
}

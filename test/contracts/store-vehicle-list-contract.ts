import { describe, expect, test } from 'vitest';
import {
  BOX_ID,
  linkMakerVehicle,
  newVehicle,
  OTHER_BOX_ID,
  START_MS,
  type TestStore,
} from '../support/store/store-rows.ts';

/** What lists of vehicles find, where databases compare texts in ways of their own. */
export function vehicleListContract(stage: TestStore): void {
  async function idsOf(query: {
    readonly search?: string;
    readonly tag?: string;
    readonly fleetId?: string;
  }) {
    const { fleetId = 'FLEET1', search, tag } = query;
    const found = await stage.store.vehicles.list({ fleetId, afterId: undefined, limit: 10, search, tag });
    return found.map(({ id }) => id);
  }

  describe('lists of vehicles', () => {
    test('are in the order of the bytes of their ids', async () => {
      for (const [index, id] of ['b', 'B', 'a_', 'a1', 'Z'].entries())
        await stage.store.vehicles.save(newVehicle({ id, boxId: `00000000000000d${index}`, masterData: {} }));
      expect(await idsOf({})).toEqual(['B', 'Z', 'a1', 'a_', 'b']);
    });

    test.each([
      ['über', ['VEH01']],
      ['ÜBER', ['VEH01']],
      ['straSSe', []],
      ['straße', ['VEH01']],
    ])("of an owner: %j is found in any case of Unicode's letters: %j", async (search, expected) => {
      await stage.store.vehicles.save(newVehicle({ masterData: { custom_name: 'Über-Straße' } }));
      expect(await idsOf({ search })).toEqual(expected);
    });

    test.each([
      ['b-üÄ', []],
      ['b-Ü', []],
      ['ü-ab', []],
      ['-ab 1', ['VEH01']],
      ['ä', ['VEH01']],
    ])('of a partner: %j is found in any case of ASCII letters alone: %j', async (search, expected) => {
      await stage.store.vehicles.save(newVehicle({ masterData: { license_plate: 'B-Üä-AB 1' } }));
      await stage.store.vehicles.change('VEH01', { sharedWith: 'FLEET2' }, undefined, START_MS);
      expect(await idsOf({ fleetId: 'FLEET2', search })).toEqual(expected);
    });

    test('are not searched for what no answer shows: the id of a vehicle at its maker', async () => {
      await linkMakerVehicle(stage.store.vehicles, {
        id: 'VEH01',
        fleetId: 'FLEET1',
        model: 'electric-estate',
        setupStatus: 'SUCCEEDED',
        telematics: { maker: { name: 'northwind', vehicleId: 'car_1' } },
        masterData: { vin: 'WVWZZZ1JZXW000001' },
        customFields: {},
        tags: [],
        atMs: START_MS,
      });
      expect(await idsOf({ search: 'car_1' })).toEqual([]);
      expect(await idsOf({ search: 'ZXW000001' })).toEqual(['VEH01']);
      await stage.store.vehicles.change('VEH01', { masterData: { vin: 'OTHER' } }, undefined, START_MS);
      expect(await idsOf({ search: 'car' })).toEqual([]);
      expect(await idsOf({ search: 'other' })).toEqual(['VEH01']);
    });

    test.each([',', '","', '[', '"', '\\', "'", 'pool'])(
      'a tag is found as it is, whatever it means in JSON: %j',
      async (tag) => {
        await stage.store.vehicles.save(newVehicle({ tags: [tag] }));
        await stage.store.vehicles.save(
          newVehicle({ id: 'VEH02', boxId: OTHER_BOX_ID, tags: ['a', 'b', 'c'] }),
        );
        expect(await idsOf({ tag })).toEqual(['VEH01']);
      },
    );

    test('a text that is not well-formed Unicode hinders no list', async () => {
      const broken = { license_plate: 'x\ud800', custom_name: 'y\0' };
      await stage.store.vehicles.save(newVehicle({ masterData: broken, tags: ['x\ud800'] }));
      await stage.store.vehicles.saveUnit({
        boxId: OTHER_BOX_ID,
        fleetId: 'FLEET1',
        boxSecretHash: 'hash',
        generation: 2,
        sim: undefined,
      });
      const created = { id: 'VEH02', fleetId: 'FLEET1', model: 'estate', setupStatus: 'PENDING' } as const;
      const said = { masterData: broken, customFields: { note: '\ud800\0' }, tags: ['\0'], atMs: START_MS };
      expect(
        await stage.store.vehicles.create({ ...created, ...said, telematics: { boxId: OTHER_BOX_ID } }),
      ).toBe('created');
      await stage.store.vehicles.change('VEH01', { tags: ['z\ud800', 'pool'] }, undefined, START_MS);
      await stage.store.vehicles.change('VEH01', { sharedWith: 'FLEET2' }, undefined, START_MS);
      expect(await idsOf({ tag: 'pool' })).toEqual(['VEH01']);
      expect(await idsOf({ search: BOX_ID, fleetId: 'FLEET2' })).toEqual(['VEH01']);
    });
  });
}

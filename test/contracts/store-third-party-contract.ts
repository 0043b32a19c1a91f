import { beforeEach, describe, expect, test } from 'vitest';
import type { ThirdPartyChange } from '../../backend/store/port/third-party-store.ts';
import type { CreatedVehicle } from '../../backend/store/port/vehicle-store.ts';
import {
  linkMakerVehicle,
  newVehicle,
  openCommand,
  outgoingMessage,
  START_MS,
  type TestStore,
} from '../support/store/store-rows.ts';

const MAKER = 'northwind';

function linkedVehicle(id: string, makerVehicleId: string): CreatedVehicle {
  return {
    id,
    fleetId: 'FLEET1',
    telematics: { maker: { name: MAKER, vehicleId: makerVehicleId } },
    model: 'electric-estate',
    setupStatus: 'SUCCEEDED',
    masterData: {},
    customFields: {},
    tags: [],
    atMs: START_MS,
  };
}

const inOrder = (one: string, other: string) => (one < other ? -1 : 1);

/** The behaviour of a store for vehicles with a maker's cloud. */
export function thirdPartyContract(stage: TestStore): void {
  describe('third party', () => {
    beforeEach(async () => {
      await linkMakerVehicle(stage.store.vehicles, linkedVehicle('VEH01', 'car_1'));
    });

    const found = async () => {
      const linked = await stage.store.thirdParty.findLinked(MAKER, 'car_1');
      if (linked === undefined) throw new Error('not linked');
      return linked;
    };
    const commit = async (change: Partial<ThirdPartyChange>) =>
      stage.store.thirdParty.commit({
        vehicleId: 'VEH01',
        version: (await found()).version,
        atMs: START_MS,
        ...change,
      });
    const claim = (nowMs: number, limit = 10) =>
      stage.store.thirdParty.claim({ makers: [MAKER], nowMs, leasedUntilMs: nowMs + 30_000, limit });
    const doors = { doors_status: { timestampMs: START_MS, value: 'OPEN', epoch: 0, sequence: START_MS } };

    test('finds the linked vehicle, and none of another maker or identifier', async () => {
      expect(await found()).toMatchObject({ vehicle: { id: 'VEH01', boxId: undefined }, takenMs: undefined });
      expect(await stage.store.thirdParty.findLinked(MAKER, 'car_2')).toBeUndefined();
      expect(await stage.store.thirdParty.findLinked('other', 'car_1')).toBeUndefined();
    });

    test('commits state, contact and message together, and they survive a crash', async () => {
      expect(
        await commit({
          takenMs: START_MS - 5,
          lastContactMs: START_MS - 5,
          state: doors,
          message: outgoingMessage('M1'),
        }),
      ).toBe('written');
      await stage.crash();
      const { vehicle, takenMs } = await found();
      expect(takenMs).toBe(START_MS - 5);
      expect(vehicle.state).toEqual(doors);
      expect(vehicle.box.lastContactMs).toBe(START_MS - 5);
      const rows = await stage.store.outbox.next({ afterPosition: 0, limit: 10 });
      expect(rows.map((row) => row.messageId)).toEqual(['M1']);
    });

    test('refuses a change based on an older version completely', async () => {
      const { version } = await found();
      expect(await commit({ version, takenMs: START_MS })).toBe('written');
      expect(
        await commit({ version, takenMs: START_MS + 1, state: doors, message: outgoingMessage('M2') }),
      ).toBe('stale');
      expect((await found()).vehicle.state).toEqual({});
      expect(await stage.store.outbox.size()).toMatchObject({ messages: 0 });
    });

    test('is stale once the vehicle is removed', async () => {
      const { version } = await found();
      await stage.store.vehicles.remove('VEH01');
      expect(
        await stage.store.thirdParty.commit({
          vehicleId: 'VEH01',
          version,
          atMs: START_MS,
          message: outgoingMessage('M1'),
        }),
      ).toBe('stale');
      expect(await stage.store.outbox.size()).toMatchObject({ messages: 0 });
    });

    test('is busy while a command is open, except for its answer, which settles it', async () => {
      const command = openCommand('R1', { boxId: undefined });
      expect(await stage.store.commands.open(command)).toBe('opened');
      expect(await commit({ takenMs: START_MS, message: outgoingMessage('M1') })).toBe('busy');
      expect(await commit({ takenMs: START_MS, message: outgoingMessage('M1'), requestId: 'R1' })).toBe(
        'written',
      );
      expect(await stage.store.commands.find('R1')).toMatchObject({ outcome: 'done', boxId: undefined });
      expect(await commit({ takenMs: START_MS + 1 })).toBe('written');
    });

    test('is no longer busy once the command has expired', async () => {
      await stage.store.commands.open(openCommand('R1', { boxId: undefined }));
      expect(await commit({ atMs: START_MS + 19_999 })).toBe('busy');
      expect(await commit({ atMs: START_MS + 20_000 })).toBe('written');
    });

    test('stores why a maker refused, and allows the next command', async () => {
      await stage.store.commands.open(openCommand('R1', { boxId: undefined }));
      await stage.store.thirdParty.refuse('R1', 'failed', 'status 500', START_MS + 1);
      expect(await stage.store.commands.find('R1')).toMatchObject({
        outcome: 'failed',
        error: 'status 500',
        settledMs: START_MS + 1,
      });
      expect(await stage.store.commands.open(openCommand('R2', { boxId: undefined }))).toBe('opened');
    });

    test('gives a due vehicle to one caller, until its lease ends or it is postponed', async () => {
      await linkMakerVehicle(stage.store.vehicles, linkedVehicle('VEH02', 'car_2'));
      await stage.store.vehicles.save(newVehicle({ id: 'VEH03' }));
      expect((await claim(START_MS, 1)).map((due) => due.vehicleId)).toEqual(['VEH01']);
      expect(await claim(START_MS)).toEqual([
        { vehicleId: 'VEH02', maker: MAKER, makerVehicleId: 'car_2', failures: 0 },
      ]);
      expect(await claim(START_MS + 29_999)).toEqual([]);
      await stage.store.thirdParty.postpone('VEH01', START_MS + 60_000, 2);
      expect((await claim(START_MS + 30_000)).map((due) => due.vehicleId)).toEqual(['VEH02']);
      expect(await stage.store.thirdParty.nextDue([MAKER])).toBe(START_MS + 60_000);
      await stage.crash();
      expect(await claim(START_MS + 60_000)).toMatchObject([
        { vehicleId: 'VEH01', failures: 2 },
        { vehicleId: 'VEH02', failures: 0 },
      ]);
    });

    test('gives each due vehicle to one of several callers at once', async () => {
      for (const number of [2, 3, 4, 5, 6])
        await linkMakerVehicle(stage.store.vehicles, linkedVehicle(`VEH0${number}`, `car_${number}`));
      const claims = await Promise.all([1, 2, 3, 4].map(() => claim(START_MS, 2)));
      const rest = await claim(START_MS);
      expect([...claims.flat(), ...rest].map((due) => due.vehicleId).sort(inOrder)).toEqual(
        [1, 2, 3, 4, 5, 6].map((number) => `VEH0${number}`),
      );
    });

    test('finds a vehicle that was linked meanwhile', async () => {
      await claim(START_MS);
      await linkMakerVehicle(stage.store.vehicles, linkedVehicle('VEH02', 'car_2'));
      expect((await claim(START_MS + 10_000)).map((due) => due.vehicleId)).toEqual(['VEH02']);
    });

    test('returns only the requested makers, and no removed vehicles', async () => {
      expect(
        await stage.store.thirdParty.claim({
          makers: ['other'],
          nowMs: START_MS,
          leasedUntilMs: START_MS,
          limit: 9,
        }),
      ).toEqual([]);
      expect(await stage.store.thirdParty.nextDue(['other'])).toBeUndefined();
      await stage.store.vehicles.remove('VEH01');
      expect(await claim(START_MS)).toEqual([]);
      expect(await stage.store.thirdParty.nextDue([MAKER])).toBeUndefined();
    });
  });
}

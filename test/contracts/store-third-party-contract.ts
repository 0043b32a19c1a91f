import { beforeEach, describe, expect, test } from 'vitest';
import type { CreatedVehicle } from '../../backend/store/onboarding.ts';
import type { ThirdPartyChange } from '../../backend/store/third-party-store.ts';
import { message, newVehicle, openCommand, type StoreStage, T } from './store-kit.ts';

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
    atMs: T,
  };
}

/** What every fulfilment of the store does for vehicles behind makers' clouds. */
export function thirdPartyContract(stage: StoreStage): void {
  describe('third party', () => {
    beforeEach(async () => {
      await stage.store.vehicles.create(linkedVehicle('VEH01', 'car_1'));
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
        atMs: T,
        ...change,
      });
    const claim = (nowMs: number, limit = 10) =>
      stage.store.thirdParty.claim({ makers: [MAKER], nowMs, leasedUntilMs: nowMs + 30_000, limit });
    const doors = { doors_status: { timestampMs: T, value: 'OPEN', epoch: 0, sequence: T } };

    test('finds the vehicle that is linked, and none of another maker or identifier', async () => {
      expect(await found()).toMatchObject({ vehicle: { id: 'VEH01', boxId: undefined }, takenMs: undefined });
      expect(await stage.store.thirdParty.findLinked(MAKER, 'car_2')).toBeUndefined();
      expect(await stage.store.thirdParty.findLinked('other', 'car_1')).toBeUndefined();
    });

    test('commits state, contact and message together, and they outlive a crash', async () => {
      expect(
        await commit({ takenMs: T - 5, lastContactMs: T - 5, state: doors, message: message('M1') }),
      ).toBe('written');
      await stage.crash();
      const { vehicle, takenMs } = await found();
      expect(takenMs).toBe(T - 5);
      expect(vehicle.state).toEqual(doors);
      expect(vehicle.box.lastContactMs).toBe(T - 5);
      const rows = await stage.store.outbox.next({ afterPosition: 0, limit: 10 });
      expect(rows.map((row) => row.messageId)).toEqual(['M1']);
    });

    test('refuses a change upon an older version, whole', async () => {
      const { version } = await found();
      expect(await commit({ version, takenMs: T })).toBe('written');
      expect(await commit({ version, takenMs: T + 1, state: doors, message: message('M2') })).toBe('stale');
      expect((await found()).vehicle.state).toEqual({});
      expect(await stage.store.outbox.size()).toMatchObject({ messages: 0 });
    });

    test('is stale once the vehicle is gone', async () => {
      const { version } = await found();
      await stage.store.vehicles.remove('VEH01');
      expect(
        await stage.store.thirdParty.commit({ vehicleId: 'VEH01', version, atMs: T, message: message('M1') }),
      ).toBe('stale');
      expect(await stage.store.outbox.size()).toMatchObject({ messages: 0 });
    });

    test('is busy while a command is open, but for its answer, which settles it', async () => {
      const command = openCommand('R1', { boxId: undefined });
      expect(await stage.store.commands.open(command)).toBe('opened');
      expect(await commit({ takenMs: T, message: message('M1') })).toBe('busy');
      expect(await commit({ takenMs: T, message: message('M1'), requestId: 'R1' })).toBe('written');
      expect(await stage.store.commands.find('R1')).toMatchObject({ outcome: 'done', boxId: undefined });
      expect(await commit({ takenMs: T + 1 })).toBe('written');
    });

    test('is not busy any more once the command is past its expiry', async () => {
      await stage.store.commands.open(openCommand('R1', { boxId: undefined }));
      expect(await commit({ atMs: T + 19_999 })).toBe('busy');
      expect(await commit({ atMs: T + 20_000 })).toBe('written');
    });

    test('writes down why a maker refused, and lets the next command begin', async () => {
      await stage.store.commands.open(openCommand('R1', { boxId: undefined }));
      await stage.store.thirdParty.refuse('R1', 'failed', 'status 500', T + 1);
      expect(await stage.store.commands.find('R1')).toMatchObject({
        outcome: 'failed',
        error: 'status 500',
        settledMs: T + 1,
      });
      expect(await stage.store.commands.open(openCommand('R2', { boxId: undefined }))).toBe('opened');
    });

    test('hands a due vehicle to one, until its lease ends or it is postponed', async () => {
      await stage.store.vehicles.create(linkedVehicle('VEH02', 'car_2'));
      await stage.store.vehicles.save(newVehicle({ id: 'VEH03' }));
      expect((await claim(T, 1)).map((due) => due.vehicleId)).toEqual(['VEH01']);
      expect(await claim(T)).toEqual([
        { vehicleId: 'VEH02', maker: MAKER, makerVehicleId: 'car_2', failures: 0 },
      ]);
      expect(await claim(T + 29_999)).toEqual([]);
      await stage.store.thirdParty.postpone('VEH01', T + 60_000, 2);
      expect((await claim(T + 30_000)).map((due) => due.vehicleId)).toEqual(['VEH02']);
      expect(await stage.store.thirdParty.nextDue([MAKER])).toBe(T + 60_000);
      await stage.crash();
      expect(await claim(T + 60_000)).toMatchObject([
        { vehicleId: 'VEH01', failures: 2 },
        { vehicleId: 'VEH02', failures: 0 },
      ]);
    });

    test('looks at what is due, not at all vehicles, however often it is asked', async () => {
      for (let index = 0; index < 2_000; index += 1)
        await stage.store.vehicles.create(linkedVehicle(`V${10_000 + index}`, `other_${index}`));
      const costMs = async (timesMs: readonly number[]) => {
        const beganMs = performance.now();
        for (const nowMs of timesMs) await claim(nowMs);
        return (performance.now() - beganMs) / timesMs.length;
      };
      await claim(T, 9_999);
      // Now and then it looks at all of them; in between nothing is due, and so it costs next to nothing.
      const allMs = await costMs([T + 6_000, T + 12_000, T + 18_000, T + 24_000]);
      expect(await costMs(Array(200).fill(T + 24_001))).toBeLessThan(allMs / 5);
    });

    test('finds a vehicle that was linked while it went on', async () => {
      await claim(T);
      await stage.store.vehicles.create(linkedVehicle('VEH02', 'car_2'));
      expect((await claim(T + 10_000)).map((due) => due.vehicleId)).toEqual(['VEH02']);
    });

    test('knows only the makers that are asked for, and forgets vehicles that are gone', async () => {
      expect(
        await stage.store.thirdParty.claim({ makers: ['other'], nowMs: T, leasedUntilMs: T, limit: 9 }),
      ).toEqual([]);
      expect(await stage.store.thirdParty.nextDue(['other'])).toBeUndefined();
      await stage.store.vehicles.remove('VEH01');
      expect(await claim(T)).toEqual([]);
      expect(await stage.store.thirdParty.nextDue([MAKER])).toBeUndefined();
    });
  });
}

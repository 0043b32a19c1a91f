import { describe, expect, test } from 'vitest';
import type { CreatedVehicle, Unit } from '../../backend/store/onboarding.ts';
import { BOX, batch, KEY, newVehicle, OTHER_BOX, openCommand, type StoreStage, T } from './store-kit.ts';

const SIM = { provider: 'meridian', iccid: '8949000000000000001' };

function unit(change: Partial<Unit> = {}): Unit {
  return { boxId: BOX, fleetId: 'FLEET1', boxSecretHash: 'hash', generation: 2, sim: SIM, ...change };
}

function created(change: Partial<CreatedVehicle> = {}): CreatedVehicle {
  return {
    id: 'VEH01',
    fleetId: 'FLEET1',
    telematics: { boxId: BOX },
    model: 'petrol-compact',
    setupStatus: 'PENDING',
    masterData: { vin: 'WVWZZZ1JZXW000001' },
    customFields: { a: '1' },
    tags: ['pool'],
    atMs: T,
    ...change,
  };
}

const MAKER = { maker: { name: 'northwind', vehicleId: 'NW-1' } };

/** What a store must do with boxes in stock, and with vehicles that come, change and go. */
export function stockContract(stage: StoreStage): void {
  const vehicles = () => stage.store.vehicles;

  describe('boxes in stock', () => {
    test('a box is found as it was saved, and with its vehicle once it has one', async () => {
      expect(await vehicles().findUnit(BOX)).toBeUndefined();
      await vehicles().saveUnit(unit());
      expect(await vehicles().findUnit(BOX)).toEqual({ ...unit(), vehicleId: undefined });
      await vehicles().saveUnit(unit({ sim: undefined, boxSecretHash: 'new' }));
      expect(await vehicles().findUnit(BOX)).toMatchObject({ sim: undefined, boxSecretHash: 'new' });
      await vehicles().create(created());
      expect((await vehicles().findUnit(BOX))?.vehicleId).toBe('VEH01');
    });

    test('a vehicle keeps the box that is said to be in another stock, until it is offboarded', async () => {
      await vehicles().saveUnit(unit());
      await vehicles().create(created());
      await vehicles().saveUnit(unit({ fleetId: 'FLEET2' }));
      expect(await vehicles().findUnit(BOX)).toMatchObject({ fleetId: 'FLEET1', vehicleId: 'VEH01' });
      expect(await vehicles().remove('VEH01')).toBe('removed');
      await vehicles().saveUnit(unit({ fleetId: 'FLEET2' }));
      expect(await vehicles().create(created())).toBe('unit-unknown');
      expect(await vehicles().create(created({ fleetId: 'FLEET2' }))).toBe('created');
    });
  });

  describe('vehicles that come and go', () => {
    test.each([
      ['id-taken', created({ telematics: { boxId: OTHER_BOX }, masterData: {} })],
      ['unit-unknown', created({ id: 'VEH02', telematics: { boxId: '00000000000000c3' } })],
      ['unit-unknown', created({ id: 'VEH02', fleetId: 'FLEET2', telematics: { boxId: OTHER_BOX } })],
      ['unit-taken', created({ id: 'VEH02', masterData: {} })],
      ['vin-taken', created({ id: 'VEH02', telematics: { boxId: OTHER_BOX } })],
      ['maker-vehicle-taken', created({ id: 'VEH02', telematics: MAKER, masterData: {} })],
    ] as const)('%s: nothing of the call is written', async (outcome, wanted) => {
      await vehicles().saveUnit(unit());
      await vehicles().saveUnit(unit({ boxId: OTHER_BOX }));
      await vehicles().create(created());
      await vehicles().create(created({ id: 'VEH03', telematics: MAKER, masterData: {} }));
      const box = await stage.known(OTHER_BOX);
      expect(await vehicles().create(wanted)).toBe(outcome);
      expect(await vehicles().find('VEH02')).toBeUndefined();
      expect(await stage.known(OTHER_BOX)).toEqual(box);
    });

    test("a maker's vehicle has no box and has told nothing", async () => {
      expect(await vehicles().create(created({ telematics: MAKER, setupStatus: 'SUCCEEDED' }))).toBe(
        'created',
      );
      expect(await vehicles().find('VEH01')).toMatchObject({
        boxId: undefined,
        maker: MAKER.maker,
        sim: undefined,
        box: { firmware: undefined, connection: undefined, lastContactMs: undefined },
        state: {},
      });
    });

    test('a box that comes into its next vehicle brings its journal along and nothing that it told', async () => {
      await vehicles().saveUnit(unit());
      await vehicles().create(created({ setupStatus: 'SUCCEEDED' }));
      const journal = { epoch: 7, contiguous: 9, ranges: [], setUpAt: 4 };
      const state = { ignition: { timestampMs: T, value: 'ON', epoch: 7, sequence: 9 } };
      const change = await stage.change({ journal, state, lastContactMs: T });
      await stage.store.ingest.commit(batch({ boxes: [change] }));
      expect((await vehicles().find('VEH01'))?.state).toEqual(state);
      const known = await stage.change({ lastContactMs: T + 1 });
      expect(await vehicles().remove('VEH01')).toBe('removed');
      // What was decided upon the old vehicle is void.
      expect((await stage.store.ingest.commit(batch({ boxes: [known] }))).stale).toEqual([BOX]);
      expect(await vehicles().create(created({ id: 'VEH02' }))).toBe('created');
      const found = await vehicles().find('VEH02');
      expect(found).toMatchObject({ state: {}, sim: SIM, setupStatus: 'PENDING' });
      expect(found?.box.journal).toEqual({ epoch: 7, contiguous: 9, ranges: [] });
    });

    test('one that is shared, or has another revision, is not removed', async () => {
      await vehicles().saveUnit(unit());
      await vehicles().create(created());
      expect(await vehicles().remove('VEH01', 9)).toBe('modified');
      await vehicles().change('VEH01', { sharedWith: 'FLEET2' }, undefined, T);
      expect(await vehicles().remove('VEH01', 2)).toBe('shared');
      expect(await vehicles().remove('VEH02')).toBe('missing');
      expect((await vehicles().find('VEH01'))?.revision).toBe(2);
    });
  });

  describe('changes of vehicles', () => {
    test('what is named changes, the rest stays, and the revision rises by one', async () => {
      await vehicles().save(newVehicle());
      const before = await vehicles().find('VEH01');
      const after = await vehicles().change(
        'VEH01',
        {
          tags: ['x'],
          operationStatus: 'GARAGE',
          rentalStatus: 'NOT_IN_RENTAL',
          sharedWith: 'FLEET2',
          maintenance: true,
        },
        1,
        T + 5,
      );
      expect(after).toEqual({
        ...before,
        tags: ['x'],
        maintenance: true,
        operationStatus: { value: 'GARAGE', modifiedMs: T + 5 },
        sharedWith: 'FLEET2',
        revision: 2,
        modifiedMs: T + 5,
      });
      expect(await vehicles().find('VEH01')).toEqual(after);
      expect(await vehicles().change('VEH01', { tags: [] }, 1, T + 6)).toBe('modified');
      expect(await vehicles().change('VEH02', { tags: [] }, undefined, T + 6)).toBe('missing');
      expect(await vehicles().change('VEH01', { sharedWith: null }, 2, T + 6)).toMatchObject({
        sharedWith: undefined,
        revision: 3,
      });
    });

    test('a setup begins and ends without the revision', async () => {
      await vehicles().save(newVehicle({ setupStatus: 'PENDING' }));
      await stage.store.ingest.commit(
        batch({
          boxes: [await stage.change({ connection: { counter: 1, open: true }, notReadyUntilMs: null })],
        }),
      );
      const { setup } = stage.store;
      const [due] = await setup.due({ nowMs: T, limit: 1 });
      const begun = due === undefined ? undefined : await setup.begin(due, T + 5, T);
      expect(await vehicles().find('VEH01')).toMatchObject({ setupStatus: 'RUNNING', revision: 1 });
      if (begun !== undefined) await setup.end(begun, { to: 'FAILED', detail: 'It is silent.' }, T + 5);
      const failed = { setupStatus: 'FAILED', setupDetail: 'It is silent.', revision: 1 };
      expect(await vehicles().find('VEH01')).toMatchObject(failed);
    });

    test('what ingest decided before a change is void', async () => {
      await vehicles().save(newVehicle());
      const old = await stage.change({ lastContactMs: T });
      await vehicles().change('VEH01', { sharedWith: 'FLEET2' }, undefined, T);
      expect((await stage.store.ingest.commit(batch({ boxes: [old] }))).stale).toEqual([BOX]);
    });

    test('a list has own and shared vehicles in one order, each filter on both', async () => {
      const ids = ['VEH01', 'VEH02', 'VEH03', 'VEH04'];
      for (const [index, id] of ids.entries()) {
        const fleetId = index % 2 === 0 ? 'FLEET1' : 'FLEET2';
        await vehicles().save(newVehicle({ id, fleetId, boxId: `00000000000000d${index}`, masterData: {} }));
      }
      await vehicles().change('VEH02', { sharedWith: 'FLEET1', operationStatus: 'GARAGE' }, undefined, T);
      const list = async (query: object) =>
        (
          await vehicles().list({
            fleetId: 'FLEET1',
            afterId: undefined,
            limit: 10,
            search: undefined,
            tag: undefined,
            ...query,
          })
        ).map(({ id }) => id);
      expect(await list({})).toEqual(['VEH01', 'VEH02', 'VEH03']);
      expect(await list({ limit: 2 })).toEqual(['VEH01', 'VEH02']);
      expect(await list({ afterId: 'VEH01', limit: 1 })).toEqual(['VEH02']);
      expect(await list({ operationStatus: 'GARAGE' })).toEqual(['VEH02']);
      expect(await list({ search: 'veh02' })).toEqual(['VEH02']);
      expect(await list({ fleetId: 'FLEET2' })).toEqual(['VEH02', 'VEH04']);
    });
  });

  describe("a box's answer to its setup", () => {
    test.each([
      ['done', 'SUCCEEDED', ''],
      ['failed', 'FAILED', 'no bus'],
      ['unsupported', 'FAILED', 'The firmware of the telematics unit knows no setup.'],
      ['not-ready', 'RUNNING', ''],
      ['expired', 'RUNNING', ''],
    ] as const)('%s leaves the setup %s, in the commit of the reply', async (outcome, status, detail) => {
      await vehicles().save(newVehicle({ setupStatus: 'RUNNING' }));
      await stage.store.commands.open(openCommand('R1', { command: 'begin-setup' }));
      const known = await stage.change();
      const reply = {
        kind: 'reply',
        requestId: 'R1',
        outcome,
        error: outcome === 'done' ? '' : 'no bus',
      } as const;
      await stage.store.ingest.commit(batch({ replies: [{ reply, boxId: BOX, key: KEY, atMs: T + 3 }] }));
      expect(await vehicles().find('VEH01')).toMatchObject({ setupStatus: status, setupDetail: detail });
      const { stale } = await stage.store.ingest.commit(batch({ boxes: [known] }));
      expect(stale).toEqual(status === 'RUNNING' ? [] : [BOX]);
    });

    test('one of the box that was in the vehicle before sets nothing up', async () => {
      await vehicles().save(newVehicle({ setupStatus: 'RUNNING' }));
      await stage.store.commands.open(openCommand('R1', { command: 'begin-setup' }));
      await vehicles().save(newVehicle({ setupStatus: 'RUNNING', boxId: OTHER_BOX }));
      const reply = { kind: 'reply', requestId: 'R1', outcome: 'done', error: '' } as const;
      await stage.store.ingest.commit(batch({ replies: [{ reply, boxId: BOX, key: KEY, atMs: T + 3 }] }));
      expect((await vehicles().find('VEH01'))?.setupStatus).toBe('RUNNING');
    });
  });
}

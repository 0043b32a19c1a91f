import { describe, expect, test } from 'vitest';
import { writeState } from '../../backend/store/port/state-text.ts';
import type { CreatedVehicle, StockUnit } from '../../backend/store/port/vehicle-store.ts';
import {
  BOX_ID,
  ingestBatch,
  linkMakerVehicle,
  newVehicle,
  OTHER_BOX_ID,
  openCommand,
  REPLY_KEY,
  START_MS,
  type TestStore,
} from '../support/store/store-rows.ts';

const SIM = { provider: 'meridian', iccid: '8949000000000000001' };

function unit(change: Partial<StockUnit> = {}): StockUnit {
  return { boxId: BOX_ID, fleetId: 'FLEET1', boxSecretHash: 'hash', generation: 2, sim: SIM, ...change };
}

function created(change: Partial<CreatedVehicle> = {}): CreatedVehicle {
  return {
    id: 'VEH01',
    fleetId: 'FLEET1',
    telematics: { boxId: BOX_ID },
    model: 'petrol-compact',
    setupStatus: 'PENDING',
    masterData: { vin: 'WVWZZZ1JZXW000001' },
    customFields: { a: '1' },
    tags: ['pool'],
    atMs: START_MS,
    ...change,
  };
}

const MAKER = { maker: { name: 'northwind', vehicleId: 'NW-1' } };
const OTHER_MAKER = { maker: { name: 'northwind', vehicleId: 'NW-2' } };

/** The behaviour of a store for boxes in stock, and for added, changed and removed vehicles. */
export function stockContract(stage: TestStore): void {
  const vehicles = () => stage.store.vehicles;

  describe('boxes in stock', () => {
    test('a box is found as it was saved, and with its vehicle once it has one', async () => {
      expect(await vehicles().findUnit(BOX_ID)).toBeUndefined();
      await vehicles().saveUnit(unit());
      expect(await vehicles().findUnit(BOX_ID)).toEqual({ ...unit(), vehicleId: undefined });
      await vehicles().saveUnit(unit({ sim: undefined, boxSecretHash: 'new' }));
      expect(await vehicles().findUnit(BOX_ID)).toMatchObject({ sim: undefined, boxSecretHash: 'new' });
      await vehicles().create(created());
      expect((await vehicles().findUnit(BOX_ID))?.vehicleId).toBe('VEH01');
    });

    test('a vehicle keeps its box, even if that is saved in another stock, until it is offboarded', async () => {
      await vehicles().saveUnit(unit());
      await vehicles().create(created());
      await vehicles().saveUnit(unit({ fleetId: 'FLEET2' }));
      expect(await vehicles().findUnit(BOX_ID)).toMatchObject({ fleetId: 'FLEET1', vehicleId: 'VEH01' });
      expect(await vehicles().remove('VEH01')).toBe('removed');
      await vehicles().saveUnit(unit({ fleetId: 'FLEET2' }));
      expect(await vehicles().create(created())).toBe('unit-unknown');
      expect(await vehicles().create(created({ fleetId: 'FLEET2' }))).toBe('created');
    });
  });

  describe("makers' vehicles in stock", () => {
    const link = MAKER.maker;

    test("are in one fleet's stock each, and can be moved to another", async () => {
      expect(await vehicles().findMakerUnit(link)).toBeUndefined();
      await vehicles().saveMakerUnit({ link, fleetId: 'FLEET1' });
      expect(await vehicles().findMakerUnit(link)).toEqual({ link, fleetId: 'FLEET1' });
      expect(await vehicles().findMakerUnit({ ...link, name: 'other' })).toBeUndefined();
      await vehicles().saveMakerUnit({ link, fleetId: 'FLEET2' });
      expect(await vehicles().findMakerUnit(link)).toEqual({ link, fleetId: 'FLEET2' });
      expect(await vehicles().create(created({ telematics: MAKER }))).toBe('maker-vehicle-unknown');
    });

    test("stay in the stock of their vehicle's fleet while linked, and after it is offboarded", async () => {
      await linkMakerVehicle(vehicles(), created({ telematics: MAKER }));
      await vehicles().saveMakerUnit({ link, fleetId: 'FLEET2' });
      expect(await vehicles().findMakerUnit(link)).toEqual({ link, fleetId: 'FLEET1' });
      expect(await vehicles().remove('VEH01')).toBe('removed');
      const foreign = created({ fleetId: 'FLEET2', telematics: MAKER, masterData: {} });
      expect(await vehicles().create(foreign)).toBe('maker-vehicle-unknown');
      expect(await vehicles().create(created({ telematics: MAKER }))).toBe('created');
    });
  });

  describe('added and removed vehicles', () => {
    test.each([
      ['id-taken', created({ telematics: { boxId: OTHER_BOX_ID }, masterData: {} })],
      ['unit-unknown', created({ id: 'VEH02', telematics: { boxId: '00000000000000c3' } })],
      ['unit-unknown', created({ id: 'VEH02', fleetId: 'FLEET2', telematics: { boxId: OTHER_BOX_ID } })],
      ['unit-taken', created({ id: 'VEH02', masterData: {} })],
      ['vin-taken', created({ id: 'VEH02', telematics: { boxId: OTHER_BOX_ID } })],
      ['maker-vehicle-taken', created({ id: 'VEH02', telematics: MAKER, masterData: {} })],
      ['maker-vehicle-unknown', created({ id: 'VEH02', telematics: OTHER_MAKER, masterData: {} })],
      [
        'maker-vehicle-unknown',
        created({ id: 'VEH02', fleetId: 'FLEET2', telematics: MAKER, masterData: {} }),
      ],
    ] as const)('%s: nothing of the call is written', async (outcome, wanted) => {
      await vehicles().saveUnit(unit());
      await vehicles().saveUnit(unit({ boxId: OTHER_BOX_ID }));
      await vehicles().create(created());
      await linkMakerVehicle(vehicles(), created({ id: 'VEH03', telematics: MAKER, masterData: {} }));
      const box = await stage.known(OTHER_BOX_ID);
      expect(await vehicles().create(wanted)).toBe(outcome);
      expect(await vehicles().find('VEH02')).toBeUndefined();
      expect(await stage.known(OTHER_BOX_ID)).toEqual(box);
    });

    test("a maker's vehicle has no box and has reported nothing", async () => {
      const linked = created({ telematics: MAKER, setupStatus: 'SUCCEEDED' });
      expect(await linkMakerVehicle(vehicles(), linked)).toBe('created');
      expect(await vehicles().find('VEH01')).toMatchObject({
        boxId: undefined,
        maker: MAKER.maker,
        sim: undefined,
        box: { firmware: undefined, connection: undefined, lastContactMs: undefined },
        state: {},
      });
    });

    test('a box in its next vehicle keeps its journal, but neither what it reported nor where it was set up', async () => {
      await vehicles().saveUnit(unit());
      await vehicles().create(created({ setupStatus: 'SUCCEEDED' }));
      const left = [{ epoch: 6, contiguous: 5, ranges: [], setUpAt: 2 }];
      const journal = { epoch: 7, contiguous: 9, ranges: [], setUpAt: 4, past: [6], left };
      const state = { ignition: { timestampMs: START_MS, value: 'ON', epoch: 7, sequence: 9 } };
      const change = await stage.change({ journal, stateText: writeState(state), lastContactMs: START_MS });
      await stage.store.ingest.commit(ingestBatch({ boxes: [change] }));
      expect((await vehicles().find('VEH01'))?.state).toEqual(state);
      const known = await stage.change({ lastContactMs: START_MS + 1 });
      expect(await vehicles().remove('VEH01')).toBe('removed');
      // A commit that was based on the old vehicle is stale.
      expect((await stage.store.ingest.commit(ingestBatch({ boxes: [known] }))).stale).toEqual([BOX_ID]);
      expect(await vehicles().create(created({ id: 'VEH02' }))).toBe('created');
      const found = await vehicles().find('VEH02');
      expect(found).toMatchObject({ state: {}, sim: SIM, setupStatus: 'PENDING' });
      expect(found?.box.journal).toEqual({ epoch: 7, contiguous: 9, ranges: [], past: [6] });
    });

    test('a vehicle that is shared, or has another revision, is not removed', async () => {
      await vehicles().saveUnit(unit());
      await vehicles().create(created());
      expect(await vehicles().remove('VEH01', 9)).toBe('modified');
      await vehicles().change('VEH01', { sharedWith: 'FLEET2' }, undefined, START_MS);
      expect(await vehicles().remove('VEH01', 2)).toBe('shared');
      expect(await vehicles().remove('VEH02')).toBe('missing');
      expect((await vehicles().find('VEH01'))?.revision).toBe(2);
    });
  });

  describe('changes of vehicles', () => {
    test('named fields change, the others stay, and the revision increases by one', async () => {
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
        START_MS + 5,
      );
      expect(after).toEqual({
        ...before,
        tags: ['x'],
        maintenance: true,
        operationStatus: { value: 'GARAGE', modifiedMs: START_MS + 5 },
        sharedWith: 'FLEET2',
        revision: 2,
        modifiedMs: START_MS + 5,
      });
      expect(await vehicles().find('VEH01')).toEqual(after);
      expect(await vehicles().change('VEH01', { tags: [] }, 1, START_MS + 6)).toBe('modified');
      expect(await vehicles().change('VEH02', { tags: [] }, undefined, START_MS + 6)).toBe('missing');
      expect(await vehicles().change('VEH01', { sharedWith: null }, 2, START_MS + 6)).toMatchObject({
        sharedWith: undefined,
        revision: 3,
      });
    });

    test('the begin and end of a setup do not change the revision', async () => {
      await vehicles().save(newVehicle({ setupStatus: 'PENDING' }));
      await stage.store.ingest.commit(
        ingestBatch({
          boxes: [await stage.change({ connection: { counter: 1, open: true }, notReadyUntilMs: null })],
        }),
      );
      const { setup } = stage.store;
      const [due] = await setup.due({ nowMs: START_MS, limit: 1 });
      const begun = due === undefined ? undefined : await setup.begin(due, START_MS + 5, START_MS);
      expect(await vehicles().find('VEH01')).toMatchObject({ setupStatus: 'RUNNING', revision: 1 });
      if (begun !== undefined)
        await setup.end(begun, { to: 'FAILED', detail: 'It is silent.' }, START_MS + 5);
      const failed = { setupStatus: 'FAILED', setupDetail: 'It is silent.', revision: 1 };
      expect(await vehicles().find('VEH01')).toMatchObject(failed);
    });

    test('a batch of ingest from before a change is stale', async () => {
      await vehicles().save(newVehicle());
      const old = await stage.change({ lastContactMs: START_MS });
      await vehicles().change('VEH01', { sharedWith: 'FLEET2' }, undefined, START_MS);
      expect((await stage.store.ingest.commit(ingestBatch({ boxes: [old] }))).stale).toEqual([BOX_ID]);
    });

    test('a list has own and shared vehicles in one order, and filters apply to both', async () => {
      const ids = ['VEH01', 'VEH02', 'VEH03', 'VEH04'];
      for (const [index, id] of ids.entries()) {
        const fleetId = index % 2 === 0 ? 'FLEET1' : 'FLEET2';
        await vehicles().save(newVehicle({ id, fleetId, boxId: `00000000000000d${index}`, masterData: {} }));
      }
      await vehicles().change(
        'VEH02',
        { sharedWith: 'FLEET1', operationStatus: 'GARAGE' },
        undefined,
        START_MS,
      );
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
      ['unsupported', 'FAILED', 'The firmware of the telematics unit does not support setup.'],
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
      await stage.store.ingest.commit(
        ingestBatch({ replies: [{ reply, boxId: BOX_ID, key: REPLY_KEY, atMs: START_MS + 3 }] }),
      );
      expect(await vehicles().find('VEH01')).toMatchObject({ setupStatus: status, setupDetail: detail });
      const { stale } = await stage.store.ingest.commit(ingestBatch({ boxes: [known] }));
      expect(stale).toEqual(status === 'RUNNING' ? [] : [BOX_ID]);
    });

    test('the answer of the earlier box changes no setup', async () => {
      await vehicles().save(newVehicle({ setupStatus: 'RUNNING' }));
      await stage.store.commands.open(openCommand('R1', { command: 'begin-setup' }));
      await vehicles().save(newVehicle({ setupStatus: 'RUNNING', boxId: OTHER_BOX_ID }));
      const reply = { kind: 'reply', requestId: 'R1', outcome: 'done', error: '' } as const;
      await stage.store.ingest.commit(
        ingestBatch({ replies: [{ reply, boxId: BOX_ID, key: REPLY_KEY, atMs: START_MS + 3 }] }),
      );
      expect((await vehicles().find('VEH01'))?.setupStatus).toBe('RUNNING');
    });
  });
}

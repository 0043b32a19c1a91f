import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type BoxChange,
  BoxTaken,
  type IngestBatch,
  type KnownVehicle,
  type NewVehicle,
  type OpenCommand,
  type OutgoingMessage,
  type Store,
  type StoredRecord,
  StoreFailed,
} from '../../backend/store/store.ts';

/** How a fulfilment of the store is made for the contract: each test gets an empty one. */
export interface StoreMaker {
  open(): Promise<Store>;
  /** Opens what `store` had committed anew, as after a crash of the process. */
  reopen(store: Store): Promise<Store>;
}

export const BOX = '00000000000000a1';
export const OTHER_BOX = '00000000000000b2';
const T = Date.UTC(2026, 2, 1, 8);

/** A vehicle to be saved; every field can be replaced. */
export function newVehicle(change: Partial<NewVehicle> = {}): NewVehicle {
  return {
    id: 'VEH01',
    fleetId: 'FLEET1',
    boxId: BOX,
    boxSecretHash: 'hash',
    generation: 2,
    model: 'petrol-compact',
    setupStatus: 'SUCCEEDED',
    masterData: { vin: 'WVWZZZ1JZXW000001', license_plate: 'B-AB 123', year_of_production: 2024 },
    tags: ['pool'],
    atMs: T,
    ...change,
  };
}

/** A batch of nothing but what is given. */
export function batch(change: Partial<IngestBatch>): IngestBatch {
  return { boxes: [], records: [], replies: [], messages: [], quarantine: [], ...change };
}

function record(sequence: number, change: Partial<StoredRecord> = {}): StoredRecord {
  return {
    boxId: BOX,
    epoch: 7,
    sequence,
    kind: 'report',
    clockMs: T,
    receivedMs: T + 100,
    messageId: undefined,
    lost: 0,
    ...change,
  };
}

function message(messageId: string, change: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    messageId,
    vehicleId: 'VEH01',
    fleetId: 'FLEET1',
    name: 'VehicleStateReceived',
    version: '2.0.0',
    flowId: '6a0f5a8e-0000-4000-8000-000000000001',
    createdMs: T,
    body: `{"n":"${messageId} – ü"}`,
    ...change,
  };
}

function openCommand(requestId: string, change: Partial<OpenCommand> = {}): OpenCommand {
  return {
    requestId,
    vehicleId: 'VEH01',
    boxId: BOX,
    flowId: '6a0f5a8e-0000-4000-8000-000000000002',
    command: 'unlock-central-lock',
    openedMs: T,
    expiresMs: T + 20_000,
    ...change,
  };
}

/** What every store must do, whichever database is behind it. */
export function storeContract(name: string, maker: StoreMaker): void {
  describe(`${name} as a store`, () => {
    let store: Store;
    beforeEach(async () => {
      store = await maker.open();
    });
    afterEach(async () => {
      await store.close();
    });

    async function known(boxId = BOX): Promise<KnownVehicle> {
      const found = (await store.ingest.load([boxId])).get(boxId);
      if (found === undefined) throw new Error(`box ${boxId} is not known`);
      return found;
    }
    async function change(fields: Partial<BoxChange> = {}): Promise<BoxChange> {
      const boxId = fields.boxId ?? BOX;
      return { boxId, version: (await known(boxId)).version, ...fields };
    }

    describe('access', () => {
      test('a client is found as it was saved, replaced by its id, and gone once deleted', async () => {
        const client = {
          id: 'c1',
          fleetId: 'FLEET1',
          secretHash: 's1',
          permissions: ['vehicles'],
          createdMs: T,
        };
        await store.access.saveFleet({ id: 'FLEET1', name: 'One' });
        await store.access.saveFleet({ id: 'FLEET1', name: 'One again' });
        await store.access.saveClient(client);
        expect(await store.access.findClient('c1')).toEqual(client);
        await store.access.saveClient({ ...client, permissions: ['vehicles.ro', 'vehicle-commands'] });
        expect((await store.access.findClient('c1'))?.permissions).toEqual([
          'vehicles.ro',
          'vehicle-commands',
        ]);
        await store.access.deleteClient('c1');
        expect(await store.access.findClient('c1')).toBeUndefined();
      });
    });

    describe('vehicles', () => {
      test('a vehicle that was onboarded is found by its id and by its box, with nothing told by the box yet', async () => {
        await store.vehicles.save(newVehicle());
        const found = await store.vehicles.find('VEH01');
        expect(found).toEqual(await store.vehicles.findByBox(BOX));
        expect(found).toEqual({
          id: 'VEH01',
          fleetId: 'FLEET1',
          boxId: BOX,
          model: 'petrol-compact',
          setupStatus: 'SUCCEEDED',
          masterData: { vin: 'WVWZZZ1JZXW000001', license_plate: 'B-AB 123', year_of_production: 2024 },
          tags: ['pool'],
          createdMs: T,
          modifiedMs: T,
          box: {
            generation: 2,
            firmware: undefined,
            hardwareRevision: undefined,
            connection: undefined,
            notReadyUntilMs: undefined,
            lastContactMs: undefined,
            journal: { epoch: 0, contiguous: 0, ranges: [] },
          },
          state: {},
        });
        expect(await store.vehicles.find('VEH02')).toBeUndefined();
        expect(await store.vehicles.findByBox(OTHER_BOX)).toBeUndefined();
      });

      test('saving again replaces what people know and keeps what the box has told', async () => {
        await store.vehicles.save(newVehicle());
        const journal = { epoch: 7, contiguous: 3, ranges: [[5, 6]] as const };
        await store.ingest.commit(
          batch({ boxes: [await change({ generation: 1, journal, lastContactMs: T + 5 })] }),
        );
        await store.vehicles.save(newVehicle({ setupStatus: 'FAILED', tags: [], atMs: T + 9 }));
        const found = await store.vehicles.find('VEH01');
        expect(found).toMatchObject({ setupStatus: 'FAILED', tags: [], createdMs: T, modifiedMs: T + 9 });
        expect(found?.box).toMatchObject({ generation: 1, journal, lastContactMs: T + 5 });
      });

      test('a box that belongs to another vehicle is refused and nothing of the call is written', async () => {
        await store.vehicles.save(newVehicle());
        await expect(store.vehicles.save(newVehicle({ id: 'VEH02' }))).rejects.toBeInstanceOf(BoxTaken);
        expect(await store.vehicles.find('VEH02')).toBeUndefined();
      });

      test('a box that left its vehicle is known no more, and a commit built upon the old knowledge is stale', async () => {
        await store.vehicles.save(newVehicle());
        const old = await change({ lastContactMs: T });
        await store.vehicles.save(newVehicle({ boxId: OTHER_BOX }));
        expect((await store.ingest.load([BOX])).size).toBe(0);
        expect(await store.ingest.commit(batch({ boxes: [old] }))).toEqual({ stale: [BOX], settled: [] });
      });

      test('a list holds the fleet by id, from behind the given id on, no more than asked for', async () => {
        for (const number of [3, 1, 2, 4]) {
          const id = `VEH0${number}`;
          await store.vehicles.save(newVehicle({ id, boxId: `000000000000000${number}` }));
        }
        await store.vehicles.save(newVehicle({ id: 'ALIEN', fleetId: 'FLEET2', boxId: OTHER_BOX }));
        const page = async (afterId: string | undefined, limit: number) =>
          (
            await store.vehicles.list({
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
          await store.vehicles.save(newVehicle());
          await store.vehicles.save(
            newVehicle({
              id: 'VEH02',
              boxId: OTHER_BOX,
              masterData: { custom_name: 'Dienstwagen', vin: null },
            }),
          );
          const found = await store.vehicles.list({
            fleetId: 'FLEET1',
            afterId: undefined,
            limit: 10,
            search,
            tag: undefined,
          });
          expect(found.map((vehicle) => vehicle.id)).toEqual(expected);
        },
      );

      test('a tag finds the vehicles that carry it whole', async () => {
        await store.vehicles.save(newVehicle({ tags: ['pool', 'berlin'] }));
        await store.vehicles.save(newVehicle({ id: 'VEH02', boxId: OTHER_BOX, tags: ['pool-2'] }));
        const found = await store.vehicles.list({
          fleetId: 'FLEET1',
          afterId: undefined,
          limit: 10,
          search: undefined,
          tag: 'pool',
        });
        expect(found.map((vehicle) => vehicle.id)).toEqual(['VEH01']);
      });
    });

    describe('ingest', () => {
      beforeEach(async () => {
        await store.vehicles.save(newVehicle());
      });

      test('a commit changes the columns it names, leaves the others, and takes back what is null', async () => {
        await store.ingest.commit(
          batch({
            boxes: [
              await change({
                generation: 1,
                firmware: [2, 24],
                hardwareRevision: 5,
                connection: { counter: 9, open: true },
                notReadyUntilMs: T + 180_000,
                lastContactMs: T,
                journal: { epoch: 7, contiguous: 2, ranges: [], claim: { lowestHeld: 1, nextSequence: 4 } },
                state: { ignition: { timestampMs: T, value: 'ON', epoch: 7, sequence: 2 } },
              }),
            ],
          }),
        );
        await store.ingest.commit(batch({ boxes: [await change({ lastContactMs: T + 1 })] }));
        expect((await known()).vehicle).toMatchObject({
          box: {
            generation: 1,
            firmware: [2, 24],
            hardwareRevision: 5,
            connection: { counter: 9, open: true },
            notReadyUntilMs: T + 180_000,
            lastContactMs: T + 1,
            journal: { epoch: 7, contiguous: 2, ranges: [], claim: { lowestHeld: 1, nextSequence: 4 } },
          },
          state: { ignition: { timestampMs: T, value: 'ON', epoch: 7, sequence: 2 } },
        });
        await store.ingest.commit(
          batch({ boxes: [await change({ notReadyUntilMs: null, connection: null })] }),
        );
        expect((await known()).vehicle.box).toMatchObject({
          notReadyUntilMs: undefined,
          connection: undefined,
        });
        await store.ingest.commit(
          batch({ boxes: [await change({ connection: { counter: 10, open: false } })] }),
        );
        expect((await known()).vehicle.box.connection).toEqual({ counter: 10, open: false });
      });

      test('each commit and each save of the vehicle is one step of its version', async () => {
        const first = (await known()).version;
        await store.ingest.commit(batch({ boxes: [await change({ lastContactMs: T })] }));
        expect((await known()).version).toBe(first + 1);
        await store.vehicles.save(newVehicle());
        expect((await known()).version).toBe(first + 2);
      });

      test('a batch with one stale box writes nothing of any box and names the stale one', async () => {
        await store.vehicles.save(newVehicle({ id: 'VEH02', boxId: OTHER_BOX }));
        const stale = await change({ boxId: OTHER_BOX, lastContactMs: T });
        await store.vehicles.save(newVehicle({ id: 'VEH02', boxId: OTHER_BOX, setupStatus: 'RUNNING' }));
        await store.commands.open(openCommand('R1'));
        const result = await store.ingest.commit(
          batch({
            boxes: [await change({ lastContactMs: T }), stale],
            records: [record(1)],
            messages: [message('M1')],
            replies: [
              { reply: { kind: 'reply', requestId: 'R1', outcome: 'done', error: '' }, boxId: BOX, atMs: T },
            ],
            quarantine: [
              {
                boxId: BOX,
                receivedMs: T,
                fault: 'truncated',
                offset: 1,
                detail: 'd',
                bytes: Uint8Array.of(1),
              },
            ],
          }),
        );
        expect(result).toEqual({ stale: [OTHER_BOX], settled: [] });
        expect((await known()).vehicle.box.lastContactMs).toBeUndefined();
        expect(await store.ingest.countRecords(BOX)).toEqual({ records: 0, lost: 0 });
        expect((await store.outbox.size()).messages).toBe(0);
        expect((await store.commands.find('R1'))?.outcome).toBe('open');
        expect(await store.ingest.quarantined({ limit: 5 })).toEqual([]);
      });

      test('records are kept by epoch and sequence, and counted with what tombstones gave up', async () => {
        const records = [
          record(2, { messageId: 'M2' }),
          record(1, { kind: 'tombstone', lost: 12 }),
          record(1, { epoch: 8, kind: 'reply' }),
        ];
        await store.ingest.commit(batch({ boxes: [await change()], records }));
        expect(await store.ingest.countRecords(BOX)).toEqual({ records: 3, lost: 12 });
        const all = await store.ingest.records({ boxId: BOX, after: undefined, limit: 10 });
        expect(all).toEqual([records[1], records[0], records[2]]);
        const rest = await store.ingest.records({ boxId: BOX, after: { epoch: 7, sequence: 1 }, limit: 1 });
        expect(rest).toEqual([records[0]]);
      });

      test('what is older than the retention goes when the box goes on, and the counts stay', async () => {
        const week = 7 * 24 * 3_600_000;
        await store.ingest.commit(
          batch({ boxes: [await change()], records: [record(1), record(2, { receivedMs: T + week })] }),
        );
        await store.ingest.commit(
          batch({ boxes: [await change()], records: [record(256, { receivedMs: T + week + 200 })] }),
        );
        const kept = await store.ingest.records({ boxId: BOX, after: undefined, limit: 10 });
        expect(kept.map((row) => row.sequence)).toEqual([2, 256]);
        expect(await store.ingest.countRecords(BOX)).toEqual({ records: 3, lost: 0 });
      });

      test('quarantine shows the newest first, its bytes whole, and lets the old go', async () => {
        const row = (offset: number, receivedMs: number) => ({
          boxId: BOX,
          receivedMs,
          fault: 'wrong-checksum',
          offset,
          detail: 'found 1, expected 2',
          bytes: Uint8Array.of(0, 255, offset),
        });
        await store.ingest.commit(batch({ quarantine: [row(1, T), row(2, T)] }));
        expect(await store.ingest.quarantined({ limit: 1 })).toEqual([row(2, T)]);
        const later = T + 8 * 24 * 3_600_000;
        await store.ingest.commit(batch({ quarantine: [row(3, later)] }));
        expect(await store.ingest.quarantined({ limit: 9 })).toEqual([row(3, later)]);
      });

      test('a box that is not onboarded is missing from what is loaded', async () => {
        expect([...(await store.ingest.load([OTHER_BOX, BOX])).keys()]).toEqual([BOX]);
      });
    });

    describe('commands', () => {
      beforeEach(async () => {
        await store.vehicles.save(newVehicle());
      });

      test('one command of a vehicle is open at a time', async () => {
        expect(await store.commands.open(openCommand('R1'))).toBe('opened');
        expect(await store.commands.open(openCommand('R2'))).toBe('conflict');
        expect(await store.commands.find('R2')).toBeUndefined();
        expect(await store.commands.open(openCommand('R3', { vehicleId: 'VEH02' }))).toBe('opened');
      });

      test('a command past its expiry becomes unknown when the next one is opened', async () => {
        await store.commands.open(openCommand('R1'));
        expect(await store.commands.open(openCommand('R2', { openedMs: T + 19_999 }))).toBe('conflict');
        expect(await store.commands.open(openCommand('R3', { openedMs: T + 20_000 }))).toBe('opened');
        expect(await store.commands.find('R1')).toMatchObject({ outcome: 'unknown', settledMs: T + 20_000 });
      });

      test.each([
        ['giveUp', 'unknown'],
        ['withdraw', 'withdrawn'],
      ] as const)(
        '%s leaves it %s and the vehicle free; a reply that comes later still replaces it',
        async (how, outcome) => {
          await store.commands.open(openCommand('R1'));
          await store.commands[how]('R1', T + 5);
          expect(await store.commands.find('R1')).toMatchObject({ outcome, settledMs: T + 5 });
          expect(await store.commands.open(openCommand('R2'))).toBe('opened');
          const reply = { kind: 'reply', requestId: 'R1', outcome: 'failed', error: 'motor' } as const;
          const result = await store.ingest.commit(batch({ replies: [{ reply, boxId: BOX, atMs: T + 9 }] }));
          expect(result.settled).toEqual(['R1']);
          expect(await store.commands.find('R1')).toMatchObject({
            outcome: 'failed',
            error: 'motor',
            settledMs: T + 9,
          });
        },
      );

      test('a reply settles its command once, with status and state, and only from its own box', async () => {
        await store.commands.open(openCommand('R1'));
        const state = { central_lock: { timestampMs: T, value: 'UNLOCKED' } };
        const reply = { kind: 'reply', requestId: 'R1', outcome: 'done', error: '' } as const;
        const foreign = await store.ingest.commit(batch({ replies: [{ reply, boxId: OTHER_BOX, atMs: T }] }));
        expect(foreign.settled).toEqual([]);
        const first = await store.ingest.commit(
          batch({ replies: [{ reply, boxId: BOX, atMs: T + 1, state }] }),
        );
        expect(first.settled).toEqual(['R1']);
        const again = await store.ingest.commit(
          batch({ replies: [{ reply: { ...reply, outcome: 'failed' }, boxId: BOX, atMs: T + 2 }] }),
        );
        expect(again.settled).toEqual([]);
        await store.commands.giveUp('R1', T + 3);
        expect(await store.commands.find('R1')).toEqual({
          ...openCommand('R1'),
          outcome: 'done',
          error: '',
          settledMs: T + 1,
          status: undefined,
          state,
        });
      });

      test('the commands of requests are loaded for ingest; a request that nobody made is missing', async () => {
        await store.commands.open(openCommand('R1'));
        const loaded = await store.ingest.loadCommands(['R1', 'R9']);
        expect([...loaded.entries()]).toEqual([['R1', openCommand('R1')]]);
      });
    });

    describe('outbox', () => {
      beforeEach(async () => {
        await store.vehicles.save(newVehicle());
      });

      test('messages come out in the order of their commits, from behind a position on', async () => {
        await store.ingest.commit(
          batch({ messages: [message('M1'), message('M2', { vehicleId: 'VEH02' })] }),
        );
        await store.ingest.commit(batch({ messages: [message('M3')] }));
        const all = await store.outbox.next({ afterPosition: 0, limit: 10 });
        expect(all.map(({ position: _, ...row }) => row)).toEqual([
          message('M1'),
          message('M2', { vehicleId: 'VEH02' }),
          message('M3'),
        ]);
        const afterPosition = all[0]?.position ?? -1;
        const rest = await store.outbox.next({ afterPosition, limit: 1 });
        expect(rest.map((row) => row.messageId)).toEqual(['M2']);
      });

      test('what was sent is off the outbox, a second mark is passed over, and no position is used twice', async () => {
        await store.ingest.commit(batch({ messages: [message('M1'), message('M2')] }));
        const rows = await store.outbox.next({ afterPosition: 0, limit: 10 });
        const positions = rows.map((row) => row.position);
        expect(await store.outbox.size()).toEqual({ messages: 2, oldestMs: T });
        await store.outbox.sent(positions);
        await store.outbox.sent(positions);
        expect(await store.outbox.size()).toEqual({ messages: 0, oldestMs: undefined });
        await store.ingest.commit(batch({ messages: [message('M3')] }));
        const [last] = await store.outbox.next({ afterPosition: 0, limit: 10 });
        expect(last?.position).toBeGreaterThan(Math.max(...positions));
      });
    });

    describe('a crash', () => {
      test('what was committed is there afterwards', async () => {
        await store.vehicles.save(newVehicle());
        const journal = { epoch: 7, contiguous: 1, ranges: [] };
        await store.ingest.commit(
          batch({ boxes: [await change({ journal })], records: [record(1)], messages: [message('M1')] }),
        );
        await store.commands.open(openCommand('R1'));
        const before = await known();
        const old = store;
        store = await maker.reopen(store);
        await old.close();
        expect(await known()).toEqual(before);
        expect(await store.ingest.countRecords(BOX)).toEqual({ records: 1, lost: 0 });
        expect((await store.outbox.size()).messages).toBe(1);
        expect(await store.commands.open(openCommand('R2'))).toBe('conflict');
      });

      test('a store that is closed rejects every call as failed', async () => {
        const closed = await maker.open();
        await closed.close();
        await closed.close();
        await expect(closed.vehicles.find('VEH01')).rejects.toBeInstanceOf(StoreFailed);
        await expect(closed.ingest.commit(batch({}))).rejects.toBeInstanceOf(StoreFailed);
        await expect(closed.outbox.sent([1])).rejects.toBeInstanceOf(StoreFailed);
      });
    });
  });
}

import { beforeEach, describe, expect, test } from 'vitest';
import { StoreFailed } from '../../backend/store/store.ts';
import {
  BOX,
  batch,
  KEY,
  message,
  newVehicle,
  OTHER_BOX,
  openCommand,
  record,
  type StoreStage,
  T,
} from './store-kit.ts';

/** What a store must do with the batches of ingest, and after a crash. */
export function ingestContract(stage: StoreStage): void {
  describe('ingest', () => {
    beforeEach(async () => {
      await stage.store.vehicles.save(newVehicle());
    });

    test('a commit changes the columns it names, leaves the others, and takes back what is null', async () => {
      await stage.store.ingest.commit(
        batch({
          boxes: [
            await stage.change({
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
      await stage.store.ingest.commit(batch({ boxes: [await stage.change({ lastContactMs: T + 1 })] }));
      expect((await stage.known()).vehicle).toMatchObject({
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
      await stage.store.ingest.commit(
        batch({ boxes: [await stage.change({ notReadyUntilMs: null, connection: null })] }),
      );
      expect((await stage.known()).vehicle.box).toMatchObject({
        notReadyUntilMs: undefined,
        connection: undefined,
      });
      await stage.store.ingest.commit(
        batch({ boxes: [await stage.change({ connection: { counter: 10, open: false } })] }),
      );
      expect((await stage.known()).vehicle.box.connection).toEqual({ counter: 10, open: false });
    });

    test('each commit and each save of the vehicle is one step of its version', async () => {
      const first = (await stage.known()).version;
      await stage.store.ingest.commit(batch({ boxes: [await stage.change({ lastContactMs: T })] }));
      expect((await stage.known()).version).toBe(first + 1);
      await stage.store.vehicles.save(newVehicle());
      expect((await stage.known()).version).toBe(first + 2);
    });

    test('a batch with one stale box writes nothing of any box and names the stale one', async () => {
      await stage.store.vehicles.save(newVehicle({ id: 'VEH02', boxId: OTHER_BOX }));
      const stale = await stage.change({ boxId: OTHER_BOX, lastContactMs: T });
      await stage.store.vehicles.save(newVehicle({ id: 'VEH02', boxId: OTHER_BOX, setupStatus: 'RUNNING' }));
      await stage.store.commands.open(openCommand('R1'));
      const result = await stage.store.ingest.commit(
        batch({
          boxes: [await stage.change({ lastContactMs: T }), stale],
          records: [record(1)],
          messages: [message('M1')],
          replies: [
            {
              reply: { kind: 'reply', requestId: 'R1', outcome: 'done', error: '' },
              boxId: BOX,
              key: KEY,
              atMs: T,
            },
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
      expect((await stage.known()).vehicle.box.lastContactMs).toBeUndefined();
      expect(await stage.store.ingest.countRecords(BOX)).toEqual({ records: 0, lost: 0 });
      expect((await stage.store.outbox.size()).messages).toBe(0);
      expect((await stage.store.commands.find('R1'))?.outcome).toBe('open');
      expect(await stage.store.ingest.quarantined({ limit: 5 })).toEqual([]);
    });

    test('records are kept by epoch and sequence, and counted with what tombstones gave up', async () => {
      const records = [
        record(2, { messageId: 'M2' }),
        record(1, { kind: 'tombstone', lost: 12 }),
        record(1, { epoch: 8, kind: 'reply' }),
      ];
      await stage.store.ingest.commit(batch({ boxes: [await stage.change()], records }));
      expect(await stage.store.ingest.countRecords(BOX)).toEqual({ records: 3, lost: 12 });
      const all = await stage.store.ingest.records({ boxId: BOX, after: undefined, limit: 10 });
      expect(all).toEqual([records[1], records[0], records[2]]);
      const rest = await stage.store.ingest.records({
        boxId: BOX,
        after: { epoch: 7, sequence: 1 },
        limit: 1,
      });
      expect(rest).toEqual([records[0]]);
    });

    test('what is older than the retention goes when the box goes on, and the counts stay', async () => {
      const week = 7 * 24 * 3_600_000;
      await stage.store.ingest.commit(
        batch({ boxes: [await stage.change()], records: [record(1), record(2, { receivedMs: T + week })] }),
      );
      await stage.store.ingest.commit(
        batch({ boxes: [await stage.change()], records: [record(256, { receivedMs: T + week + 200 })] }),
      );
      const kept = await stage.store.ingest.records({ boxId: BOX, after: undefined, limit: 10 });
      expect(kept.map((row) => row.sequence)).toEqual([2, 256]);
      expect(await stage.store.ingest.countRecords(BOX)).toEqual({ records: 3, lost: 0 });
    });

    test('records of any epoch and box go once their time is up, whichever box the new ones come from', async () => {
      await stage.store.vehicles.save(newVehicle({ id: 'VEH02', boxId: OTHER_BOX }));
      const week = 7 * 24 * 3_600_000;
      // Epochs are names: the past one may have the higher number.
      const past = [1, 2, 3].map((sequence) => record(sequence, { epoch: 4_000_000_000 }));
      const present = [1, 2].map((sequence) => record(sequence, { epoch: 5, receivedMs: T + week }));
      await stage.store.ingest.commit(batch({ records: [...past, ...present] }));
      const busy = Array.from({ length: 300 }, (_, index) =>
        record(index + 1, { boxId: OTHER_BOX, receivedMs: T + week + 101 }),
      );
      await stage.store.ingest.commit(batch({ records: busy }));
      const kept = await stage.store.ingest.records({ boxId: BOX, after: undefined, limit: 10 });
      expect(kept.map(({ epoch, sequence }) => [epoch, sequence])).toEqual([
        [5, 1],
        [5, 2],
      ]);
      expect((await stage.store.ingest.countRecords(BOX)).records).toBe(0);
    });

    test('connections that were open are not known once they are forgotten; ended ones and goings-down stay', async () => {
      const boxes = [
        [BOX, { connection: { counter: 3, open: true }, notReadyUntilMs: T }],
        [OTHER_BOX, { connection: { counter: 4, open: false }, notReadyUntilMs: T }],
        ['00000000000000c3', {}],
      ] as const;
      for (const [index, [boxId, presence]] of boxes.entries()) {
        await stage.store.vehicles.save(newVehicle({ id: `VEH0${index + 1}`, boxId }));
        await stage.store.ingest.commit(
          batch({ boxes: [await stage.change({ boxId, lastContactMs: T, ...presence })] }),
        );
      }
      const old = await stage.change({ lastContactMs: T + 1 });
      const ended = await stage.known(OTHER_BOX);
      await stage.store.ingest.forgetConnections(T + 5);
      const { vehicle } = await stage.known();
      expect(vehicle.box).toMatchObject({
        connection: undefined,
        notReadyUntilMs: undefined,
        lastContactMs: T,
      });
      expect(await stage.known(OTHER_BOX)).toEqual(ended);
      // Whoever knew it as open decides anew.
      expect((await stage.store.ingest.commit(batch({ boxes: [old] }))).stale).toEqual([BOX]);
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
      await stage.store.ingest.commit(batch({ quarantine: [row(1, T), row(2, T)] }));
      expect(await stage.store.ingest.quarantined({ limit: 1 })).toEqual([row(2, T)]);
      const later = T + 8 * 24 * 3_600_000;
      await stage.store.ingest.commit(batch({ quarantine: [row(3, later)] }));
      expect(await stage.store.ingest.quarantined({ limit: 9 })).toEqual([row(3, later)]);
    });

    test('a tombstone keeps what it stands for', async () => {
      await stage.store.vehicles.save(newVehicle());
      const tombstone = record(9, { kind: 'tombstone', lost: 2, covers: [3, 5] });
      await stage.store.ingest.commit(batch({ records: [record(8), tombstone] }));
      const kept = await stage.store.ingest.records({ boxId: BOX, after: undefined, limit: 9 });
      expect(kept).toEqual([record(8), tombstone]);
    });

    test('the boxes are told by id, page by page', async () => {
      const known = ['00000000000000c3', OTHER_BOX];
      for (const [index, boxId] of known.entries())
        await stage.store.vehicles.save(newVehicle({ id: `VEH1${index}`, boxId }));
      expect(await stage.store.ingest.boxIds({ after: undefined, limit: 1 })).toEqual([BOX]);
      expect(await stage.store.ingest.boxIds({ after: BOX, limit: 9 })).toEqual(known.toReversed());
    });

    test('a box that is not onboarded is missing from what is loaded', async () => {
      expect([...(await stage.store.ingest.load([OTHER_BOX, BOX])).keys()]).toEqual([BOX]);
    });
  });

  describe('a crash', () => {
    test('what was committed is there afterwards', async () => {
      await stage.store.vehicles.save(newVehicle());
      const journal = { epoch: 7, contiguous: 1, ranges: [] };
      await stage.store.ingest.commit(
        batch({ boxes: [await stage.change({ journal })], records: [record(1)], messages: [message('M1')] }),
      );
      await stage.store.commands.open(openCommand('R1'));
      const before = await stage.known();
      await stage.crash();
      expect(await stage.known()).toEqual(before);
      expect(await stage.store.ingest.countRecords(BOX)).toEqual({ records: 1, lost: 0 });
      expect((await stage.store.outbox.size()).messages).toBe(1);
      expect(await stage.store.commands.open(openCommand('R2'))).toBe('conflict');
    });

    test('a store that is closed rejects every call as failed', async () => {
      const closed = await stage.openAnother();
      await closed.close();
      await closed.close();
      await expect(closed.vehicles.find('VEH01')).rejects.toBeInstanceOf(StoreFailed);
      await expect(closed.ingest.commit(batch({}))).rejects.toBeInstanceOf(StoreFailed);
      await expect(closed.outbox.sent([1])).rejects.toBeInstanceOf(StoreFailed);
    });
  });
}

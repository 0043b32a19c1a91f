import { beforeEach, describe, expect, test } from 'vitest';
import { writeState } from '../../backend/store/port/state-text.ts';
import { StoreFailed } from '../../backend/store/port/store.ts';
import {
  BOX_ID,
  ingestBatch,
  newVehicle,
  OTHER_BOX_ID,
  openCommand,
  outgoingMessage,
  REPLY_KEY,
  START_MS,
  storedRecord,
  type TestStore,
} from '../support/store/store-rows.ts';

/** The behaviour of a store for the batches of ingest, and after a crash. */
export function ingestContract(stage: TestStore): void {
  describe('ingest', () => {
    beforeEach(async () => {
      await stage.store.vehicles.save(newVehicle());
    });

    test('a commit changes the columns it names, leaves the others, and clears those that are null', async () => {
      await stage.store.ingest.commit(
        ingestBatch({
          boxes: [
            await stage.change({
              generation: 1,
              firmware: [2, 24],
              hardwareRevision: 5,
              connection: { counter: 9, open: true },
              notReadyUntilMs: START_MS + 180_000,
              lastContactMs: START_MS,
              journal: { epoch: 7, contiguous: 2, ranges: [], claim: { lowestHeld: 1, nextSequence: 4 } },
              stateText: writeState({
                ignition: { timestampMs: START_MS, value: 'ON', epoch: 7, sequence: 2 },
              }),
            }),
          ],
        }),
      );
      await stage.store.ingest.commit(
        ingestBatch({ boxes: [await stage.change({ lastContactMs: START_MS + 1 })] }),
      );
      expect((await stage.known()).vehicle).toMatchObject({
        box: {
          generation: 1,
          firmware: [2, 24],
          hardwareRevision: 5,
          connection: { counter: 9, open: true },
          notReadyUntilMs: START_MS + 180_000,
          lastContactMs: START_MS + 1,
          journal: { epoch: 7, contiguous: 2, ranges: [], claim: { lowestHeld: 1, nextSequence: 4 } },
        },
        state: { ignition: { timestampMs: START_MS, value: 'ON', epoch: 7, sequence: 2 } },
      });
      await stage.store.ingest.commit(
        ingestBatch({ boxes: [await stage.change({ notReadyUntilMs: null, connection: null })] }),
      );
      expect((await stage.known()).vehicle.box).toMatchObject({
        notReadyUntilMs: undefined,
        connection: undefined,
      });
      await stage.store.ingest.commit(
        ingestBatch({ boxes: [await stage.change({ connection: { counter: 10, open: false } })] }),
      );
      expect((await stage.known()).vehicle.box.connection).toEqual({ counter: 10, open: false });
    });

    test('each commit and each save of the vehicle increases its version by one', async () => {
      const first = (await stage.known()).version;
      await stage.store.ingest.commit(
        ingestBatch({ boxes: [await stage.change({ lastContactMs: START_MS })] }),
      );
      expect((await stage.known()).version).toBe(first + 1);
      await stage.store.vehicles.save(newVehicle());
      expect((await stage.known()).version).toBe(first + 2);
    });

    test('a batch with one stale box writes nothing of any box and names the stale one', async () => {
      await stage.store.vehicles.save(newVehicle({ id: 'VEH02', boxId: OTHER_BOX_ID }));
      const stale = await stage.change({ boxId: OTHER_BOX_ID, lastContactMs: START_MS });
      await stage.store.vehicles.save(
        newVehicle({ id: 'VEH02', boxId: OTHER_BOX_ID, setupStatus: 'RUNNING' }),
      );
      await stage.store.commands.open(openCommand('R1'));
      const result = await stage.store.ingest.commit(
        ingestBatch({
          boxes: [await stage.change({ lastContactMs: START_MS }), stale],
          records: [storedRecord(1)],
          messages: [outgoingMessage('M1')],
          replies: [
            {
              reply: { kind: 'reply', requestId: 'R1', outcome: 'done', error: '' },
              boxId: BOX_ID,
              key: REPLY_KEY,
              atMs: START_MS,
            },
          ],
          quarantine: [
            {
              boxId: BOX_ID,
              receivedMs: START_MS,
              fault: 'truncated',
              offset: 1,
              detail: 'd',
              bytes: Uint8Array.of(1),
            },
          ],
        }),
      );
      expect(result).toEqual({ stale: [OTHER_BOX_ID], settled: [] });
      expect((await stage.known()).vehicle.box.lastContactMs).toBeUndefined();
      expect(await stage.store.ingest.countRecords(BOX_ID)).toEqual({ records: 0, lost: 0 });
      expect((await stage.store.outbox.size()).messages).toBe(0);
      expect((await stage.store.commands.find('R1'))?.outcome).toBe('open');
      expect(await stage.store.ingest.quarantined({ limit: 5 })).toEqual([]);
    });

    test('records are kept by epoch and sequence, and counted with those that tombstones replace', async () => {
      const records = [
        storedRecord(2, { messageId: 'M2' }),
        storedRecord(1, { kind: 'tombstone', lost: 12 }),
        storedRecord(1, { epoch: 8, kind: 'reply' }),
      ];
      await stage.store.ingest.commit(ingestBatch({ boxes: [await stage.change()], records }));
      expect(await stage.store.ingest.countRecords(BOX_ID)).toEqual({ records: 3, lost: 12 });
      const all = await stage.store.ingest.records({ boxId: BOX_ID, after: undefined, limit: 10 });
      expect(all).toEqual([records[1], records[0], records[2]]);
      const rest = await stage.store.ingest.records({
        boxId: BOX_ID,
        after: { epoch: 7, sequence: 1 },
        limit: 1,
      });
      expect(rest).toEqual([records[0]]);
    });

    test('records older than the retention are removed by later commits of the box, and the counts stay', async () => {
      const week = 7 * 24 * 3_600_000;
      await stage.store.ingest.commit(
        ingestBatch({
          boxes: [await stage.change()],
          records: [storedRecord(1), storedRecord(2, { receivedMs: START_MS + week })],
        }),
      );
      await stage.store.ingest.commit(
        ingestBatch({
          boxes: [await stage.change()],
          records: [storedRecord(256, { receivedMs: START_MS + week + 200 })],
        }),
      );
      const kept = await stage.store.ingest.records({ boxId: BOX_ID, after: undefined, limit: 10 });
      expect(kept.map((row) => row.sequence)).toEqual([2, 256]);
      expect(await stage.store.ingest.countRecords(BOX_ID)).toEqual({ records: 3, lost: 0 });
    });

    test('records of any epoch and box are removed after the retention, whichever box the new ones come from', async () => {
      await stage.store.vehicles.save(newVehicle({ id: 'VEH02', boxId: OTHER_BOX_ID }));
      const week = 7 * 24 * 3_600_000;
      // Epochs are names: the earlier one may have the higher number.
      const past = [1, 2, 3].map((sequence) => storedRecord(sequence, { epoch: 4_000_000_000 }));
      const present = [1, 2].map((sequence) =>
        storedRecord(sequence, { epoch: 5, receivedMs: START_MS + week }),
      );
      await stage.store.ingest.commit(ingestBatch({ records: [...past, ...present] }));
      const busy = Array.from({ length: 300 }, (_, index) =>
        storedRecord(index + 1, { boxId: OTHER_BOX_ID, receivedMs: START_MS + week + 101 }),
      );
      await stage.store.ingest.commit(ingestBatch({ records: busy }));
      const kept = await stage.store.ingest.records({ boxId: BOX_ID, after: undefined, limit: 10 });
      expect(kept.map(({ epoch, sequence }) => [epoch, sequence])).toEqual([
        [5, 1],
        [5, 2],
      ]);
      expect((await stage.store.ingest.countRecords(BOX_ID)).records).toBe(0);
    });

    test('open connections are unknown after forgetting; ended ones and goings-down are kept', async () => {
      const boxes = [
        [BOX_ID, { connection: { counter: 3, open: true }, notReadyUntilMs: START_MS }],
        [OTHER_BOX_ID, { connection: { counter: 4, open: false }, notReadyUntilMs: START_MS }],
        ['00000000000000c3', {}],
      ] as const;
      for (const [index, [boxId, presence]] of boxes.entries()) {
        await stage.store.vehicles.save(newVehicle({ id: `VEH0${index + 1}`, boxId }));
        await stage.store.ingest.commit(
          ingestBatch({ boxes: [await stage.change({ boxId, lastContactMs: START_MS, ...presence })] }),
        );
      }
      const old = await stage.change({ lastContactMs: START_MS + 1 });
      const ended = await stage.known(OTHER_BOX_ID);
      await stage.store.ingest.forgetConnections(START_MS + 5);
      const { vehicle } = await stage.known();
      expect(vehicle.box).toMatchObject({
        connection: undefined,
        notReadyUntilMs: undefined,
        lastContactMs: START_MS,
      });
      expect(await stage.known(OTHER_BOX_ID)).toEqual(ended);
      // A commit that was based on the open connection is stale.
      expect((await stage.store.ingest.commit(ingestBatch({ boxes: [old] }))).stale).toEqual([BOX_ID]);
    });

    test('quarantine lists the newest first, with all bytes, and removes old entries', async () => {
      const row = (offset: number, receivedMs: number) => ({
        boxId: BOX_ID,
        receivedMs,
        fault: 'wrong-checksum',
        offset,
        detail: 'found 1, expected 2',
        bytes: Uint8Array.of(0, 255, offset),
      });
      await stage.store.ingest.commit(ingestBatch({ quarantine: [row(1, START_MS), row(2, START_MS)] }));
      expect(await stage.store.ingest.quarantined({ limit: 1 })).toEqual([row(2, START_MS)]);
      const later = START_MS + 8 * 24 * 3_600_000;
      await stage.store.ingest.commit(ingestBatch({ quarantine: [row(3, later)] }));
      expect(await stage.store.ingest.quarantined({ limit: 9 })).toEqual([row(3, later)]);
    });

    test('a tombstone keeps the range that it replaces', async () => {
      await stage.store.vehicles.save(newVehicle());
      const tombstone = storedRecord(9, { kind: 'tombstone', lost: 2, covers: [3, 5] });
      await stage.store.ingest.commit(ingestBatch({ records: [storedRecord(8), tombstone] }));
      const kept = await stage.store.ingest.records({ boxId: BOX_ID, after: undefined, limit: 9 });
      expect(kept).toEqual([storedRecord(8), tombstone]);
    });

    test('the boxes are listed by id, page by page', async () => {
      const known = ['00000000000000c3', OTHER_BOX_ID];
      for (const [index, boxId] of known.entries())
        await stage.store.vehicles.save(newVehicle({ id: `VEH1${index}`, boxId }));
      expect(await stage.store.ingest.boxIds({ after: undefined, limit: 1 })).toEqual([BOX_ID]);
      expect(await stage.store.ingest.boxIds({ after: BOX_ID, limit: 9 })).toEqual(known.toReversed());
    });

    test('a box that is not onboarded is not loaded', async () => {
      expect([...(await stage.store.ingest.load([OTHER_BOX_ID, BOX_ID])).keys()]).toEqual([BOX_ID]);
    });
  });

  describe('a crash', () => {
    test('the answer of the earlier box changes no setup', async () => {
      await stage.store.vehicles.save(newVehicle());
      const journal = { epoch: 7, contiguous: 1, ranges: [] };
      await stage.store.ingest.commit(
        ingestBatch({
          boxes: [await stage.change({ journal })],
          records: [storedRecord(1)],
          messages: [outgoingMessage('M1')],
        }),
      );
      await stage.store.commands.open(openCommand('R1'));
      const before = await stage.known();
      await stage.crash();
      expect(await stage.known()).toEqual(before);
      expect(await stage.store.ingest.countRecords(BOX_ID)).toEqual({ records: 1, lost: 0 });
      expect((await stage.store.outbox.size()).messages).toBe(1);
      expect(await stage.store.commands.open(openCommand('R2'))).toBe('conflict');
    });

    test('a closed store rejects every call as failed', async () => {
      const closed = await stage.openAnother();
      await closed.close();
      await closed.close();
      await expect(closed.vehicles.find('VEH01')).rejects.toBeInstanceOf(StoreFailed);
      await expect(closed.ingest.commit(ingestBatch({}))).rejects.toBeInstanceOf(StoreFailed);
      await expect(closed.outbox.sent([1])).rejects.toBeInstanceOf(StoreFailed);
    });
  });
}

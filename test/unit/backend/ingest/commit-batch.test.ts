import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Counters, makeCounters } from '../../../../backend/base/counters.ts';
import { makeCommitBatch } from '../../../../backend/ingest/commit-batch.ts';
import type { ReceivedPayload } from '../../../../backend/ingest/inbound-message.ts';
import type { IngestBatch } from '../../../../backend/store/port/ingest-store.ts';
import type { Lease } from '../../../../backend/store/port/lease-store.ts';
import { openSqliteStore, type SqliteStore } from '../../../../backend/store/sqlite/store.ts';
import { encodeFrame } from '../../../../protocol/codec/frame.ts';
import type { Message } from '../../../../protocol/message.ts';
import { partitionOf } from '../../../../protocol/partitions.ts';
import { topics } from '../../../../protocol/topics.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';
import { translateModem } from '../../../support/backend/ingest-input.ts';
import {
  BOX_ID,
  newVehicle,
  OTHER_BOX_ID,
  openCommand,
  START_MS,
} from '../../../support/store/store-rows.ts';

/** A box that nobody has onboarded: its bytes go to quarantine. */
const UNKNOWN_BOX_ID = '0123456789abcdef';

function payloadOf(boxId: string, sequence: number, message: Message): ReceivedPayload {
  const bytes = encodeFrame({ generation: 2, epoch: 7, boot: 1, sequence, clockMs: START_MS, message });
  return { topic: topics.up(boxId), bytes, retained: false, receivedMs: START_MS };
}
const report = (boxId: string, sequence = 1) =>
  payloadOf(boxId, sequence, {
    kind: 'report',
    cause: 'time',
    signals: { modem: { csq: 20, network: 26201 } },
  });
const reply = (boxId: string, sequence: number, requestId: string) =>
  payloadOf(boxId, sequence, { kind: 'reply', requestId, outcome: 'done', error: '' });

describe('a batch of a backend that shares its store', () => {
  let store: SqliteStore;
  /** The leases of the backend at this moment. */
  let leases: Map<number, Lease>;
  let commits: IngestBatch[];
  /** The leases at the moment of each commit. */
  let atCommit: ReadonlyMap<number, Lease>[];
  /** What happens while the store is asked. */
  let during: { load?: () => void; loadCommands?: () => void };
  let counters: Counters;
  beforeEach(async () => {
    store = openSqliteStore(':memory:');
    await store.vehicles.save(newVehicle());
    await store.vehicles.save(newVehicle({ id: 'VEH02', boxId: OTHER_BOX_ID }));
    const { held } = await store.leases.look({ backend: 'a', leaseMs: 6_000 });
    leases = new Map(held.map(({ partition, fence }) => [partition, { partition, fence }]));
    commits = [];
    atCommit = [];
    during = {};
    counters = makeCounters();
  });
  afterEach(() => store.close());

  function commitOf() {
    const world = openVirtualWorld({ seed: 1 }).instance('backend');
    return makeCommitBatch({
      world,
      store: {
        ...store.ingest,
        load: async (boxIds) => {
          const loaded = await store.ingest.load(boxIds);
          during.load?.();
          return loaded;
        },
        loadCommands: async (requestIds) => {
          const loaded = await store.ingest.loadCommands(requestIds);
          during.loadCommands?.();
          return loaded;
        },
        commit: (batch) => {
          commits.push(batch);
          atCommit.push(new Map(leases));
          return store.ingest.commit(batch);
        },
      },
      translate: translateModem,
      hasMessageBroker: true,
      counters,
      shared: {
        keeper: {
          leaseOf: (partition) => leases.get(partition),
          leasesLost: (partitions) => {
            for (const partition of partitions) leases.delete(partition);
          },
        },
      },
    });
  }

  const leaseOf = (boxId: string) => leases.get(partitionOf(boxId));

  test('names the lease of each of its boxes, and of no other, in one order, however the payloads came', async () => {
    await commitOf()([report(BOX_ID), report(UNKNOWN_BOX_ID)]);
    await commitOf()([report(UNKNOWN_BOX_ID, 2), report(BOX_ID, 2)]);
    const named = [leaseOf(BOX_ID), leaseOf(UNKNOWN_BOX_ID)].toSorted(
      (one, other) => (one?.partition ?? 0) - (other?.partition ?? 0),
    );
    expect(commits.map((commit) => commit.leases)).toEqual([named, named]);
    expect(counters.read()['payloads.passed']).toBeUndefined();
  });

  test('of partitions that another backend has, without its knowing, stores and receipts nothing', async () => {
    await store.leases.leave('a');
    await store.leases.look({ backend: 'b', leaseMs: 6_000 });
    const { framesDown } = await commitOf()([report(BOX_ID)]);
    expect(framesDown).toEqual([]);
    expect(await store.ingest.countRecords(BOX_ID)).toEqual({ records: 0, lost: 0 });
    expect(leaseOf(BOX_ID)).toBeUndefined();
    expect(counters.read()).toMatchObject({ 'commits.fenced': 1, 'payloads.passed': 1 });
  });

  test('keeps what came on a topic of no box, whoever has the partitions', async () => {
    leases.clear();
    await commitOf()([{ ...report(BOX_ID), topic: 'boxes' }]);
    expect((await store.ingest.quarantined({ limit: 9 })).map(({ fault }) => fault)).toEqual([
      'foreign-topic',
    ]);
    expect(counters.read()['payloads.passed']).toBeUndefined();
  });

  test('from which nothing follows asks nothing of the store', async () => {
    const presence = payloadOf(BOX_ID, 0, { kind: 'birth', connection: 1 });
    const birth = { ...presence, topic: topics.presence(BOX_ID), retained: true };
    const commit = commitOf();
    await commit([birth]);
    await commit([birth]);
    expect(commits.length).toBe(1);
  });

  test('leaves out a box whose lease ends while its vehicle is read', async () => {
    during.load = () => void leases.delete(partitionOf(BOX_ID));
    const { framesDown } = await commitOf()([report(BOX_ID), report(OTHER_BOX_ID)]);
    expect(commits.map((commit) => commit.leases)).toEqual([[leaseOf(OTHER_BOX_ID)]]);
    expect(await store.ingest.countRecords(BOX_ID)).toEqual({ records: 0, lost: 0 });
    expect(await store.ingest.countRecords(OTHER_BOX_ID)).toEqual({ records: 1, lost: 0 });
    expect(framesDown.map(({ boxId }) => boxId)).toEqual([OTHER_BOX_ID]);
    expect(counters.read()).toMatchObject({ 'batches.outlived': 1, 'payloads.passed': 1 });
  });

  test('writes no bytes to quarantine under a lease that has ended', async () => {
    during.load = () => leases.clear();
    await commitOf()([report(UNKNOWN_BOX_ID)]);
    expect(await store.ingest.quarantined({ limit: 9 })).toEqual([]);
  });

  test('settles no request whose lease ends while its command is read', async () => {
    await store.commands.open(openCommand('R1'));
    during.loadCommands = () => leases.clear();
    const { settledRequestIds } = await commitOf()([reply(BOX_ID, 1, 'R1')]);
    expect(settledRequestIds).toEqual([]);
    expect(commits).toEqual([]);
  });

  test('is not stored under the next lease: what was taken under the one before is void', async () => {
    const partition = partitionOf(BOX_ID);
    during.load = () => void leases.set(partition, { partition, fence: 2 });
    await commitOf()([report(BOX_ID)]);
    expect(commits).toEqual([]);
  });

  test('whichever leases end at which reading: each commit names those of all its boxes, as they were at the start and are still', async () => {
    let sequence = 0;
    const boxIds = [BOX_ID, OTHER_BOX_ID, UNKNOWN_BOX_ID, 'fedcba9876543210'];
    const ending = fc.record({
      boxId: fc.constantFrom(...boxIds),
      how: fc.constantFrom('ended', 'another'),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(boxIds, { minLength: 1 }),
        fc.array(fc.array(ending, { maxLength: 2 }), { maxLength: 6 }),
        async (senders, endings) => {
          commits = [];
          atCommit = [];
          sequence += 2;
          const atStart = new Map(
            [...Array(64).keys()].map((partition) => [partition, { partition, fence: 1 }]),
          );
          leases = new Map(atStart);
          const left = [...endings];
          const next = (): void => {
            for (const { boxId, how } of left.shift() ?? []) {
              const partition = partitionOf(boxId);
              if (how === 'ended') leases.delete(partition);
              else leases.set(partition, { partition, fence: (leases.get(partition)?.fence ?? 1) + 1 });
            }
          };
          during = { load: next, loadCommands: next };
          // A vehicle that is in memory is not read, a command always is.
          await commitOf()(
            senders.flatMap((boxId) => [report(boxId, sequence), reply(boxId, sequence + 1, 'NONE')]),
          );
          for (const [index, { leases: named = [], quarantine, records }] of commits.entries()) {
            const written = new Set([...quarantine, ...records].map(({ boxId }) => partitionOf(boxId)));
            for (const partition of written)
              expect(named.map((lease) => lease.partition)).toContain(partition);
            for (const lease of named) {
              expect(lease).toEqual(atStart.get(lease.partition));
              expect(atCommit[index]?.get(lease.partition)).toEqual(lease);
            }
          }
        },
      ),
    );
  });
});

import { expect, test } from 'vitest';
import type { IngestBatch } from '../../../../../../backend/store/port/ingest-store.ts';
import { partitionOf } from '../../../../../../protocol/partitions.ts';
import { PartitionRecording } from '../../../../../../scenarios/testbed/common/recordings/partition-recording.ts';
import { BOX_ID, ingestBatch, OTHER_BOX_ID } from '../../../../../support/store/store-rows.ts';

const look = (...held: readonly { partition: number; fence: number }[]) =>
  [
    { part: 'leases', name: 'look', parameters: [{}] } as const,
    { value: { held, surplus: 0, backends: 2 } },
  ] as const;
const lookOf = (backend: string, ...held: readonly { partition: number; fence: number }[]) =>
  [
    { part: 'leases', name: 'look', parameters: [{ backend }] } as const,
    { value: { held, surplus: 0, backends: 2 } },
  ] as const;
const subscribed = (partition: number, fence: number) =>
  [
    { part: 'leases', name: 'sessionSubscribed', parameters: [{ partition, fence }] } as const,
    { value: undefined },
  ] as const;
const begun = (partition: number, fence: number) =>
  [
    { part: 'leases', name: 'beginSession', parameters: [{ lease: { partition, fence } }] } as const,
    { value: { wasSubscribed: true } },
  ] as const;
const commit = (partition: number, fence: number, lost: readonly number[] = []) =>
  [
    {
      part: 'ingest',
      name: 'commit',
      parameters: [ingestBatch({ leases: [{ partition, fence }] })] as readonly unknown[],
    } as const,
    { value: { stale: [], settled: [], lostLeases: lost } },
  ] as const;

type Done = readonly [number, ReturnType<typeof look | typeof subscribed | typeof commit | typeof begun>];

function recorded(...done: readonly Done[]) {
  return recordedWhere(() => true, ...done);
}

/** `isOpenAt`: whether the sessions of all partitions are open at that time. */
function recordedWhere(isOpenAt: (atMs: number) => boolean, ...done: readonly Done[]) {
  let nowMs = 0;
  const recording = new PartitionRecording(2, 0, () => isOpenAt(nowMs));
  for (const [atMs, [call, outcome]] of done) {
    nowMs = atMs;
    recording.record([call], [outcome], atMs);
  }
  return recording.history(30_000);
}

const ofSeven = { partition: 7, fence: 1 };

test('takings and batches are noted, like ones in sequence once, and none that was refused', () => {
  const { events } = recorded(
    [100, look(ofSeven)],
    [200, commit(7, 1)],
    [300, commit(7, 1)],
    [9_000, look({ partition: 7, fence: 2 })],
    [9_100, commit(7, 1, [7])],
    [9_200, commit(7, 1)],
    [9_300, commit(7, 2)],
  );
  expect(events).toEqual([
    { what: 'taken', atMs: 100, partition: 7, fence: 1 },
    { what: 'committed', atMs: 200, partition: 7, fence: 1 },
    { what: 'taken', atMs: 9_000, partition: 7, fence: 2 },
    { what: 'committed', atMs: 9_200, partition: 7, fence: 1 },
    { what: 'committed', atMs: 9_300, partition: 7, fence: 2 },
  ]);
});

test('a batch that names no lease for the partition of a box that it writes about is noted without a number', () => {
  const batch = (written: Partial<IngestBatch>, lost: readonly number[] = []) =>
    [
      { part: 'ingest', name: 'commit', parameters: [ingestBatch(written)] } as const,
      { value: { stale: [], settled: [], lostLeases: lost } },
    ] as const;
  const bytesOf = (boxId: string) => ({
    boxId,
    receivedMs: 0,
    fault: 'unknown-box',
    offset: 0,
    detail: '',
    bytes: new Uint8Array(),
  });
  const own = partitionOf(BOX_ID);
  const other = partitionOf(OTHER_BOX_ID);
  const leases = [{ partition: own, fence: 1 }];
  const { events } = recorded(
    [100, look({ partition: own, fence: 1 })],
    [200, batch({ quarantine: [bytesOf(BOX_ID)], leases: [] })],
    [300, batch({ quarantine: [bytesOf(BOX_ID)] })],
    [400, batch({ quarantine: [bytesOf('')], leases: [] })],
    [500, batch({ quarantine: [bytesOf(OTHER_BOX_ID)], leases }, [own])],
    [
      600,
      batch({
        flashWipes: [{ boxId: OTHER_BOX_ID, epoch: 2 }],
        quarantine: [bytesOf(BOX_ID)],
        leases,
      }),
    ],
  );
  expect(events).toEqual([
    { what: 'taken', atMs: 100, partition: own, fence: 1 },
    { what: 'committed', atMs: 200, partition: own, fence: 0 },
    { what: 'committed', atMs: 300, partition: own, fence: 0 },
    { what: 'committed', atMs: 600, partition: other, fence: 0 },
    { what: 'committed', atMs: 600, partition: own, fence: 1 },
  ]);
});

test('a holder serves from when its session is subscribed; long times without that are gaps', () => {
  const { gaps } = recorded(
    [1_000, look(ofSeven)],
    [12_000, subscribed(7, 1)],
    [20_000, look(ofSeven)],
    [29_000, look(ofSeven)],
  );
  expect(gaps.filter(({ partition }) => partition === 7)).toEqual([
    { partition: 7, fromMs: 0, toMs: 12_000 },
  ]);
  expect(gaps).toContainEqual({ partition: 8, fromMs: 0, toMs: 30_000 });
});

test('a session that was given up and begins late in the store does not end the one that is open', () => {
  const { gaps } = recorded(
    [1_000, look(ofSeven)],
    [1_200, subscribed(7, 1)],
    [1_400, begun(7, 1)],
    [10_000, look(ofSeven)],
    [19_000, look(ofSeven)],
    [28_000, look(ofSeven)],
  );
  expect(gaps.filter(({ partition }) => partition === 7)).toEqual([]);
});

test('a holder that renews its lease while no session is open does not serve', () => {
  const { gaps } = recordedWhere(
    (atMs) => atMs < 2_000 || atMs > 20_000,
    [1_000, look(ofSeven)],
    [1_200, subscribed(7, 1)],
    [4_000, look(ofSeven)],
    [12_000, look(ofSeven)],
    [21_000, look(ofSeven)],
    [29_000, look(ofSeven)],
  );
  expect(gaps.filter(({ partition }) => partition === 7)).toEqual([
    { partition: 7, fromMs: 1_200, toMs: 21_000 },
  ]);
});

test('a message is noted with the number under which its backend took the partition, like ones in sequence once', () => {
  const recording = new PartitionRecording(2, 0, () => true);
  const looked = (atMs: number, backend: string, fence: number) => {
    const [call, outcome] = lookOf(backend, { partition: 7, fence });
    recording.record([call], [outcome], atMs);
  };
  looked(100, 'a', 1);
  recording.published('a', 7, 200);
  recording.published('a', 7, 300);
  looked(9_000, 'b', 2);
  recording.published('b', 7, 9_100);
  recording.published('a', 7, 9_200);
  recording.published('c', 7, 9_300);
  expect(recording.history(10_000).events).toEqual([
    { what: 'taken', atMs: 100, partition: 7, fence: 1 },
    { what: 'published', atMs: 200, partition: 7, fence: 1 },
    { what: 'taken', atMs: 9_000, partition: 7, fence: 2 },
    { what: 'published', atMs: 9_100, partition: 7, fence: 2 },
    { what: 'published', atMs: 9_200, partition: 7, fence: 1 },
    { what: 'published', atMs: 9_300, partition: 7, fence: 0 },
  ]);
});

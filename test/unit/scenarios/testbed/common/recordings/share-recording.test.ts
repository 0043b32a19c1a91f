import { expect, test } from 'vitest';
import { ShareRecording } from '../../../../../../scenarios/testbed/common/recordings/share-recording.ts';

const leases = (fence: number, ...partitions: readonly number[]) =>
  partitions.map((partition) => ({ partition, fence }));

test('a backend joins with its first look, passes on what is its own, and leaves', () => {
  const recording = new ShareRecording();
  recording.looked('a', leases(1, 1, 2, 3), 100);
  recording.looked('a', leases(1, 1, 2, 3), 2_100);
  recording.released('a', [...leases(1, 3), ...leases(9, 2), ...leases(1, 7)], 2_200);
  recording.released('a', leases(1, 3), 2_300);
  recording.left('a', 2_400);
  expect(recording.events(2_500)).toEqual([
    { what: 'joined', atMs: 100, backend: 'a', held: 0 },
    { what: 'passed', atMs: 2_200, backend: 'a', held: 2 },
    { what: 'left', atMs: 2_400, backend: 'a', held: 0 },
  ]);
});

test('one that has not looked for as long as a lease lasts has lapsed, and loses what others take', () => {
  const recording = new ShareRecording();
  recording.looked('a', leases(1, 1, 2), 0);
  recording.looked('b', [], 3_000);
  recording.looked('b', leases(2, 2), 6_500);
  expect(recording.events(9_000).map(({ what, backend, held }) => [what, backend, held])).toEqual([
    ['joined', 'a', 0],
    ['joined', 'b', 0],
    ['lapsed', 'a', 2],
    ['lost', 'a', 1],
  ]);
});

import type { PartitionHistory } from '../../../judge/evidence/partition-history.ts';
import { type RunRecordings, START_MS } from './any-recordings.ts';
import type { PlantedFault } from './change-recordings.ts';

/** Every way in which several backends can hold partitions otherwise than one at a time. */
export const PARTITION_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a backend that has lost a partition stores a batch of it',
    checker: 'partitions-have-one-holder',
    plant(history) {
      partitionsOf(history, [
        { what: 'taken', atMs: START_MS, partition: 3, fence: 1 },
        { what: 'taken', atMs: START_MS + 9_000, partition: 3, fence: 2 },
        { what: 'committed', atMs: START_MS + 9_100, partition: 3, fence: 1 },
      ]);
      return ['a batch of somebody who is no holder', 'partition 3'];
    },
  },
  {
    name: 'a batch names no lease for one of its boxes',
    checker: 'partitions-have-one-holder',
    plant(history) {
      partitionsOf(history, [{ what: 'committed', atMs: START_MS + 100, partition: 8, fence: 0 }]);
      return ['a batch without a lease', 'partition 8'];
    },
  },
  {
    name: 'a backend that has lost a partition publishes a message of it',
    checker: 'partitions-have-one-holder',
    plant(history) {
      partitionsOf(history, [
        { what: 'taken', atMs: START_MS, partition: 6, fence: 1 },
        { what: 'published', atMs: START_MS + 100, partition: 6, fence: 1 },
        { what: 'taken', atMs: START_MS + 9_000, partition: 6, fence: 2 },
        { what: 'published', atMs: START_MS + 9_100, partition: 6, fence: 2 },
        { what: 'published', atMs: START_MS + 9_200, partition: 6, fence: 1 },
      ]);
      return ['a message of somebody who is no holder', 'partition 6'];
    },
  },
  {
    name: 'a partition is taken under the number of another holder',
    checker: 'partitions-have-one-holder',
    plant(history) {
      partitionsOf(history, [
        { what: 'taken', atMs: START_MS, partition: 4, fence: 2 },
        { what: 'taken', atMs: START_MS + 9_000, partition: 4, fence: 2 },
      ]);
      return ['a number that did not rise', 'partition 4'];
    },
  },
  {
    name: 'a partition is served by nobody',
    checker: 'partitions-have-one-holder',
    plant(history) {
      partitionsOf(history, [], [{ partition: 5, fromMs: START_MS, toMs: START_MS + 11_000 }]);
      return ['a partition that nobody served', 'partition 5 for 11 s'];
    },
  },
];

function partitionsOf(
  history: RunRecordings,
  events: PartitionHistory['events'],
  gaps: PartitionHistory['gaps'] = [],
): void {
  history.partitions = { backends: 2, events, gaps, isWhole: true };
}

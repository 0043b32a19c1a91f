import { describe, expect, test } from 'vitest';
import { exploreKeepers } from '../support/interleavings/explore-keepers.ts';
import { exploreQuota } from '../support/interleavings/explore-quota.ts';

/** What test/unit explores with fewer faults, delays and backends. */
describe('what backends share, in every order of what may happen', () => {
  test('one keeper alone, with three faults or delays anywhere', async () => {
    const explored = await exploreKeepers({ backends: ['a'], partitions: 1, deviations: 3 });
    expect(explored.states).toBeGreaterThan(6_500);
  });

  test('two keepers, of which the one that joins has the partition in the end, with two', async () => {
    const explored = await exploreKeepers({ backends: ['b', 'a'], partitions: 1, deviations: 2 });
    expect(explored.states).toBeGreaterThan(180_000);
  });

  test('two keepers in steps of half a beat, with one', async () => {
    const options = { backends: ['a', 'b'], partitions: 2, deviations: 1, stepMs: 1_000 };
    const explored = await exploreKeepers(options);
    expect(explored.states).toBeGreaterThan(18_000);
  });

  test('three keepers of three partitions, without any', async () => {
    const explored = await exploreKeepers({ backends: ['a', 'b', 'c'], partitions: 3, deviations: 0 });
    expect(explored.states).toBeGreaterThan(5_900);
  });

  test('a quota of two backends, with one failure or delay, and with two', async () => {
    const more = await exploreQuota({ backends: 2, bursts: [1, 3], times: 3, deviations: 1 });
    expect(more.states).toBeGreaterThan(36_000);
    const two = await exploreQuota({ backends: 2, bursts: [3], times: 2, deviations: 2 });
    expect(two.states).toBeGreaterThan(8_000);
  });
});

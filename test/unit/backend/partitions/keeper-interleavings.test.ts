import { describe, expect, test } from 'vitest';
import { exploreKeepers } from '../../../support/interleavings/explore-keepers.ts';

/**
 * In each state: nobody holds what the store has given to another or has ended, nobody gains what it cannot serve, and
 * what is told to be settled is. From each state: calm moves lead to all partitions being held, evenly.
 */
describe('keepers of partitions, in every order of what may happen', () => {
  test('one alone, with two faults or delays anywhere', async () => {
    const explored = await exploreKeepers({ backends: ['a'], partitions: 1, deviations: 2 });
    expect(explored.states).toBeGreaterThan(1_450);
    expect(explored.moves).toBeGreaterThan(3_400);
  });

  test('two that share two partitions, with one fault or delay anywhere', async () => {
    const explored = await exploreKeepers({ backends: ['a', 'b'], partitions: 2, deviations: 1 });
    expect(explored.states).toBeGreaterThan(10_500);
    expect(explored.moves).toBeGreaterThan(25_500);
  });
});

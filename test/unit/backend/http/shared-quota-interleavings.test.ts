import { describe, expect, test } from 'vitest';
import { exploreQuota } from '../../../support/interleavings/explore-quota.ts';

/**
 * In each state: no window has let through more than the limit, no call was let through or refused for a window that
 * was over, and none was refused before nine tenths of the limit were used, or lost with answers of the store. From each
 * state: calm moves answer each call.
 */
describe('a quota that backends share, in every order of what may happen', () => {
  test('two of them, with one failure or delay of the store anywhere', async () => {
    const explored = await exploreQuota({ backends: 2, bursts: [1, 3], times: 2, deviations: 1 });
    expect(explored.states).toBeGreaterThan(7_000);
    expect(explored.moves).toBeGreaterThan(15_000);
  });

  test('two of them, for calls that come alone and together', async () => {
    const explored = await exploreQuota({ backends: 2, bursts: [1, 3], times: 3, deviations: 0 });
    expect(explored.states).toBeGreaterThan(6_500);
    expect(explored.moves).toBeGreaterThan(16_000);
  });
});

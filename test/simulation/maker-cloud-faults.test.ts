import { beforeAll, describe, expect, test } from 'vitest';
import {
  type MakerCloudFaultsResult,
  runMakerCloudFaults,
} from '../support/simulation/maker-cloud-faults.ts';

describe("an hour of random faults of a maker's cloud in the virtual world", () => {
  let result: MakerCloudFaultsResult;
  beforeAll(async () => {
    result = await runMakerCloudFaults(6, 60 * 60_000);
  }, 120_000);

  test("stores each state once, in the maker's order, and ends with the maker's latest state", () => {
    expect(result.findings).toEqual([]);
    expect(result.messages).toBeGreaterThan(100);
  });

  test('contains every kind of fault and every kind of answer', () => {
    for (const name of ['error', 'rate-limit', 'silence', 'slow', 'nonsense', 'push', 'sleep', 'crash'])
      expect(result.faults[name], name).toBeGreaterThan(0);
    for (const status of [200, 409, 502, 504])
      expect(result.commands[status], String(status)).toBeGreaterThan(0);
  });

  test('contains notifications and polls', () => {
    expect(result.counters['third-party.polls']).toBeGreaterThan(0);
    expect(result.counters['third-party.notifications']).toBeGreaterThan(0);
  });
});

describe("ten minutes of random faults of a maker's cloud", () => {
  test('have the same trace hash when repeated', async () => {
    const first = await runMakerCloudFaults(1, 10 * 60_000);
    expect((await runMakerCloudFaults(1, 10 * 60_000)).hash).toBe(first.hash);
  }, 60_000);

  test.each([21, 22, 23, 24, 25, 26])(
    'with seed %i no state is duplicated, reordered or lost',
    async (seed) => {
      expect((await runMakerCloudFaults(seed, 10 * 60_000)).findings).toEqual([]);
    },
    60_000,
  );
});

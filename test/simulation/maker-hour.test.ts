import { beforeAll, describe, expect, test } from 'vitest';
import { type MakerHour, makerHour } from './maker-hour.ts';

describe("a rough hour of a maker's cloud in the virtual world", () => {
  let hour: MakerHour;
  beforeAll(async () => {
    hour = await makerHour(6, 60 * 60_000);
  }, 120_000);

  test("stores each state once, in the maker's order, and ends with what the maker knows", () => {
    expect(hour.findings).toEqual([]);
    expect(hour.messages).toBeGreaterThan(100);
  });

  test('was rough: every kind of fault happened, and every kind of answer', () => {
    for (const name of ['error', 'rate-limit', 'silence', 'slow', 'nonsense', 'push', 'sleep', 'crash'])
      expect(hour.faults[name], name).toBeGreaterThan(0);
    for (const status of [200, 409, 502, 504])
      expect(hour.commands[status], String(status)).toBeGreaterThan(0);
  });

  test('was told of and asked for', () => {
    expect(hour.counters['third-party.polls']).toBeGreaterThan(0);
    expect(hour.counters['third-party.notifications']).toBeGreaterThan(0);
  });
});

describe('a rough ten minutes of a maker', () => {
  test('repeats to the byte', async () => {
    const first = await makerHour(1, 10 * 60_000);
    expect((await makerHour(1, 10 * 60_000)).hash).toBe(first.hash);
  }, 60_000);

  test.each([21, 22, 23, 24, 25, 26])(
    'with seed %i nothing is doubled, out of order or forgotten',
    async (seed) => {
      expect((await makerHour(seed, 10 * 60_000)).findings).toEqual([]);
    },
    60_000,
  );
});

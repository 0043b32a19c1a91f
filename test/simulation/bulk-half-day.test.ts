import { describe, expect, test } from 'vitest';
import { bulkHalfDay } from '../../scenarios/bulk-half-day.ts';

const OVERTAKEN = '/problems/conflicting-operation';
const NOT_REACHED = '/problems/vehicle/no-connection';

describe('bulk jobs over more than 12 h, with boxes that come back after hours or never', () => {
  test('give each vehicle the result that its box has in force, as soon as it is there', async () => {
    const { jobs, findings } = await bulkHalfDay({ seed: 5, vehicles: 12, isRough: false });
    expect(findings).toEqual([]);
    const became = jobs.map(({ items }) =>
      [...items.values()].map((item) => item.reason?.type ?? item.status),
    );
    const there = Array<string>(5).fill('APPLIED');
    expect(became).toEqual([
      [
        ...['APPLIED', 'APPLIED', 'APPLIED', OVERTAKEN, 'APPLIED', OVERTAKEN, NOT_REACHED],
        ...there,
        '/problems/resource-not-found',
      ],
      ['APPLIED', NOT_REACHED, 'APPLIED'],
      [...['APPLIED', 'APPLIED', 'APPLIED', 'APPLIED', 'APPLIED', NOT_REACHED, NOT_REACHED], ...there],
    ]);
    const [first] = jobs;
    const items = [...(first?.items.values() ?? [])];
    const doneMs = items.map((item) => Date.parse(item.last_attempt_at ?? ''));
    const beganMs = doneMs[8] ?? 0;
    // At once when their coverage is back: the modem takes some seconds.
    for (const [index, minutes] of [20, 95, 310].entries()) {
      const afterMs = (doneMs[index] ?? 0) - beganMs - minutes * 60_000;
      expect(afterMs).toBeGreaterThanOrEqual(0);
      expect(afterMs).toBeLessThan(60_000);
    }
    // 30 s, twice as long each time, 1 h at most, a tenth shorter by chance: 12 h have 18 to 20 of them.
    expect(items[6]?.attempts).toBeGreaterThanOrEqual(18);
    expect(items[6]?.attempts).toBeLessThanOrEqual(20);
    expect(items.slice(7, 12).map((item) => item.attempts)).toEqual([1, 1, 1, 1, 1]);
  }, 240_000);

  test.each([11, 12])(
    'also where links are cut and go dead and the service crashes in the middle of attempts (seed %i)',
    async (seed) => {
      const { jobs, findings, crashes } = await bulkHalfDay({ seed, vehicles: 12, isRough: true });
      expect(findings).toEqual([]);
      expect(jobs.length).toBe(3);
      expect(crashes).toBeGreaterThan(5);
    },
    240_000,
  );
});

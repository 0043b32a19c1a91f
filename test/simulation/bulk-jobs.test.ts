import { describe, expect, test } from 'vitest';
import { runBulkJobs } from '../support/simulation/bulk-jobs.ts';

const REPLACED = 'conflicting-operation';
const NOT_CONNECTED = 'no-connection';

describe('bulk jobs over more than 12 h, with boxes that reconnect after hours or never', () => {
  test('give each vehicle the result that matches the settings of its box, as soon as it reconnects', async () => {
    const { jobs, beganMs, findings } = await runBulkJobs(5, false);
    expect(findings).toEqual([]);
    const results = jobs.map((items) => items.map(({ reason, status }) => reason?.problem ?? status));
    const connected = Array<string>(4).fill('applied');
    expect(results).toEqual([
      [
        ...['applied', 'applied', 'applied', 'applied'],
        ...[REPLACED, REPLACED, 'applied'],
        NOT_CONNECTED,
        ...connected,
      ],
      ['resource-not-found'],
      ['applied', NOT_CONNECTED, 'applied'],
      [
        ...['applied', 'applied', 'applied', 'applied'],
        ...['applied', NOT_CONNECTED, 'applied'],
        NOT_CONNECTED,
        ...connected,
      ],
    ]);
    const [first = []] = jobs;
    // As soon as their coverage is back: the modem takes some seconds.
    for (const [index, minutes] of [20, 95, 310, 715].entries()) {
      const afterMs = (first[index]?.lastAttemptMs ?? 0) - beganMs - minutes * 60_000;
      expect(afterMs).toBeGreaterThanOrEqual(0);
      expect(afterMs).toBeLessThan(60_000);
    }
    // After 30 s, doubled each time, at most 1 h, up to a tenth shorter at random: 18 to 20 attempts in 12 h.
    expect(first[7]?.attempts).toBeGreaterThanOrEqual(18);
    expect(first[7]?.attempts).toBeLessThanOrEqual(20);
    expect(first.slice(8).map((item) => item.attempts)).toEqual([1, 1, 1, 1]);
  }, 240_000);

  test.each([11, 12])(
    'pass all checkers while links are cut or half-open and the service crashes during attempts (seed %i)',
    async (seed) => {
      const { jobs, findings, crashes } = await runBulkJobs(seed, true);
      expect(findings).toEqual([]);
      expect(jobs.length).toBe(4);
      expect(crashes).toBeGreaterThan(5);
    },
    240_000,
  );
});

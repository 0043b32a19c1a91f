import { beforeAll, describe, expect, test } from 'vitest';
import { type DaysOffline, daysOffline } from './days-offline.ts';

describe('five days without coverage', () => {
  let result: DaysOffline;

  beforeAll(async () => {
    result = await daysOffline(3, 5);
  }, 180_000);

  test('fill the journal, which gives up its oldest reports and no event', () => {
    const { held, stored, lost, deeds } = result;
    expect(held.report + held.event).toBe(10_000);
    expect(held.tombstone).toBeGreaterThan(0);
    expect(lost).toBeGreaterThan(500);
    expect(stored['event'] ?? 0).toBeGreaterThanOrEqual(deeds);
  });

  test('are told in order afterwards, nothing lost without a word, and the vehicle is what its messages say', () => {
    expect(result.findings).toEqual([]);
    expect(result.stored['report'] ?? 0).toBeGreaterThan(9_000);
  });

  test('are delivered within minutes', () => {
    expect(result.drainedInS).toBeLessThan(600);
  });
});

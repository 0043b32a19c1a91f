import { beforeAll, describe, expect, test } from 'vitest';
import { type DaysOfflineResult, runDaysOffline } from '../support/simulation/days-offline.ts';

describe('five days without coverage', () => {
  let result: DaysOfflineResult;

  beforeAll(async () => {
    result = await runDaysOffline(3, 5);
  }, 180_000);

  test('fill the journal, which gives up its oldest reports but no events', () => {
    const { held, stored, lost, deeds } = result;
    expect(held.report + held.event).toBe(10_000);
    expect(held.tombstone).toBeGreaterThan(0);
    expect(lost).toBeGreaterThan(500);
    expect(stored['event'] ?? 0).toBeGreaterThanOrEqual(deeds);
  });

  test('are reported in order afterwards, nothing is lost without a tombstone, and the state of the vehicle matches its messages', () => {
    expect(result.findings).toEqual([]);
    expect(result.stored['report'] ?? 0).toBeGreaterThan(9_000);
  });

  test('are delivered within minutes', () => {
    expect(result.drainedInS).toBeLessThan(600);
  });
});

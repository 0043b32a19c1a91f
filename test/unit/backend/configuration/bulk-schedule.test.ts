import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bulkLimits } from '../../../../backend/base/limits.ts';
import { bulkWaitMs, isTriedAgain } from '../../../../backend/configuration/bulk-attempt.ts';
import { LIMITS } from '../../../../contract/limits.ts';
import { PROBLEMS, type ProblemKind } from '../../../../contract/problems.ts';

const fraction = fc.double({ min: 0, max: 1, noNaN: true });

describe('the delays between two attempts', () => {
  test('are 30 s, then doubled each time, and at most 1 h', () => {
    expect(Array.from({ length: 10 }, (_, step) => bulkWaitMs(step, 0) / 1000)).toEqual([
      30, 60, 120, 240, 480, 960, 1920, 3600, 3600, 3600,
    ]);
  });

  test('vary randomly by at most a tenth, and never exceed 1 h', () => {
    fc.assert(
      fc.property(fc.nat(2_000), fraction, (step, chance) => {
        const fullMs = bulkWaitMs(step, 0);
        const waitMs = bulkWaitMs(step, chance);
        expect(Number.isInteger(waitMs)).toBe(true);
        expect(waitMs).toBeLessThanOrEqual(LIMITS.bulk.lastWaitMs);
        expect(waitMs).toBeLessThanOrEqual(fullMs);
        expect(waitMs).toBeGreaterThanOrEqual(fullMs * 0.9 - 1);
      }),
    );
    expect(bulkWaitMs(20, 1)).toBeLessThan(bulkWaitMs(20, 0));
  });

  test('do not become shorter with more failed attempts', () => {
    fc.assert(
      fc.property(fc.nat(100), fraction, (step, chance) => {
        expect(bulkWaitMs(step + 1, chance)).toBeGreaterThanOrEqual(bulkWaitMs(step, chance));
      }),
    );
  });
});

test('only failures that can end with time are retried', () => {
  const kinds = Object.keys(PROBLEMS) as ProblemKind[];
  expect(kinds.filter(isTriedAgain)).toEqual([
    'conflicting-resource',
    'conflicting-command',
    'no-connection',
  ]);
});

test('an attempt fits into its lease, and a job can be read for longer than it runs', () => {
  expect(bulkLimits.leaseSlackMs).toBeGreaterThan(bulkLimits.resultWindowMs + bulkLimits.retryMs);
  expect(bulkLimits.inFlightLow).toBeLessThan(bulkLimits.inFlight);
  expect(LIMITS.bulk.keptMs).toBeGreaterThan(LIMITS.bulk.jobMs);
});

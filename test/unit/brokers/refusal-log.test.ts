import { describe, expect, test } from 'vitest';
import { rateLimitByKey, rateLimitByKind } from '../../../brokers/refusal-log.ts';

describe('seldom', () => {
  test('is true once for each key until the time is over', () => {
    const isDue = rateLimitByKey(60_000, 10);
    expect([isDue('a', 0), isDue('a', 59_999), isDue('b', 59_999)]).toEqual([true, false, true]);
    expect([isDue('a', 60_000), isDue('a', 60_001)]).toEqual([true, false]);
  });

  test('a refused call does not delay the next one', () => {
    const isDue = rateLimitByKey(100, 10);
    expect([0, 50, 99, 100].map((atMs) => isDue('a', atMs))).toEqual([true, false, false, true]);
  });

  test('forgets the oldest key beyond its capacity', () => {
    const isDue = rateLimitByKey(60_000, 2);
    expect([isDue('a', 0), isDue('b', 1), isDue('c', 2)]).toEqual([true, true, true]);
    expect([isDue('c', 3), isDue('b', 3), isDue('a', 3)]).toEqual([false, false, true]);
  });
});

describe('bounded', () => {
  test('allows a few of each kind in a time, and then reports how many were left out', () => {
    const room = rateLimitByKind(60_000, 2);
    expect([0, 1, 2, 3].map((atMs) => room('a', atMs))).toEqual([0, 0, undefined, undefined]);
    expect(room('b', 3)).toBe(0);
    expect([room('a', 60_000), room('a', 60_001)]).toEqual([2, 0]);
  });
});

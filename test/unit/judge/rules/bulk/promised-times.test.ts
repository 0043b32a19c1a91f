import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  leastAttempts,
  mostAttempts,
  shortestWaitMs,
} from '../../../../../judge/rules/bulk/promised-times.ts';

test.each([
  [-1, 0],
  [0, 1],
  [49_999, 1],
  [50_000, 2],
  [130_000, 3],
])('in %i ms beyond the time that the first attempt is given at least %i are made', (durationMs, least) => {
  expect(leastAttempts(durationMs, 20_000)).toBe(least);
});

test.each([
  [0, 1, 1],
  [26_999, 1, 1],
  [27_000, 1, 2],
  [81_000, 1, 3],
  [134_000, 5, 9],
  [10_000, 3, 3],
])('in %i ms, with %i beginnings of the waits, at most %i are made', (durationMs, times, most) => {
  expect(mostAttempts(durationMs, times)).toBe(most);
});

test('however the beginnings of the waits lie, no more attempts are made than have room', () => {
  const anyStretches = fc.array(fc.integer({ min: 0, max: 600_000 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(anyStretches, (stretchesMs) => {
      const made = stretchesMs.reduce((sum, stretchMs) => sum + madeIn(stretchMs), 0);
      const wholeMs = stretchesMs.reduce((sum, stretchMs) => sum + stretchMs, 0);
      expect(made).toBeLessThanOrEqual(mostAttempts(wholeMs, stretchesMs.length));
      if (stretchesMs.length === 1) expect(mostAttempts(wholeMs, 1)).toBe(made);
    }),
  );
});

/** The attempts of one stretch, which begins with one, if each waits as short as it may. */
function madeIn(stretchMs: number): number {
  let made = 0;
  for (let atMs = 0; atMs <= stretchMs; atMs += shortestWaitMs(made - 1)) made += 1;
  return made;
}

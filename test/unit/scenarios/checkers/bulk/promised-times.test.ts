import { expect, test } from 'vitest';
import { leastAttempts } from '../../../../../scenarios/checkers/bulk/promised-times.ts';

test.each([
  [-1, 0],
  [0, 1],
  [49_999, 1],
  [50_000, 2],
  [130_000, 3],
])('in %i ms beyond the time that the first attempt is given at least %i are made', (durationMs, least) => {
  expect(leastAttempts(durationMs, 20_000)).toBe(least);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seedOf } from '../support/run/property-seed.ts';

test('properties have one seed unless another is asked for', () => {
  expect(seedOf(undefined)).toBe(seedOf(''));
  expect(seedOf('-1950599851')).toBe(-1_950_599_851);
  expect(seedOf('random')).toBeUndefined();
  for (const wrong of ['x', '1.5', 'Random'])
    expect(() => seedOf(wrong)).toThrow(/must be "random" or a whole number/);
});

test('the seed is in force in this process', () => {
  expect(fc.readConfigureGlobal().seed).toBe(seedOf(process.env['FAST_CHECK_SEED']));
});

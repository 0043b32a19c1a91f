import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LEAST_PAIRS, type Pair, verdictOf } from '../../../../qa/bench/compare/verdict.ts';

const times = fc.double({ min: 0.1, max: 100, noNaN: true });
const anyPairs = fc.array(fc.record({ here: times, there: times }), {
  minLength: LEAST_PAIRS,
  maxLength: 25,
});

describe('the verdict of a comparison', () => {
  test('is slower only where the whole interval is beyond the margin, and then the median is too', () => {
    fc.assert(
      fc.property(anyPairs, fc.boolean(), fc.integer({ min: 0, max: 50 }), (pairs, isLess, margin) => {
        const { is, low, median, high } = verdictOf(pairs, isLess, margin);
        expect(low <= median && median <= high).toBe(true);
        expect(is === 'slower').toBe(low > 1 + margin / 100);
        if (is === 'faster') expect(median).toBeLessThan(1);
      }),
    );
  });

  test('turns around when the two revisions change places', () => {
    const turned = { slower: 'faster', faster: 'slower', alike: 'alike' } as const;
    fc.assert(
      fc.property(anyPairs, fc.boolean(), (pairs, isLess) => {
        const other: readonly Pair[] = pairs.map(({ here, there }) => ({ here: there, there: here }));
        expect(verdictOf(other, isLess, 0).is).toBe(turned[verdictOf(pairs, isLess, 0).is]);
      }),
    );
  });

  test('finds a fifth more work in noise of a tenth, and nothing where there is none', () => {
    const noisy = (factor: number) =>
      [1.0, 1.1, 0.95, 1.04, 0.98, 1.02, 1.07].map((noise, index) => ({
        here: factor * noise * (index % 2 === 0 ? 1 : 1.03),
        there: noise * (index % 3 === 0 ? 1.04 : 1),
      }));
    expect(verdictOf(noisy(1.2), true, 5).is).toBe('slower');
    expect(verdictOf(noisy(1), true, 5).is).toBe('alike');
    expect(verdictOf(noisy(0.8), true, 5).is).toBe('faster');
  });

  test('needs five rounds: with fewer, chance alone is too likely', () => {
    const pair = { here: 2, there: 1 };
    expect(() => verdictOf([pair, pair, pair, pair], true, 0)).toThrow('5 pairs');
  });
});

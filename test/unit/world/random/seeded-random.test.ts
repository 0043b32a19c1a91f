import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../../../world/random/seeded-random.ts';

const take = (seed: number, name: string, count: number) => {
  const stream = seededRandom(seed).stream(name);
  return Array.from({ length: count }, () => stream.fraction());
};

describe('seeded random', () => {
  test('gives the same numbers for the same seed and name, whatever other streams are used', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.string(), fc.string(), (seed, name, other) => {
        const random = seededRandom(seed);
        const stream = random.stream(name);
        const disturbing = random.stream(other);
        const numbers = Array.from({ length: 8 }, () => {
          disturbing.fraction();
          return stream.fraction();
        });
        expect(numbers).toEqual(take(seed, name, 8));
      }),
    );
  });

  test('gives other numbers for another seed, also beyond 32 bits, and for another name', () => {
    const base = take(1, 'box/0f3a/modem', 4);
    for (const other of [
      take(2, 'box/0f3a/modem', 4),
      take(1, 'box/0f3b/modem', 4),
      take(0x1_0000_0001, 'box/0f3a/modem', 4),
      take(-1, 'box/0f3a/modem', 4),
    ]) {
      expect(other).not.toEqual(base);
    }
  });

  test('never changes: these numbers hold for every version', () => {
    const stream = seededRandom(42).stream('box/1/modem');
    expect([
      stream.whole(0, 999),
      stream.whole(0, 999),
      stream.whole(0, 999),
      stream.whole(0, 0xffff_ffff),
    ]).toMatchInlineSnapshot(`
      [
        150,
        931,
        183,
        3001240796,
      ]
    `);
  });

  test('keeps fractions in [0, 1) and whole numbers within both bounds', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), fc.nat(0xffff_fffe), (seed, min, span) => {
        const stream = seededRandom(seed).stream('bounds');
        for (let draw = 0; draw < 16; draw++) {
          const fraction = stream.fraction();
          expect(fraction >= 0 && fraction < 1).toBe(true);
          const whole = stream.whole(min, min + span);
          expect(Number.isInteger(whole) && whole >= min && whole <= min + span).toBe(true);
        }
      }),
    );
  });

  test('is uniform over neighbouring seeds and within a stream', () => {
    const buckets = (draws: readonly number[]) => {
      const counts = new Array<number>(16).fill(0);
      for (const draw of draws) counts[Math.floor(draw * 16)] = (counts[Math.floor(draw * 16)] ?? 0) + 1;
      return counts;
    };
    const firstOfSeeds = Array.from({ length: 16_000 }, (_, seed) => take(seed, 'x', 1)[0] ?? 0);
    // 1,000 are expected in each; 160 is five standard deviations.
    for (const count of [...buckets(firstOfSeeds), ...buckets(take(7, 'y', 16_000))]) {
      expect(Math.abs(count - 1_000)).toBeLessThan(160);
    }
  });

  test('picks every item eventually, and refuses an empty list', () => {
    const stream = seededRandom(3).stream('pick');
    const seen = new Set(Array.from({ length: 200 }, () => stream.pick(['a', 'b', 'c'])));
    expect(seen).toEqual(new Set(['a', 'b', 'c']));
    expect(() => stream.pick([])).toThrow(RangeError);
  });
});

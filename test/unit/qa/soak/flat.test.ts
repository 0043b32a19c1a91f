import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flatnessOf, type MemorySample, mediansOf } from '../../../../qa/soak/flat.ts';

const MIB = 2 ** 20;
const rule = { warmUpShare: 0.5, flatMibPerMinute: 2, slopePoints: 240, leastSlopePoints: 8 };

/** A sample each second over so many minutes. */
function samplesOf(minutes: number, mibAt: (minute: number) => number): readonly MemorySample[] {
  return Array.from({ length: minutes * 60 + 1 }, (_, second) => ({
    atMs: second * 1_000,
    bytes: mibAt(second / 60) * MIB,
  }));
}

describe('the memory of a part', () => {
  test('is flat where it has grown in the warm-up alone', () => {
    const { verdict, mibPerMinute } = flatnessOf(
      samplesOf(20, (minute) => 200 + Math.min(minute, 10) * 30),
      rule,
    );
    expect(verdict).toBe('flat');
    expect(mibPerMinute).toBeCloseTo(0);
  });

  test('grows where its slope after the warm-up is over the bound, whatever peaks stand in between', () => {
    const leak = samplesOf(20, (minute) => 200 + minute * 3 + (Math.round(minute * 60) % 50 === 0 ? 400 : 0));
    const { verdict, mibPerMinute } = flatnessOf(leak, rule);
    expect(verdict).toBe('grows');
    expect(mibPerMinute).toBeCloseTo(3, 0);
  });

  test('is flat where it saws up and down, and where it shrinks', () => {
    expect(
      flatnessOf(
        samplesOf(20, (minute) => 300 + ((minute * 40) % 60)),
        rule,
      ).verdict,
    ).toBe('flat');
    expect(
      flatnessOf(
        samplesOf(20, (minute) => 500 - minute * 10),
        rule,
      ).verdict,
    ).toBe('flat');
  });

  test('is unknown with too few samples, which is no pass', () => {
    expect(flatnessOf([], rule)).toEqual({ verdict: 'unknown', mibPerMinute: undefined });
    expect(flatnessOf([{ atMs: 5, bytes: MIB }], rule).verdict).toBe('unknown');
    const atOnce = Array.from({ length: 50 }, () => ({ atMs: 7, bytes: MIB }));
    expect(flatnessOf(atOnce, rule).verdict).toBe('unknown');
  });

  test('is judged by the slope of a line, however steep and noisy with few peaks it is', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -20, max: 20, noNaN: true }),
        fc.array(fc.integer({ min: 0, max: 1_199 }), { maxLength: 30 }),
        (slope, peaks) => {
          const peaked = new Set(peaks);
          const samples = samplesOf(
            20,
            (minute) => 1_000 + slope * minute + (peaked.has(Math.round(minute * 60)) ? 300 : 0),
          );
          expect(flatnessOf(samples, rule).mibPerMinute ?? Number.NaN).toBeCloseTo(slope, 0);
        },
      ),
      { numRuns: 20 },
    );
  });

  test('is joined to so many medians at most, in the order of time', () => {
    const joined = mediansOf(
      samplesOf(20, (minute) => minute),
      240,
    );
    expect(joined.length).toBeLessThanOrEqual(240);
    expect(joined.length).toBeGreaterThan(150);
    expect(joined.every(({ atMs }, index) => index === 0 || atMs > (joined[index - 1]?.atMs ?? 0))).toBe(
      true,
    );
    expect(
      mediansOf(
        [1, 9, 2, 100].map((bytes, atMs) => ({ atMs, bytes })),
        1,
      )[0]?.bytes,
    ).toBe(5.5);
  });
});

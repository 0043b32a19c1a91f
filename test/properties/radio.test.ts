import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Coverage, csqOf, meanDbm } from '../../simulator/radio/coverage.ts';
import { hashed, LARGEST_NOISE, noiseAlong, noiseOver } from '../../simulator/radio/lattice-noise.ts';
import { mapPointOf } from '../../simulator/radio/map-point.ts';

const anyName = fc.nat(0xffff_ffff - 1);
const anyWay = fc.double({ min: -100_000, max: 100_000, noNaN: true });
/** Cities between two seams of the map. */
const anyPlace = fc.record({
  latitude: fc.double({ min: 46.1, max: 55.9, noNaN: true }),
  longitude: fc.double({ min: -170, max: 170, noNaN: true }),
});

describe('noise by place and time', () => {
  test('is the same for every call, and bounded', () => {
    fc.assert(
      fc.property(anyName, anyWay, anyWay, (name, one, other) => {
        expect(noiseOver(name, one, other)).toBe(noiseOver(name, one, other));
        expect(Math.abs(noiseOver(name, one, other))).toBeLessThanOrEqual(LARGEST_NOISE);
        expect(Math.abs(noiseAlong(name, one))).toBeLessThanOrEqual(LARGEST_NOISE);
      }),
    );
  });

  test('has similar values at nearby places', () => {
    fc.assert(
      fc.property(
        anyName,
        anyWay,
        anyWay,
        fc.double({ min: 0, max: 0.001, noNaN: true }),
        (name, one, other, by) => {
          expect(Math.abs(noiseOver(name, one, other) - noiseOver(name, one + by, other))).toBeLessThan(0.03);
          expect(Math.abs(noiseAlong(name, one) - noiseAlong(name, one + by))).toBeLessThan(0.03);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['along a line', (name: number, at: number) => noiseAlong(name, at)],
    ['over a plane', (name: number, at: number) => noiseOver(name, at * 0.8, at * 0.6)],
  ])('%s has the mean 0, the deviation 1, and the correlation exp(−d) of Gudmundson', (_where, noise) => {
    for (const apart of [0.25, 0.5, 1, 2, 3, 5]) {
      const count = 60_000;
      let [sum, squares, products] = [0, 0, 0];
      for (let index = 0; index < count; index += 1) {
        const [name, at] = [hashed(7, index % 997), (index * 0.37) % 5_000];
        const value = noise(name, at);
        sum += value;
        squares += value * value;
        products += value * noise(name, at + apart);
      }
      expect(sum / count).toBeCloseTo(0, 1);
      expect(Math.abs(squares / count - 1)).toBeLessThan(0.06);
      expect(Math.abs(products / squares - Math.exp(-apart))).toBeLessThan(0.08);
    }
  });

  test('of two names is uncorrelated', () => {
    const count = 20_000;
    let products = 0;
    for (let index = 0; index < count; index += 1)
      products += noiseOver(1, index * 0.7, 3) * noiseOver(2, index * 0.7, 3);
    expect(Math.abs(products / count)).toBeLessThan(0.05);
  });
});

describe('the mobile network of a country', () => {
  test('has one level at a place, whatever was queried before', () => {
    fc.assert(
      fc.property(anyName, fc.array(anyPlace, { minLength: 1, maxLength: 6 }), (name, places) => {
        const asked = new Coverage(name);
        const levels = places.map((place) => asked.levelDbm(place));
        for (const [index, place] of [...places.entries()].reverse())
          expect(new Coverage(name).levelDbm(place)).toBe(levels[index]);
      }),
    );
  });

  test('has similar levels a metre apart', () => {
    fc.assert(
      fc.property(anyName, anyPlace, fc.boolean(), (name, place, isNorth) => {
        const coverage = new Coverage(name);
        const next = isNorth
          ? { ...place, latitude: place.latitude + 0.000009 }
          : { ...place, longitude: place.longitude + 0.000014 };
        const heard = (level: number) => Math.max(level, -125);
        const apart = Math.abs(heard(coverage.levelDbm(place)) - heard(coverage.levelDbm(next)));
        expect(apart).toBeLessThan(5);
      }),
      { numRuns: 3_000 },
    );
  });

  test('decreases with the distance from a site as in 3GPP TR 38.901, and faster where its antenna is tilted away', () => {
    // 13.54 + 39.08 lg 500.55 + 20 lg 1.8 at 500 m, of 46 dBm + 15 dBi − 9 dB.
    expect(meanDbm(500 * 500)).toBeCloseTo(
      52 - 13.54 - 39.08 * Math.log10(500.552) - 20 * Math.log10(1.8),
      2,
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2_700 }), fc.integer({ min: 1, max: 300 }), (fromM, byM) => {
        expect(meanDbm((fromM + byM) * (fromM + byM))).toBeLessThan(meanDbm(fromM * fromM));
      }),
    );
  });

  test('differs between seeds, is mostly good in a city, and has a few places without coverage', () => {
    const levels = new Set<number>();
    const csqs: number[] = [];
    for (let name = 1; name <= 40; name += 1) {
      const coverage = new Coverage(name * 7_919);
      levels.add(coverage.levelDbm({ latitude: 52.5, longitude: 13.4 }));
      for (let index = 0; index < 250; index += 1)
        csqs.push(csqOf(coverage.levelDbm({ latitude: 52.5, longitude: 13.3 + index * 0.0007 })));
    }
    expect(levels.size).toBe(40);
    csqs.sort((one, other) => one - other);
    const at = (share: number) => csqs[Math.floor(share * (csqs.length - 1))] ?? 0;
    expect(at(0.5)).toBeGreaterThan(14);
    expect(at(0.5)).toBeLessThan(24);
    expect(at(0.9) - at(0.1)).toBeGreaterThan(6);
    const dark = csqs.filter((csq) => csq < 3).length / csqs.length;
    expect(dark).toBeGreaterThan(0.002);
    expect(dark).toBeLessThan(0.05);
  });

  test('gives +CSQ as in 3GPP TS 27.007', () => {
    expect([-140, -113, -111, -109, -53, -51, -20].map(csqOf)).toEqual([0, 0, 1, 2, 30, 31, 31]);
  });

  test('uses a map whose metres are accurate to about a tenth', () => {
    fc.assert(
      fc.property(fc.double({ min: 36, max: 65.9, noNaN: true }), (latitude) => {
        const wide =
          mapPointOf({ latitude, longitude: 11 }).eastM - mapPointOf({ latitude, longitude: 10 }).eastM;
        expect(wide / (111_195 * Math.cos((latitude * Math.PI) / 180))).toBeGreaterThan(0.8);
        expect(wide / (111_195 * Math.cos((latitude * Math.PI) / 180))).toBeLessThan(1.2);
      }),
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  atan2,
  bearingDegrees,
  cos,
  distanceM,
  exp,
  PI,
  placeBetween,
  sin,
  turnDegrees,
  wrapDegrees,
} from '../../../simulator/arithmetic.ts';

/** Without the negative zero, which the library tells apart in the arctangent. */
const angle = fc.double({ min: -1e5, max: 1e5, noNaN: true }).map((value) => value + 0);
const berlin = fc.record({
  latitude: fc.double({ min: 52.4, max: 52.6, noNaN: true }),
  longitude: fc.double({ min: 13.2, max: 13.6, noNaN: true }),
});

describe('arithmetic', () => {
  test('agrees with the library within 1e-12', () => {
    fc.assert(
      fc.property(angle, angle, (x, y) => {
        expect(Math.abs(sin(x) - Math.sin(x))).toBeLessThan(1e-12);
        expect(Math.abs(cos(x) - Math.cos(x))).toBeLessThan(1e-12);
        expect(Math.abs(atan2(y, x) - Math.atan2(y, x))).toBeLessThan(1e-12);
      }),
      { numRuns: 2000 },
    );
  });

  test('has an exponential with a relative error below 1e-13', () => {
    fc.assert(
      fc.property(fc.double({ min: -600, max: 600, noNaN: true }), (x) => {
        expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(1e-13);
      }),
    );
    expect(exp(0)).toBe(1);
    expect(exp(-1e9)).toBe(0);
  });

  test('gives the arctangent in the right quadrant', () => {
    expect(atan2(0, 1)).toBe(0);
    expect(atan2(1, 0)).toBeCloseTo(PI / 2, 14);
    expect(atan2(0, -1)).toBeCloseTo(PI, 14);
    expect(atan2(-1, 0)).toBeCloseTo(-PI / 2, 14);
    expect(atan2(0, 0)).toBe(0);
  });

  test('keeps directions in [0, 360) and turns in [-180, 180)', () => {
    fc.assert(
      fc.property(angle, angle, (a, b) => {
        const wrapped = wrapDegrees(a);
        expect(wrapped >= 0 && wrapped < 360).toBe(true);
        const turn = turnDegrees(a, b);
        expect(turn >= -180 && turn < 180).toBe(true);
      }),
    );
    expect(wrapDegrees(-1e-20)).toBe(0);
    expect(turnDegrees(350, 10)).toBeCloseTo(20, 9);
  });

  test('measures city distances as the haversine formula does', () => {
    const haversine = (
      a: { latitude: number; longitude: number },
      b: { latitude: number; longitude: number },
    ) => {
      const rad = Math.PI / 180;
      const h =
        Math.sin(((b.latitude - a.latitude) * rad) / 2) ** 2 +
        Math.cos(a.latitude * rad) *
          Math.cos(b.latitude * rad) *
          Math.sin(((b.longitude - a.longitude) * rad) / 2) ** 2;
      return 2 * 6_371_008.8 * Math.asin(Math.sqrt(h));
    };
    fc.assert(
      fc.property(berlin, berlin, (a, b) => {
        const expected = haversine(a, b);
        expect(Math.abs(distanceM(a, b) - expected)).toBeLessThanOrEqual(expected * 0.001 + 1e-6);
      }),
    );
  });

  test('finds north, east, south and west', () => {
    const from = { latitude: 52.5, longitude: 13.4 };
    expect(bearingDegrees(from, { latitude: 52.51, longitude: 13.4 })).toBeCloseTo(0, 6);
    expect(bearingDegrees(from, { latitude: 52.5, longitude: 13.41 })).toBeCloseTo(90, 6);
    expect(bearingDegrees(from, { latitude: 52.49, longitude: 13.4 })).toBeCloseTo(180, 6);
    expect(bearingDegrees(from, { latitude: 52.5, longitude: 13.39 })).toBeCloseTo(270, 6);
    expect(bearingDegrees(from, from)).toBe(0);
  });

  test('interpolates along a path proportionally', () => {
    fc.assert(
      fc.property(berlin, berlin, fc.double({ min: 0, max: 1, noNaN: true }), (a, b, fraction) => {
        const whole = distanceM(a, b);
        const part = distanceM(a, placeBetween(a, b, fraction));
        expect(Math.abs(part - whole * fraction)).toBeLessThan(whole * 0.002 + 1e-6);
      }),
    );
  });
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInPlace } from '../../../../../scenarios/language/steps/geo-place.ts';

const at = (latitude: number, longitude: number) => ({ latitude, longitude });

test('a circle has what is no farther away than its radius', () => {
  const place = { around: at(52.52, 13.4), radiusM: 400 };
  expect(isInPlace(place, at(52.5235, 13.4))).toBe(true);
  expect(isInPlace(place, at(52.524, 13.4))).toBe(false);
  expect(isInPlace(place, at(Number.NaN, 13.4))).toBe(false);
});

test('a polygon has what lies within it, also where it bends inwards, and across the date line', () => {
  const bent = { polygon: [at(0, 0), at(4, 0), at(4, 4), at(3, 1), at(0, 4)] };
  expect(isInPlace(bent, at(1, 1))).toBe(true);
  expect(isInPlace(bent, at(3, 3))).toBe(false);
  expect(isInPlace(bent, at(5, 1))).toBe(false);
  const far = { polygon: [at(-1, 179), at(1, 179), at(1, -179), at(-1, -179)] };
  expect(isInPlace(far, at(0, 179.5))).toBe(true);
  expect(isInPlace(far, at(0, -179.5))).toBe(true);
  expect(isInPlace(far, at(0, 178.5))).toBe(false);
});

test('a rectangle has exactly what is between its sides, wherever its corners begin', () => {
  const part = fc.double({ min: -1, max: 1, noNaN: true }).filter((one) => Math.abs(one) !== 0.5);
  fc.assert(
    fc.property(part, part, fc.nat(3), fc.boolean(), (north, east, first, isTurned) => {
      const corners = [at(47.5, 7.5), at(48.5, 7.5), at(48.5, 8.5), at(47.5, 8.5)];
      const moved = [...corners.slice(first), ...corners.slice(0, first)];
      const polygon = isTurned ? moved.toReversed() : moved;
      const isBetween = Math.abs(north) < 0.5 && Math.abs(east) < 0.5;
      expect(isInPlace({ polygon }, at(48 + north, 8 + east))).toBe(isBetween);
    }),
  );
});

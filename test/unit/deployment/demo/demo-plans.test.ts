import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planDemo, staggering } from '../../../../deployment/demo/demo-plans.ts';
import { routeNamed } from '../../../../simulator/routes/routes.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';

const plan = (seed: number, count: number) =>
  planDemo(seededRandom(seed), count, { radio: 'ideal' }, () => 'secret');

test('every vehicle of a fleet begins at its own place, and keeps it in a larger fleet', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 60 }), (seed, count) => {
      const { vehicles, shelf, cars } = plan(seed, count);
      const placesM = new Map<string, number[]>();
      for (const { route, startFraction } of [...vehicles, ...shelf, ...cars])
        placesM.set(route, [...(placesM.get(route) ?? []), startFraction * routeNamed(route).lengthM]);
      for (const [route, places] of placesM) {
        const { lengthM } = routeNamed(route);
        for (const [index, one] of places.entries())
          for (const other of places.slice(index + 1)) {
            const apartM = Math.abs(one - other);
            expect(Math.min(apartM, lengthM - apartM)).toBeGreaterThan(lengthM / (3 * places.length));
          }
      }
      const larger = plan(seed, count + 7);
      const places = (plans: readonly { readonly startFraction: number }[]) =>
        plans.map(({ startFraction }) => startFraction);
      expect(places(larger.vehicles).slice(0, count)).toEqual(places(vehicles));
      expect(places(larger.cars)).toEqual(places(cars));
    }),
    { numRuns: 50 },
  );
});

test('the places of a route are those of one lap, from 0 on', () => {
  const placed = staggering();
  const places = Array.from({ length: 1_000 }, () => placed({ route: 'berlin-west' }).startFraction);
  expect(places[0]).toBe(0);
  expect(new Set(places).size).toBe(1_000);
  for (const place of places) expect(place >= 0 && place < 1).toBe(true);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODELS } from '../../protocol/models/models.ts';
import { distanceM } from '../../simulator/arithmetic.ts';
import { planFleet } from '../../simulator/fleet/fleet-plan.ts';
import { routeInFile } from '../../simulator/routes/file.ts';
import { limits as routeLimits } from '../../simulator/routes/limits.ts';
import { handlingOf } from '../../simulator/vehicle/driving/handling.ts';
import { fromMilligravity } from '../../simulator/vehicle/forces.ts';
import { limits } from '../../simulator/vehicle/limits.ts';
import { makeVehicle } from '../../simulator/vehicle/vehicle.ts';
import { seededRandom } from '../../world/random/seeded-random.ts';
import { START_MS, truthOf } from '../support/vehicles/any-vehicle.ts';

/** A recorded way: a point every few metres or every few hundred, that wanders. */
const anyWay = fc
  .tuple(
    fc.constantFrom(2, 12, 150),
    fc.array(fc.tuple(fc.integer({ min: -100, max: 100 }), fc.integer({ min: -100, max: 100 })), {
      minLength: 8,
      maxLength: 150,
    }),
  )
  .map(([strideM, steps]) => {
    let [latitude, longitude] = [48.1, 11.5];
    return steps.map(([north, east]) => {
      latitude += (north * strideM) / 1e7;
      longitude += ((east + 60) * strideM) / 5e6;
      return [longitude, latitude];
    });
  });

describe('a drive along a file', () => {
  test('obeys the speed limit, takes bends comfortably and does not leave the route, whatever the file contains', () => {
    fc.assert(
      fc.property(anyWay, fc.constantFrom(...MODELS.keys()), fc.integer(), (coordinates, name, seed) => {
        const text = JSON.stringify({ type: 'LineString', coordinates });
        const read = routeInFile('way', new TextEncoder().encode(text));
        fc.pre(read.fault === undefined);
        if (read.fault !== undefined) return;
        const random = seededRandom(seed);
        const [plan] = planFleet(random, 1);
        const model = MODELS.get(name);
        if (plan === undefined || model === undefined) throw new Error('no plan');
        const routes = new Map([['way', read.route]]);
        const onWay = { ...plan, model: name, route: 'way', driving: true };
        const vehicle = makeVehicle(onWay, random, START_MS, undefined, routes);
        let before = truthOf(vehicle);
        for (let second = 1; second <= 600; second += 1) {
          vehicle.advance(START_MS + second * 1_000);
          const now = truthOf(vehicle);
          const felt = vehicle.extremes();
          expect(now.speedKph).toBeLessThanOrEqual(routeLimits.fileLimitKph + 1e-6);
          expect(distanceM(before, now)).toBeLessThanOrEqual(
            (now.distanceM - before.distanceM) * 1.001 + 1e-3,
          );
          const lateral = Math.max(-felt.lateralMg[0], felt.lateralMg[1]);
          expect(fromMilligravity(lateral)).toBeLessThanOrEqual(handlingOf(model).lateralMps2 + 1e-3);
          expect(fromMilligravity(felt.longitudinalMg[0])).toBeGreaterThanOrEqual(-limits.brakingMps2 - 1e-3);
          before = now;
        }
        expect(before.distanceM).toBeGreaterThan(20);
        expect(vehicle.truth()['route']).toBe('way');
      }),
      { numRuns: 60 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODELS } from '../../../../../protocol/models/models.ts';
import { corner, cornerBefore, onLoop, type Route } from '../../../../../simulator/routes/route.ts';
import { ROUTES, routeNamed } from '../../../../../simulator/routes/routes.ts';
import { handlingOf } from '../../../../../simulator/vehicle/driving/handling.ts';
import {
  type DrivingStyle,
  type Move,
  movesOver,
  wayToStop,
} from '../../../../../simulator/vehicle/driving/moves.ts';
import { limits } from '../../../../../simulator/vehicle/limits.ts';

const anyRoute = fc.constantFrom(...ROUTES.keys());
const anyModel = fc.constantFrom(...MODELS.keys());
const anyFraction = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

function stage(name: string, model: string) {
  const found = MODELS.get(model);
  if (found === undefined) throw new Error(`no model ${model}`);
  return { route: routeNamed(name), body: found.body, handling: handlingOf(found) };
}

function lightsOf(route: Route): readonly number[] {
  return route.corners.filter((each) => each.light).map((each) => each.startM);
}

describe('a section between two stops', () => {
  test('begins and ends at standstill, is continuous, and stays within the limits of engine and brakes', () => {
    fc.assert(
      fc.property(anyRoute, anyModel, anyFraction, fc.nat(), (name, model, fraction, luck) => {
        const { route, body, handling } = stage(name, model);
        let draws = luck;
        const isRed = () => {
          draws = (draws * 5 + 3) % 7;
          return draws < 3;
        };
        const moves = movesToRedLight(
          route,
          fraction * route.lengthM,
          { body, handling, limitShare: 0.95 },
          isRed,
        );
        expect(moves[0]?.fromMps).toBe(0);
        expect(moves.at(-1)?.toMps).toBe(0);
        for (const [index, move] of moves.entries()) {
          expect(move.lengthM).toBeGreaterThan(0);
          expect(move.durationS).toBeGreaterThan(0);
          const next = moves[index + 1];
          if (next !== undefined) expect(next.fromMps).toBeCloseTo(move.toMps, 3);
          const rate = (move.toMps - move.fromMps) / move.durationS;
          expect(rate).toBeLessThanOrEqual(body.maximumAccelerationMps2);
          expect(rate).toBeGreaterThanOrEqual(-limits.brakingMps2 - 1e-6);
        }
      }),
    );
  });

  test('ends at the first red light, and at the latest after five green ones', () => {
    fc.assert(
      fc.property(anyRoute, anyModel, anyFraction, fc.nat(8), (name, model, fraction, greens) => {
        const { route, body, handling } = stage(name, model);
        const startM = fraction * route.lengthM;
        let seen = 0;
        const isRed = () => seen++ >= greens;
        const wayM = movesToRedLight(route, startM, { body, handling, limitShare: 1 }, isRed).reduce(
          (sum, move) => sum + move.lengthM,
          0,
        );
        const lights = lightsOf(route)
          .map((lightM) => onLoop(route, lightM - startM))
          .filter((aheadM) => aheadM > 1)
          .sort((a, b) => a - b);
        const expected = lights[Math.min(greens, limits.greenInARow)] ?? Number.NaN;
        expect(Math.abs(wayM - expected)).toBeLessThan(0.01);
      }),
    );
  });

  test('never exceeds the speed limit of its street', () => {
    fc.assert(
      fc.property(anyRoute, anyModel, anyFraction, (name, model, fraction) => {
        const { route, body, handling } = stage(name, model);
        const startM = fraction * route.lengthM;
        let wayM = 0;
        for (const move of movesToRedLight(route, startM, { body, handling, limitShare: 1 }, () => false)) {
          const street = corner(route, cornerBefore(route, startM + wayM + move.lengthM / 2));
          expect(Math.max(move.fromMps, move.toMps) * 3.6).toBeLessThanOrEqual(street.limitKph + 1e-9);
          wayM += move.lengthM;
        }
      }),
    );
  });

  test('ends after one lap without lights', () => {
    const [some] = ROUTES.values();
    if (some === undefined) throw new Error('no routes');
    const dark = { ...some, corners: some.corners.map((each) => ({ ...each, light: false })) };
    const [model] = MODELS.keys();
    if (model === undefined) throw new Error('no models');
    const { body, handling } = stage(some.name, model);
    const wayM = movesToRedLight(dark, 0, { body, handling, limitShare: 1 }, () => false).reduce(
      (sum, move) => sum + move.lengthM,
      0,
    );
    expect(wayM).toBeGreaterThanOrEqual(dark.lengthM - 1);
    expect(wayM).toBeLessThan(dark.lengthM * 1.2);
  });
});

/**
 * The moves from a standstill at `alongM` to the next light that is red by `isRed`, as a driver of this style
 * drives: never above the street's limit, slower around corners, and stationary at the end.
 */
function movesToRedLight(
  route: Route,
  alongM: number,
  style: DrivingStyle,
  isRed: () => boolean,
): readonly Move[] {
  const wayM = wayToStop(route, alongM, (_corner, _aheadM) => isRed());
  return movesOver(route, { alongM, fromMps: 0, wayM }, style);
}

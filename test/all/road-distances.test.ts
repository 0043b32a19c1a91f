import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODELS } from '../../protocol/models/models.ts';
import { onLoop } from '../../simulator/routes/route.ts';
import { ROUTES, routeNamed } from '../../simulator/routes/routes.ts';
import { spacing, Traffic } from '../../simulator/vehicle/driving/traffic.ts';
import { limits } from '../../simulator/vehicle/limits.ts';
import { makeVehicle } from '../../simulator/vehicle/vehicle.ts';
import { seededRandom } from '../../world/random/seeded-random.ts';
import { START_MS } from '../support/vehicles/any-vehicle.ts';

const MODEL_NAMES = [...MODELS.keys()];

interface Crew {
  readonly seed: number;
  readonly route: string;
  /** Where each one starts, in thousandths of the round. */
  readonly starts: readonly number[];
}

/** Vehicles on one route, and a sample of all of them. */
function onStreets({ seed, route, starts }: Crew, traffic?: Traffic) {
  const { lengthM } = routeNamed(route);
  const random = seededRandom(seed);
  const vehicles = starts.map((start, index) => {
    const model = MODEL_NAMES[(seed + index * 5) % MODEL_NAMES.length] ?? 'estate';
    const plan = { boxId: `box-${index}`, model, route, startFraction: start / 1_000, driving: true };
    return makeVehicle(plan, random, START_MS, undefined, ROUTES, traffic);
  });
  // A vehicle has left the kerb once it has moved after that.
  const kerbM = vehicles.map(() => 0);
  const look = (atMs: number) =>
    vehicles.map((vehicle, index) => {
      vehicle.advance(atMs);
      const truth = vehicle.truth() as { distanceM: number; ignitionOn: boolean; driverWish: string };
      const isIn =
        truth.ignitionOn && truth.driverWish === 'drive' && truth.distanceM > (kerbM[index] ?? 0) + 0.01;
      if (!truth.ignitionOn) kerbM[index] = truth.distanceM;
      return {
        isIn,
        wayM: truth.distanceM,
        alongM: (lengthM * (starts[index] ?? 0)) / 1_000 + truth.distanceM,
      };
    });
  return { vehicles, look, lengthM };
}

/** The shortest way between two that drive, along the round. */
function nearestM(seen: ReturnType<ReturnType<typeof onStreets>['look']>, lengthM: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  for (const [index, one] of seen.entries())
    for (const other of seen.slice(index + 1)) {
      if (!one.isIn || !other.isIn) continue;
      const apartM = onLoop({ lengthM } as never, one.alongM - other.alongM);
      nearest = Math.min(nearest, apartM, lengthM - apartM);
    }
  return nearest;
}

const anyCrew = fc.record({
  seed: fc.nat(1_000_000),
  route: fc.constantFrom(...ROUTES.keys()),
  starts: fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 2, maxLength: 9 }),
});

type Order = readonly [who: number, what: 'park' | 'drive'];
const anyOrders = fc.array(
  fc.tuple(
    fc.integer({ min: 1, max: 120_000 }),
    fc.option(fc.tuple(fc.nat(8), fc.constantFrom<Order[1]>('park', 'drive')), { nil: undefined }),
  ),
  { minLength: 5, maxLength: 40 },
);

describe('vehicles on one road', () => {
  test('keep their distance every second, whichever of them park or drive on', () => {
    fc.assert(
      fc.property(anyCrew, anyOrders, (crew, orders) => {
        const { vehicles, look, lengthM } = onStreets(crew, new Traffic());
        const { distanceM } = spacing({ lengthM }, vehicles.length);
        let atMs = START_MS;
        for (const [waitMs, order] of orders) {
          const untilMs = atMs + waitMs;
          for (; atMs < untilMs; atMs += 1_000)
            expect(nearestM(look(atMs), lengthM), `at ${atMs - START_MS} ms`).toBeGreaterThanOrEqual(
              distanceM - 1e-6,
            );
          look(untilMs);
          atMs = untilMs;
          if (order === undefined) continue;
          const vehicle = vehicles[order[0] % vehicles.length];
          if (order[1] === 'park') vehicle?.park();
          else vehicle?.drive();
        }
      }),
      { numRuns: 60 },
    );
  });

  test('do not keep a distance without traffic: the road model causes it', () => {
    const crew = { seed: 4, route: 'munich-leopold', starts: [0, 100, 200, 300, 400, 500, 600, 700, 800] };
    const { look, lengthM } = onStreets(crew);
    let nearest = Number.POSITIVE_INFINITY;
    for (let second = 0; second < 3_600; second += 1)
      nearest = Math.min(nearest, nearestM(look(START_MS + second * 1_000), lengthM));
    expect(nearest).toBeLessThan(5);
  });

  test('have the same positions however often and whichever of them are sampled', () => {
    fc.assert(
      fc.property(
        anyCrew,
        fc.array(fc.tuple(fc.nat(8), fc.integer({ min: 0, max: 1_800_000 })), { maxLength: 30 }),
        (crew, looks) => {
          const endMs = START_MS + 1_800_000;
          const seldom = onStreets(crew, new Traffic());
          const often = onStreets(crew, new Traffic());
          for (const [who, afterMs] of [...looks].sort(([, one], [, other]) => one - other)) {
            const vehicle = often.vehicles[who % often.vehicles.length];
            vehicle?.advance(START_MS + afterMs);
            vehicle?.truth();
          }
          expect(often.look(endMs)).toEqual(seldom.look(endMs));
        },
      ),
      { numRuns: 40 },
    );
  });

  test('can park at the kerb except where another vehicle is parked', () => {
    const crew = { seed: 9, route: 'munich-leopold', starts: [0, 400] };
    const { vehicles, look, lengthM } = onStreets(crew, new Traffic());
    const [one, other] = vehicles;
    other?.park();
    let blocked = 0;
    for (let second = 0; second < 1_800; second += 1) {
      const [mine, theirs] = look(START_MS + second * 1_000);
      const truth = one?.truth() as unknown as { speedKph: number; isKerbFree: boolean };
      const { speedKph, isKerbFree } = truth;
      const stopM = (speedKph * speedKph) / (3.6 * 3.6 * 2 * limits.stoppingMps2);
      const apartM = onLoop({ lengthM } as never, (theirs?.alongM ?? 0) - (mine?.alongM ?? 0) - stopM);
      expect(isKerbFree).toBe(Math.min(apartM, lengthM - apartM) >= limits.kerbM);
      if (!isKerbFree) blocked += 1;
    }
    expect(blocked).toBeGreaterThan(0);
  });

  test('make progress: all of them on a street with space, most of them on a full one', () => {
    const waysOf = (count: number) => {
      const starts = Array.from({ length: count }, (_, index) => (index * 618) % 1_000);
      const { look } = onStreets({ seed: 11, route: 'munich-leopold', starts }, new Traffic());
      return look(START_MS + 1_200_000).map(({ wayM }) => wayM);
    };
    expect(Math.min(...waysOf(2))).toBeGreaterThan(3_000);
    expect(Math.min(...waysOf(20))).toBeGreaterThan(1_500);
    const crowded = waysOf(150);
    expect(crowded.filter((wayM) => wayM > 500).length).toBeGreaterThan(120);
  });
});

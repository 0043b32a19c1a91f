import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { VehicleModel } from '../../protocol/models/model.ts';
import { MODELS } from '../../protocol/models/models.ts';
import { type DriverActivity, driverPlan } from '../../simulator/drivers/driver-plan.ts';
import { type DriverView, decideDriverStep } from '../../simulator/drivers/driver-step.ts';
import { driverLimits } from '../../simulator/limits.ts';
import { seededRandom } from '../../world/random/seeded-random.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const anyMs = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) });
const anyPlace = fc.record({
  seed: fc.integer(),
  vehicle: fc.stringMatching(/^[A-Z0-9]{5}$/),
  place: fc.nat(9_000),
});
const planOf = ({ seed, vehicle, place }: { seed: number; vehicle: string; place: number }) =>
  driverPlan(seededRandom(seed), vehicle, place);

/** The activities of this many days, in order. */
function activities(
  plan: ReturnType<typeof driverPlan>,
  fromMs: number,
  days: number,
): readonly DriverActivity[] {
  const found: DriverActivity[] = [];
  for (let atMs = fromMs; atMs < fromMs + days * DAY_MS; ) {
    const activity = plan.at(atMs);
    found.push(activity);
    atMs = activity.untilMs;
  }
  return found;
}

describe("the plan of a vehicle's drivers", () => {
  test('is a pure function of seed, vehicle, position and time', () => {
    fc.assert(
      fc.property(anyPlace, fc.array(anyMs, { minLength: 1, maxLength: 20 }), (of, moments) => {
        const [plan, again] = [planOf(of), planOf(of)];
        const there = moments.map((atMs) => plan.at(atMs));
        // Asked in another order, and twice.
        expect([...moments].reverse().map((atMs) => again.at(atMs))).toEqual([...there].reverse());
        expect(moments.map((atMs) => plan.at(atMs))).toEqual(there);
      }),
    );
  });

  test('has no gaps or overlaps; a trip takes 3 to 25 minutes, a pause 2 to 20', () => {
    fc.assert(
      fc.property(anyPlace, anyMs, (of, fromMs) => {
        const found = activities(planOf(of), fromMs, 8);
        for (const [index, { kind, fromMs: beginMs, untilMs }] of found.entries()) {
          const before = found[index - 1];
          if (before !== undefined) expect(beginMs).toBe(before.untilMs);
          const minutes = (untilMs - beginMs) / MINUTE_MS;
          if (kind === 'trip') expect(minutes >= 3 && minutes <= 25, `trip of ${minutes}`).toBe(true);
          if (kind === 'pause') expect(minutes >= 2 && minutes <= 20, `pause of ${minutes}`).toBe(true);
          if (kind === 'rest') expect(minutes).toBe(driverLimits.restDays * 24 * 60);
          if (before?.kind === 'trip') expect(kind).not.toBe('trip');
        }
      }),
      { numRuns: 60 },
    );
  });

  test('leaves one of every eight vehicles parked for days, each of them in turn', () => {
    fc.assert(
      fc.property(fc.integer(), anyMs, fc.nat(100), (seed, atMs, group) => {
        const random = seededRandom(seed);
        const plans = Array.from({ length: driverLimits.restIn }, (_, index) =>
          driverPlan(random, `V${index}`, group * driverLimits.restIn + index),
        );
        const resting = (thenMs: number) =>
          plans.flatMap((plan, index) => (plan.at(thenMs).kind === 'rest' ? [index] : []));
        expect(resting(atMs)).toHaveLength(1);
        const year = Array.from({ length: 200 }, (_, day) => resting(atMs + day * DAY_MS)[0]);
        expect(new Set(year).size).toBe(driverLimits.restIn);
      }),
      { numRuns: 30 },
    );
  });

  test('has about half of a fleet driving at any time, and trips that begin and end within twenty minutes', () => {
    fc.assert(
      fc.property(fc.integer(), anyMs, (seed, atMs) => {
        const random = seededRandom(seed);
        const plans = Array.from({ length: 240 }, (_, place) => driverPlan(random, `V${place}`, place));
        const driving = (thenMs: number) => plans.filter((plan) => plan.at(thenMs).kind === 'trip');
        expect(driving(atMs).length).toBeGreaterThan(80);
        expect(driving(atMs).length).toBeLessThan(160);
        const moved = plans.filter((plan) => plan.at(atMs).untilMs < atMs + 20 * MINUTE_MS);
        expect(moved.length).toBeGreaterThan(170);
      }),
      { numRuns: 40 },
    );
  });
});

const anySeen: fc.Arbitrary<DriverView> = fc.record({
  drives: fc.boolean(),
  isAtRest: fc.boolean(),
  energyPercent: fc.double({ min: 0, max: 100, noNaN: true }),
  tankPercent: fc.option(fc.double({ min: 0, max: 100, noNaN: true }), { nil: undefined }),
  isPlugged: fc.boolean(),
  isRented: fc.boolean(),
  isKerbFree: fc.boolean(),
});
const anyActivity: fc.Arbitrary<DriverActivity> = fc.record({
  kind: fc.constantFrom<DriverActivity['kind']>('trip', 'pause', 'rest'),
  fromMs: fc.constant(0),
  untilMs: fc.integer({ min: 1, max: 30 * MINUTE_MS }),
});
const anyModel = fc.constantFrom(...MODELS.values());

/** Only a plug-in hybrid has two stores, and only what has a plug is plugged in. */
function seenOfModel(seen: DriverView, { body }: VehicleModel): DriverView {
  return {
    ...seen,
    isPlugged: seen.isPlugged && body.chargeKw !== undefined,
    tankPercent: body.hybrid === undefined ? undefined : (seen.tankPercent ?? 50),
  };
}

describe('a driver', () => {
  test('begins a trip only if it is planned, and the vehicle is parked, not rented and has enough energy', () => {
    fc.assert(
      fc.property(anyActivity, anySeen, anyModel, (activity, found, model) => {
        const seen = seenOfModel(found, model);
        const step = decideDriverStep(activity, seen, model, 0);
        if (step.what !== 'begin') return;
        expect(activity.kind).toBe('trip');
        expect(seen).toMatchObject({ drives: false, isAtRest: true, isRented: false });
        expect(activity.untilMs).toBeGreaterThanOrEqual(driverLimits.worthwhileMs);
        if (seen.isPlugged) expect(seen.energyPercent).toBeGreaterThanOrEqual(driverLimits.enoughPercent);
        expect(seen.energyPercent >= driverLimits.lowPercent).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('drives only rented vehicles, ends each rental, and charges or refuels each vehicle with low energy', () => {
    fc.assert(
      fc.property(anyActivity, anySeen, anyModel, (activity, found, model) => {
        const seen = seenOfModel(found, model);
        const step = decideDriverStep(activity, seen, model, 0);
        if (activity.kind === 'trip' && seen.drives)
          expect(step.what).toBe(seen.isRented ? 'nothing' : 'rent');
        if (activity.kind !== 'trip' && seen.drives)
          expect(step.what).toBe(seen.isKerbFree ? 'park' : 'nothing');
        const isParked = seen.isAtRest && !seen.drives;
        if (isParked && seen.isRented) expect(step.what).toBe('return');
        const isLow = seen.energyPercent < driverLimits.lowPercent && !seen.isPlugged;
        if (isParked && !seen.isRented && isLow) expect(step.what).toBe('supply');
      }),
      { numRuns: 1_000 },
    );
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODELS } from '../../../../../protocol/models/models.ts';
import { limits as firmwareLimits } from '../../../../../simulator/limits.ts';
import { limits } from '../../../../../simulator/vehicle/limits.ts';
import { makeVehicle } from '../../../../../simulator/vehicle/vehicle.ts';
import { seededRandom } from '../../../../../world/random/seeded-random.ts';

const T = Date.UTC(2026, 0, 5, 6);
const STEP_MS = 50;

/** A parked vehicle that may drive, with a starter battery of that charge. */
function parked(model: string, percent: number) {
  const plan = { boxId: '00000000000000a1', model, route: 'berlin-east', startFraction: 0, driving: false };
  const vehicle = makeVehicle(plan, seededRandom(3), T);
  vehicle.actuate({ set: 'locked', to: false });
  vehicle.actuate({ set: 'drivingEnabled', to: true });
  vehicle.operate({ kind: 'wear', what: 'starter_battery', percent });
  return vehicle;
}

/** The times in which the box would be without power, looked at every so often while the vehicle starts. */
function dipsOf(model: string, percent: number): readonly (readonly [fromMs: number, toMs: number])[] {
  const vehicle = parked(model, percent);
  vehicle.advance(T + 1_000);
  vehicle.drive();
  const dips: [number, number][] = [];
  for (let ms = T + 1_000; ms < T + 6_000; ms += STEP_MS) {
    vehicle.advance(ms);
    if (vehicle.sensors().supplyMillivolts >= firmwareLimits.brownOutMillivolts) continue;
    const last = dips.at(-1);
    if (last?.[1] === ms) last[1] = ms + STEP_MS;
    else dips.push([ms, ms + STEP_MS]);
  }
  return dips.map(([fromMs, toMs]) => [fromMs - T - 1_000, toMs - T - 1_000]);
}

describe('a starter', () => {
  test('causes a power loss of the box only with a weak battery, and never in a vehicle without one', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...MODELS.keys()),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (model, percent) => {
          const fuel = MODELS.get(model)?.fuelType;
          const isWeak = percent < 35 && (fuel === 'PETROL' || fuel === 'DIESEL');
          const attempts = percent < limits.stallingPercent ? 2 : 1;
          expect(dipsOf(model, percent)).toHaveLength(isWeak ? attempts : 0);
        },
      ),
    );
  });

  test('that fails at the first attempt interrupts the start of the box with the second', () => {
    const [first, second] = dipsOf('petrol-compact', 5);
    const bootsMs = (first?.[1] ?? 0) + firmwareLimits.bootMs;
    expect(second?.[0]).toBeGreaterThan(bootsMs);
    expect(second?.[0]).toBeLessThan(bootsMs + firmwareLimits.bootMs);
  });

  test('is included in the next change of the vehicle beforehand', () => {
    const vehicle = parked('petrol-compact', 5);
    vehicle.advance(T + 1_000);
    vehicle.drive();
    const edges: number[] = [];
    for (let ms = vehicle.nextChangeMs(); ms !== undefined && ms < T + 6_000; ms = vehicle.nextChangeMs()) {
      vehicle.advance(ms);
      edges.push(ms - T - 1_000);
    }
    expect(edges).toEqual([900, 1_350, 2_250]);
  });
});

describe('a starter battery at rest', () => {
  const voltsAfter = (percent: number, days: number) => {
    const vehicle = parked('petrol-compact', percent);
    vehicle.advance(T + days * 86_400_000);
    return vehicle.sensors().supplyMillivolts;
  };

  test('powers a box for months if it is good, and for a week or two if it is worn', () => {
    expect(voltsAfter(100, 90)).toBeGreaterThan(firmwareLimits.wakeMillivolts);
    expect(voltsAfter(25, 3)).toBeGreaterThan(firmwareLimits.lowMillivolts);
    expect(voltsAfter(25, 14)).toBeLessThan(firmwareLimits.lowMillivolts);
    // It still starts the box when the ignition is turned on.
    expect(voltsAfter(0, 365)).toBeGreaterThan(firmwareLimits.goneMillivolts);
  });
});

describe('a workshop', () => {
  test('replaces a weak starter battery, and keeps a good one', () => {
    for (const [percent, isExchanged] of [
      [20, true],
      [90, false],
    ] as const) {
      const vehicle = parked('petrol-compact', percent);
      vehicle.advance(T + 1_000);
      expect(vehicle.operate({ kind: 'workshop' })).toBeUndefined();
      expect(vehicle.sensors().supplyMillivolts === 0).toBe(isExchanged);
      vehicle.advance(T + 1_000 + limits.exchangeMs);
      expect(vehicle.sensors().supplyMillivolts).toBeGreaterThan(firmwareLimits.restoreMillivolts);
    }
  });
});

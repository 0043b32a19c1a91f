import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { signalQuality } from '../../backend/vehicles/box-properties.ts';
import { SENSOR_ERRORS } from '../../simulator/sensor-errors.ts';
import type { PersistentVehicle } from '../../simulator/vehicle/vehicle.ts';
import {
  anyVehicle,
  anyVehicleStep,
  applyVehicleStep,
  START_MS,
  vehicleOf,
} from '../support/vehicles/any-vehicle.ts';
import { gnssErrorsOf } from '../support/vehicles/gnss-errors.ts';

/** The signals of a vehicle beside its truth at the same moment. */
function compared(vehicle: PersistentVehicle): void {
  const truth = vehicle.truth() as Record<string, number>;
  const sensors = vehicle.sensors();
  const { gnss } = sensors.signals;
  if (gnss === undefined) throw new Error('no receiver');
  expect(gnss.quality).toBe(truth['gnssFixQuality']);
  expect(gnss.satellites).toBe(truth['gnssSatellites']);
  expect(gnss.hdop).toBe(truth['gnssHdop']);
  if (gnss.quality !== 0)
    for (const [what, off, most] of gnssErrorsOf(gnss, truth))
      expect(off, what).toBeLessThanOrEqual(most + 1e-6);
  const [really, measured] = [signalQuality(truth['csq'] ?? 0) ?? 0, signalQuality(sensors.csq) ?? 0];
  expect(Math.abs(really - measured)).toBeLessThanOrEqual(SENSOR_ERRORS.cellular_signal_quality.most);
}

describe('a vehicle', () => {
  test('reports no value that differs from its truth by more than the table of sensor errors allows', () => {
    fc.assert(
      fc.property(
        anyVehicle,
        fc.constantFrom('road' as const, 'ideal' as const),
        fc.array(anyVehicleStep, { maxLength: 12 }),
        ({ seed, change }, radio, steps) => {
          const vehicle = vehicleOf(seed, { ...change, radio });
          let atMs = START_MS;
          for (const step of steps) {
            atMs = applyVehicleStep(vehicle, step, atMs);
            vehicle.advance(atMs);
            compared(vehicle);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  test('that is parked reports the same position for hours, and no speed', () => {
    fc.assert(
      fc.property(anyVehicle, fc.integer({ min: 1, max: 100 }), ({ seed, change }, hours) => {
        const vehicle = vehicleOf(seed, { ...change, driving: true });
        vehicle.advance(START_MS + 600_000);
        vehicle.park();
        vehicle.advance(START_MS + 660_000);
        const first = vehicle.sensors().signals.gnss;
        vehicle.advance(START_MS + 660_000 + hours * 3_600_000);
        expect(vehicle.sensors().signals.gnss).toEqual(first);
        expect(first?.quality === 6 || first?.speedKph === 0).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('that drives has a signal and a fix that change along the route, and a Doppler speed that differs from its wheel speed', () => {
    const vehicle = vehicleOf(3, { route: 'berlin-west', driving: true });
    const qualities = new Set<number | undefined>();
    const satellites = new Set<number>();
    const fixes = new Set<number>();
    let [apart, looks] = [0, 0];
    for (let atMs = START_MS; atMs < START_MS + 1_800_000; atMs += 10_000) {
      vehicle.advance(atMs);
      const sensors = vehicle.sensors();
      const { gnss } = sensors.signals;
      qualities.add(signalQuality(sensors.csq));
      satellites.add(gnss?.satellites ?? -1);
      fixes.add(gnss?.quality ?? -1);
      if (sensors.speedKph < 10) continue;
      looks += 1;
      if (gnss?.quality !== 6 && gnss?.speedKph !== sensors.speedKph) apart += 1;
    }
    expect(qualities.size).toBeGreaterThanOrEqual(3);
    expect(satellites.size).toBeGreaterThan(6);
    expect(fixes).toEqual(new Set([1, 2, 6]));
    expect(apart / looks).toBeGreaterThan(0.9);
  });

  test('shares one network with others: at one position their signals differ only by their antennas', () => {
    const [one, other] = [1, 2].map((index) => vehicleOf(8, { boxId: `box${index}`, route: 'berlin-west' }));
    const level = (vehicle: PersistentVehicle | undefined) => Number(vehicle?.truth()['signalLevelDbm']);
    expect(Math.abs(level(one) - level(other))).toBeLessThanOrEqual(8);
    expect(level(vehicleOf(9, { boxId: 'box1', route: 'berlin-west' }))).not.toBe(level(one));
  });

  test('has places without a network while it drives on a road, and is always reachable at rest', () => {
    let [holes, looks] = [0, 0];
    for (let seed = 1; seed <= 6; seed += 1) {
      const vehicle = vehicleOf(seed, { driving: true, radio: 'road' });
      const ideal = vehicleOf(seed, { driving: true, radio: 'ideal' });
      for (let atMs = START_MS; atMs < START_MS + 1_800_000; atMs += 2_000) {
        vehicle.advance(atMs);
        ideal.advance(atMs);
        looks += 1;
        expect(ideal.sensors()).toMatchObject({ hasCoverage: true, isOutOfReach: false });
        if (!vehicle.sensors().isOutOfReach) continue;
        holes += 1;
        expect(vehicle.sensors()).toMatchObject({ hasCoverage: false, csq: 0, networks: [] });
        const parked = vehicleOf(seed, { driving: true, radio: 'road' });
        parked.advance(atMs);
        parked.turnIgnition(false);
        parked.advance(atMs + 60_000);
        expect(parked.sensors()).toMatchObject({ hasCoverage: true, isOutOfReach: false });
      }
    }
    expect(holes).toBeGreaterThan(10);
    expect(holes / looks).toBeLessThan(0.1);
  });

  test('is sampled on a road in the second in which its network appears or disappears', () => {
    let edges = 0;
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), (seed) => {
        const vehicle = vehicleOf(seed, { driving: true, radio: 'road' });
        const never = Number.POSITIVE_INFINITY;
        let atMs = START_MS;
        for (let looks = 0; looks < 400; looks += 1) {
          vehicle.advance(atMs);
          const before = vehicle.sensors().hasCoverage;
          const fromMs = atMs + 1_000;
          const nextMs = vehicle.nextSignificantLookMs({
            fromMs,
            everyMs: 1_000,
            latestMs: fromMs + 60_000,
            dueMs: never,
            distanceM: never,
            headingDegrees: 0,
            turnDegrees: never,
            turnSpeedKph: 5,
            accelerationMg: never,
          });
          for (let lookMs = fromMs; lookMs < nextMs; lookMs += 1_000) {
            vehicle.advance(lookMs);
            expect(vehicle.sensors().hasCoverage).toBe(before);
          }
          vehicle.advance(nextMs);
          if (vehicle.sensors().hasCoverage !== before) edges += 1;
          atMs = nextMs;
        }
      }),
      { numRuns: 8 },
    );
    expect(edges).toBeGreaterThan(8);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MODELS } from '../../protocol/models/models.ts';
import { distanceM } from '../../simulator/arithmetic.ts';
import { cornerBefore } from '../../simulator/routes/route.ts';
import { routeNamed } from '../../simulator/routes/routes.ts';
import { plainInputs } from '../support/firmware/test-box.ts';
import {
  anyVehicle,
  anyVehicleStep,
  applyVehicleStep,
  START_MS,
  truthOf,
  vehicleOf,
} from '../support/vehicles/any-vehicle.ts';

type Truth = ReturnType<typeof truthOf>;

/** Figures may differ by rounding only. */
const EPSILON = 1e-6;

function holdsAlways(now: Truth, before: Truth, model: string): void {
  const body = MODELS.get(model)?.body;
  if (body === undefined) throw new Error(`no model ${model}`);
  const elapsedS = (now.atMs - before.atMs) / 1_000;
  const wayM = now.distanceM - before.distanceM;
  expect(wayM, 'way never falls').toBeGreaterThanOrEqual(0);
  expect(now.mileageKm, 'mileage never falls').toBeGreaterThanOrEqual(before.mileageKm);
  expect(Math.abs(now.mileageKm - before.mileageKm - wayM / 1_000)).toBeLessThan(EPSILON);
  expect(wayM, 'no faster than the top speed').toBeLessThanOrEqual(
    (body.topSpeedKph / 3.6) * elapsedS + EPSILON,
  );
  expect(distanceM(before, now), 'the place moves no further than the way').toBeLessThanOrEqual(
    wayM * 1.001 + 1e-3,
  );
  expect(now.speedKph >= 0 && now.speedKph <= body.topSpeedKph, 'speed').toBe(true);
  expect(Math.abs(now.speedKph - before.speedKph) / 3.6, 'engine and brakes').toBeLessThanOrEqual(
    Math.max(4, body.maximumAccelerationMps2) * elapsedS + EPSILON,
  );
  if (!now.ignitionOn || !now.drivingEnabled || now.anyDoorOpen) expect(now.speedKph).toBe(0);
  if (now.locked) expect(now.anyDoorOpen, 'an open door is never locked').toBe(false);
  if (now.topCaseLocked) expect(now.topCaseOpen, 'an open lid is never locked').toBe(false);
  if (now.standExtended || now.compartmentLocked === false) expect(now.speedKph, 'it stands').toBe(0);
  expect(now.headingDegrees >= 0 && now.headingDegrees < 360, 'heading').toBe(true);
  expect(now.energyPercent >= 0 && now.energyPercent <= 100, 'energy').toBe(true);
  expect(now.backupPercent >= 0 && now.backupPercent <= 100, 'backup').toBe(true);
  expect(now.coolantTemperatureC > -20 && now.coolantTemperatureC <= 90.001, 'coolant').toBe(true);
  expect(now.onboardVolts >= 11 && now.onboardVolts <= 15, 'volts').toBe(true);
  expect(now.csq >= 0 && now.csq <= 31, 'csq').toBe(true);
  if (!now.ignitionOn) expect(now.engineRpm).toBe(0);
}

const movingOff = {
  seed: 0,
  change: { model: 'electric-moped', route: 'berlin-west', startFraction: 0, driving: true },
};

describe('a vehicle', () => {
  test('keeps its invariants whatever happens to it', () => {
    fc.assert(
      fc.property(anyVehicle, fc.array(anyVehicleStep, { maxLength: 40 }), ({ seed, change }, steps) => {
        const vehicle = vehicleOf(seed, change);
        let atMs = START_MS;
        let before = truthOf(vehicle);
        for (const step of steps) {
          atMs = applyVehicleStep(vehicle, step, atMs);
          const now = truthOf(vehicle);
          expect(now.atMs).toBe(atMs);
          holdsAlways(now, before, change.model);
          before = now;
        }
      }),
      {
        numRuns: 300,
        // At the moment of moving off the speed is 0, and the stand was extended under a moving vehicle.
        examples: [
          [
            movingOff,
            [
              ['stand', true],
              ['wait', 1],
            ],
          ],
          [
            movingOff,
            [
              ['compartmentLocked', false],
              ['wait', 1],
            ],
          ],
        ],
      },
    );
  });

  test('never gains energy while it moves, sampled every second, and obeys the speed limit', () => {
    fc.assert(
      fc.property(anyVehicle, ({ seed, change }) => {
        const vehicle = vehicleOf(seed, { ...change, driving: true });
        const route = routeNamed(change.route);
        const startM = route.lengthM * change.startFraction;
        let before = truthOf(vehicle);
        for (let second = 1; second <= 900; second += 1) {
          vehicle.advance(START_MS + second * 1_000);
          const now = truthOf(vehicle);
          holdsAlways(now, before, change.model);
          if (now.distanceM > before.distanceM) {
            expect(now.energyPercent, 'energy').toBeLessThanOrEqual(before.energyPercent);
            // At a corner itself rounding may name either street.
            const limits = [-0.001, 0.001].map(
              (off) => route.corners[cornerBefore(route, startM + now.distanceM + off)]?.limitKph ?? 0,
            );
            expect(now.speedKph).toBeLessThanOrEqual(Math.max(...limits) + EPSILON);
          }
          before = now;
        }
        expect(before.distanceM, 'it drives').toBeGreaterThan(1_500);
      }),
      { numRuns: 20 },
    );
  });

  test('shows and stores the state at the time of the sample, however late it is read', () => {
    const anySteps = fc.array(anyVehicleStep, { maxLength: 12 });
    fc.assert(
      fc.property(anyVehicle, anySteps, anySteps, ({ seed, change }, before, after) => {
        const vehicle = vehicleOf(seed, change);
        let atMs = START_MS;
        for (const step of before) atMs = applyVehicleStep(vehicle, step, atMs);
        const late = { senses: vehicle.sensors(), memory: vehicle.snapshot() };
        // The accelerometer's buffer may have forgotten since.
        const { accelerations: _forgotten, ...seen } = plainInputs(vehicle.sensors());
        const memory = vehicle.memory();
        for (const step of after) atMs = applyVehicleStep(vehicle, step, atMs);
        expect(plainInputs(late.senses)).toMatchObject(seen);
        expect(late.memory()).toEqual(memory);
      }),
      { numRuns: 60 },
    );
  });

  test('is identical however often it is sampled', () => {
    fc.assert(
      fc.property(
        anyVehicle,
        fc.array(fc.integer({ min: 1, max: 120_000 }), { minLength: 1, maxLength: 30 }),
        ({ seed, change }, waits) => {
          const often = vehicleOf(seed, change);
          const once = vehicleOf(seed, change);
          let atMs = START_MS;
          for (const wait of waits) {
            atMs += wait;
            often.advance(atMs);
            often.sensors();
          }
          once.advance(atMs);
          expect(once.truth()).toEqual(often.truth());
          expect(once.sensors().signals).toEqual(often.sensors().signals);
        },
      ),
      { numRuns: 60 },
    );
  });

  test('that is locked or immobilised does not start, whoever requests it', () => {
    fc.assert(
      fc.property(
        anyVehicle,
        fc.constantFrom('locked', 'immobilised', 'both'),
        fc.integer({ min: 1, max: 86_400_000 }),
        ({ seed, change }, how, waitMs) => {
          // Without a lock nothing but the immobilizer holds it.
          fc.pre(how !== 'locked' || MODELS.get(change.model)?.vehicleType !== 'MOPED');
          const vehicle = vehicleOf(seed, { ...change, driving: false });
          if (how === 'immobilised') vehicle.actuate({ set: 'locked', to: false });
          if (how === 'locked') vehicle.actuate({ set: 'drivingEnabled', to: true });
          vehicle.drive();
          vehicle.advance(START_MS + waitMs);
          expect(truthOf(vehicle)).toMatchObject({ speedKph: 0, distanceM: 0 });
          vehicle.actuate({ set: 'locked', to: false });
          vehicle.actuate({ set: 'drivingEnabled', to: true });
          vehicle.advance(START_MS + waitMs + 1_200_000);
          expect(truthOf(vehicle).distanceM).toBeGreaterThan(0);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('is refuelled before it is empty, parked with the ignition off, and gives the time when it will continue', () => {
    fc.assert(
      fc.property(anyVehicle, ({ seed, change }) => {
        const vehicle = vehicleOf(seed, { ...change, driving: true });
        let fillings = 0;
        let lowest = 100;
        for (let minute = 1; minute <= 72 * 60; minute += 1) {
          vehicle.advance(START_MS + minute * 60_000);
          const truth = truthOf(vehicle);
          lowest = Math.min(lowest, truth.energyPercent);
          if (truth.engine !== 'filling' && truth.engine !== 'charging') continue;
          fillings += 1;
          expect(truth).toMatchObject({ ignitionOn: false, speedKph: 0 });
          const wakesMs = vehicle.nextChangeMs();
          if (wakesMs === undefined) throw new Error('nothing is planned');
          vehicle.advance(wakesMs);
          expect(truthOf(vehicle)).toMatchObject({ ignitionOn: true });
          expect(truthOf(vehicle).energyPercent).toBeGreaterThan(90);
          vehicle.advance(START_MS + minute * 60_000);
        }
        expect(fillings).toBeGreaterThan(0);
        expect(lowest).toBeGreaterThan(5);
      }),
      { numRuns: 6 },
    );
  });

  test('is stored: after a restart it has the same position, mileage, energy and switches', () => {
    fc.assert(
      fc.property(anyVehicle, fc.array(anyVehicleStep, { maxLength: 20 }), ({ seed, change }, steps) => {
        const vehicle = vehicleOf(seed, change);
        let atMs = START_MS;
        for (const step of steps) atMs = applyVehicleStep(vehicle, step, atMs);
        const before = truthOf(vehicle);
        const after = truthOf(vehicleOf(seed, change, vehicle.memory(), atMs));
        expect(after.distanceM).toBe(before.distanceM);
        expect(after.mileageKm).toBe(before.mileageKm);
        expect(distanceM(after, before)).toBeLessThan(EPSILON);
        expect(after.energyPercent).toBeCloseTo(before.energyPercent, 9);
        expect([after.locked, after.drivingEnabled]).toEqual([before.locked, before.drivingEnabled]);
      }),
      { numRuns: 60 },
    );
  });
});

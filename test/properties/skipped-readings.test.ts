import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NextLook } from '../../simulator/box/next-look.ts';
import { nextAlarm } from '../../simulator/firmware/core/next-alarm.ts';
import type { Vehicle } from '../../simulator/vehicle/sensing/vehicle-ports.ts';
import { TestBox } from '../support/firmware/test-box.ts';
import { anyVehicle, START_MS, vehicleOf } from '../support/vehicles/any-vehicle.ts';

const MINUTES = 8;

const anySettings = fc.record({
  'tracking.enabled': fc.constantFrom(0, 1, 1, 1),
  'tracking.timeIntervalS': fc.integer({ min: 1, max: 200 }),
  'tracking.distanceIntervalM': fc.integer({ min: 10, max: 3_000 }),
  'tracking.headingChangeDegrees': fc.integer({ min: 1, max: 180 }),
  'driving.enabled': fc.constantFrom(0, 1),
  'driving.brakingAccelerationMg': fc.integer({ min: 50, max: 600 }),
  'driving.corneringAccelerationMg': fc.integer({ min: 50, max: 600 }),
});

const ACTIONS = {
  park: (vehicle: Vehicle) => vehicle.park(),
  drive: (vehicle: Vehicle) => vehicle.drive(),
  openDoor: (vehicle: Vehicle) => vehicle.openDoor(true),
  brake: (vehicle: Vehicle) => vehicle.maneuver({ what: 'heavy-braking', rateMps2: 6 }),
  corner: (vehicle: Vehicle) => vehicle.maneuver({ what: 'harsh-cornering', rateMps2: 6 }),
  impact: (vehicle: Vehicle) =>
    vehicle.applyIncident({ what: 'impact', accelerationMg: 3_000, durationMs: 60, direction: 'left' }),
};

/** Actions on the vehicle, each with its second. */
const anyActions = fc.array(
  fc.tuple(
    fc.integer({ min: 1, max: MINUTES * 60 }),
    fc.constantFrom(...(Object.keys(ACTIONS) as (keyof typeof ACTIONS)[])),
  ),
  { maxLength: 4 },
);

test('a box that skips unnecessary sensor readings records the same, at the same times, as one that reads every second', () => {
  let readings = 0;
  let skipped = 0;
  fc.assert(
    fc.property(anyVehicle, anySettings, anyActions, ({ seed, change }, settings, actions) => {
      const recordsOf = (skipsReadings: boolean) => {
        const vehicle = vehicleOf(seed, { ...change, driving: true });
        // Without a network all records stay in flash.
        vehicle.setCoverage(false);
        const rig = new TestBox({ factorySettings: settings, journalRecords: 10_000 });
        const nextLook = new NextLook();
        let ticks = 0;
        const tick = (atMs: number) => {
          rig.at = Math.max(Math.ceil(atMs), rig.at);
          vehicle.advance(rig.at);
          rig.tick(vehicle.sensors());
          ticks += 1;
        };
        const due = [...actions].sort(([one], [other]) => one - other);
        rig.at = START_MS;
        rig.boot();
        for (;;) {
          const lookAt = skipsReadings ? nextLook.dueMs(rig.state, vehicle) : undefined;
          const never = Number.POSITIVE_INFINITY;
          const nextMs = Math.min(nextAlarm(rig.state, lookAt) ?? never, vehicle.nextChangeMs() ?? never);
          const [action] = due;
          const actionMs = START_MS + (action?.[0] ?? never) * 1_000;
          if (Math.min(nextMs, actionMs) > START_MS + MINUTES * 60_000) return { pages: rig.pages, ticks };
          if (action === undefined || nextMs < actionMs) {
            tick(nextMs);
            continue;
          }
          due.shift();
          vehicle.advance(actionMs);
          ACTIONS[action[1]](vehicle);
          nextLook.invalidate();
          tick(actionMs);
        }
      };
      const [often, seldom] = [recordsOf(false), recordsOf(true)];
      readings += often.ticks;
      skipped += often.ticks - seldom.ticks;
      expect(seldom.pages).toEqual(often.pages);
    }),
    { numRuns: 30 },
  );
  expect(skipped / readings).toBeGreaterThan(0.3);
});

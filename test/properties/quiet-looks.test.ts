import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextAlarm } from '../../simulator/firmware/alarm.ts';
import { Lookout } from '../../simulator/lookout.ts';
import type { Vehicle } from '../../simulator/vehicle/senses.ts';
import { Rig } from '../unit/simulator/firmware/rig.ts';
import { anyVehicle, START_MS, vehicleOf } from './vehicles.ts';

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

const DEEDS = {
  park: (vehicle: Vehicle) => vehicle.park(),
  drive: (vehicle: Vehicle) => vehicle.drive(),
  openDoor: (vehicle: Vehicle) => vehicle.openDoor(true),
  brake: (vehicle: Vehicle) => vehicle.maneuver({ what: 'heavy-braking', rateMps2: 6 }),
  corner: (vehicle: Vehicle) => vehicle.maneuver({ what: 'harsh-cornering', rateMps2: 6 }),
  impact: (vehicle: Vehicle) =>
    vehicle.suffer({ what: 'impact', accelerationMg: 3_000, durationMs: 60, direction: 'left' }),
};

/** What somebody does to the vehicle, each at its second. */
const anyDeeds = fc.array(
  fc.tuple(
    fc.integer({ min: 1, max: MINUTES * 60 }),
    fc.constantFrom(...(Object.keys(DEEDS) as (keyof typeof DEEDS)[])),
  ),
  { maxLength: 4 },
);

test('a box that leaves out the looks from which nothing can come records the same, at the same times, as one that looks each second', () => {
  let looks = 0;
  let left = 0;
  fc.assert(
    fc.property(anyVehicle, anySettings, anyDeeds, ({ seed, change }, settings, deeds) => {
      const live = (isSparing: boolean) => {
        const vehicle = vehicleOf(seed, { ...change, driving: true });
        // Without a network all that it records stays in its flash.
        vehicle.setCoverage(false);
        const rig = new Rig({ factorySettings: settings, journalRecords: 10_000 });
        const lookout = new Lookout();
        let ticks = 0;
        const tick = (atMs: number) => {
          rig.at = Math.max(Math.ceil(atMs), rig.at);
          vehicle.advance(rig.at);
          rig.tick(vehicle.sense());
          ticks += 1;
        };
        const due = [...deeds].sort(([one], [other]) => one - other);
        rig.at = START_MS;
        rig.boot();
        for (;;) {
          const lookAt = isSparing ? lookout.nextLookMs(rig.state, vehicle) : undefined;
          const never = Number.POSITIVE_INFINITY;
          const nextMs = Math.min(nextAlarm(rig.state, lookAt) ?? never, vehicle.nextChangeMs() ?? never);
          const [deed] = due;
          const deedMs = START_MS + (deed?.[0] ?? never) * 1_000;
          if (Math.min(nextMs, deedMs) > START_MS + MINUTES * 60_000) return { pages: rig.pages, ticks };
          if (deed === undefined || nextMs < deedMs) {
            tick(nextMs);
            continue;
          }
          due.shift();
          vehicle.advance(deedMs);
          DEEDS[deed[1]](vehicle);
          lookout.forget();
          tick(deedMs);
        }
      };
      const [often, seldom] = [live(false), live(true)];
      looks += often.ticks;
      left += often.ticks - seldom.ticks;
      expect(seldom.pages).toEqual(often.pages);
    }),
    { numRuns: 30 },
  );
  expect(left / looks).toBeGreaterThan(0.3);
});

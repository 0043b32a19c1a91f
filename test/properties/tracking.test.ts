import fc from 'fast-check';
import { expect, test } from 'vitest';
import { turnedDegrees } from '../../simulator/firmware/sampling/sampler.ts';
import { limits } from '../../simulator/limits.ts';
import { DRIVING, SensedTestBox } from '../support/firmware/sensed-box.ts';

const anyDrive = fc.record({
  timeS: fc.integer({ min: 1, max: 120 }),
  distanceM: fc.integer({ min: 10, max: 2_000 }),
  headingDegrees: fc.integer({ min: 1, max: 180 }),
  seconds: fc.array(
    fc.record({ speedKph: fc.integer({ min: 0, max: 130 }), turn: fc.integer({ min: -40, max: 40 }) }),
    {
      minLength: 30,
      maxLength: 200,
    },
  ),
});

test('a driving box reports within a second after a configured interval is reached, and not before', () => {
  fc.assert(
    fc.property(anyDrive, ({ timeS, distanceM, headingDegrees, seconds }) => {
      const rig = SensedTestBox.with(
        {
          'tracking.enabled': 1,
          'tracking.timeIntervalS': timeS,
          'tracking.distanceIntervalM': distanceM,
          'tracking.headingChangeDegrees': headingDegrees,
        },
        DRIVING,
      );
      let told = { atMs: rig.state.ram.sampler.reportedAt, wayM: 0, heading: 90 };
      let [wayM, heading] = [rig.sensors.distanceM, rig.sensors.headingDegrees];
      for (const { speedKph, turn } of seconds) {
        rig.at += limits.lookMs;
        wayM += speedKph / 3.6;
        heading = (heading + turn + 360) % 360;
        const before = rig.state.flash.journal.next;
        rig.tick({ speedKph, distanceM: wayM, headingDegrees: heading });
        const isDue =
          rig.at - told.atMs >= timeS * 1_000 ||
          wayM - told.wayM >= distanceM ||
          (speedKph >= limits.headingSpeedKph && turnedDegrees(heading, told.heading) >= headingDegrees);
        expect(rig.state.flash.journal.next - before).toBe(isDue ? 1 : 0);
        if (isDue) told = { atMs: rig.at, wayM, heading };
        rig.acknowledgeAll();
        rig.receiptAll();
      }
    }),
    { numRuns: 40 },
  );
});

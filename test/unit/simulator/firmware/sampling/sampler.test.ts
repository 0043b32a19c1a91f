import { describe, expect, test } from 'vitest';
import { turnedDegrees } from '../../../../../simulator/firmware/sampling/sampler.ts';
import { TestBox } from '../../../../support/firmware/test-box.ts';

const TRACKING = { 'tracking.enabled': 1 } as const;
const driving = { ignitionOn: true, locked: false, drivingEnabled: true, speedKph: 50 } as const;

describe('the sampler', () => {
  test('reports once after boot', () => {
    const rig = new TestBox();
    rig.boot();
    rig.pass(10_000);
    expect(rig.state.flash.journal.entryIndex.counts).toMatchObject({ report: 1, event: 0 });
  });

  test('creates an event for every changed input, and none for unchanged ones', () => {
    const rig = new TestBox().ready();
    rig.tick({ anyDoorOpen: true });
    rig.tick({ anyDoorOpen: false, ignitionOn: true });
    rig.tick({ locked: false, drivingEnabled: true });
    rig.tick();
    expect(rig.told().map((message) => message.kind === 'event' && message.event)).toEqual([
      'door-opened',
      'ignition-on',
      'door-closed',
      'unlocked',
      'driving-enabled',
    ]);
  });

  test('reports by time, by distance and by heading while the ignition is on', () => {
    const rig = new TestBox({ factorySettings: TRACKING }).ready({ ...driving });
    const causes = () => rig.told().map((message) => message.kind === 'report' && message.cause);
    rig.passAnswered(120_000);
    expect(causes()).toEqual(['time', 'time']);
    rig.tick({ distanceM: 1_000 });
    rig.receiptAll();
    rig.tick({ distanceM: 1_900 });
    rig.receiptAll();
    rig.tick({ distanceM: 2_000 });
    rig.receiptAll();
    expect(causes()).toEqual(['distance', 'distance']);
    rig.acknowledgeAll();
    rig.tick({ headingDegrees: 149 });
    rig.tick({ headingDegrees: 151, speedKph: 2 });
    rig.tick({ headingDegrees: 151, speedKph: 30 });
    expect(causes()).toEqual(['heading']);
  });

  describe.each([1, 2] as const)('of generation %d', (generation) => {
    const facts = { generation, factorySettings: TRACKING };
    const toldNow = (rig: TestBox) =>
      rig
        .told()
        .map((message) =>
          'event' in message ? message.event : 'cause' in message ? message.cause : message.kind,
        );

    test('merges a report that is due with an event into it, and counts it as reported', () => {
      const rig = new TestBox(facts).ready();
      rig.passAnswered(300_000);
      expect(toldNow(rig)).toEqual([]);
      rig.tick({ ...driving, pluggedIn: true, distanceM: 5_000, headingDegrees: 200 });
      rig.acknowledgeAll();
      rig.receiptAll();
      rig.acknowledgeAll();
      const events = ['ignition-on', 'unlocked', 'driving-enabled', 'plug-connected'];
      expect(toldNow(rig)).toEqual(events);
      rig.passAnswered(59_000);
      expect(toldNow(rig)).toEqual([]);
      rig.passAnswered(2_000);
      expect(toldNow(rig)).toEqual(['time']);
    });

    test('merges a report into the reply of the command that is carried out then, and the reply stays', () => {
      const rig = new TestBox(facts).ready({ ...driving, speedKph: 0 });
      rig.passAnswered(59_000);
      toldNow(rig);
      rig.command('lock-central-lock');
      rig.at = rig.state.ram.sampler.reportedAt + 60_000;
      rig.sensors = { ...rig.sensors, locked: true };
      rig.feed({ kind: 'actuated', accepted: true, sensors: rig.sensors });
      expect(toldNow(rig)).toEqual(['reply']);
      rig.passAnswered(59_000);
      expect(toldNow(rig)).toEqual([]);
    });

    test('reports after a boot from a brown-out once, with the event', () => {
      const rig = new TestBox(facts).ready();
      rig.boot('BROWN_OUT');
      rig.pass(10_000);
      expect(rig.state.flash.journal.entryIndex.counts).toMatchObject({ report: 0, event: 1 });
    });
  });

  test('without tracking a driving box sends only standby reports', () => {
    const rig = new TestBox().ready({ ...driving });
    rig.passAnswered(1_790_000);
    expect(rig.told()).toEqual([]);
    rig.passAnswered(60_000);
    expect(rig.told()).toMatchObject([{ kind: 'report', cause: 'standby' }]);
  });

  test('with the ignition off reports at the standby interval and sleeps in between', () => {
    const rig = new TestBox({ factorySettings: { 'box.standbyReportIntervalS': 600 } }).ready();
    let steps = 0;
    const { tick } = rig;
    rig.tick = (senses) => {
      steps += 1;
      return tick.call(rig, senses);
    };
    rig.passAnswered(1_801_000);
    expect(rig.told().map((message) => message.kind)).toEqual(['report', 'report', 'report']);
    expect(steps).toBeLessThan(12);
  });

  test.each([
    [10, 350, 20],
    [0, 180, 180],
    [90, 90, 0],
    [359, 0, 1],
  ])('takes the smaller angle between %d and %d', (one, other, angle) => {
    expect(turnedDegrees(one, other)).toBe(angle);
    expect(turnedDegrees(other, one)).toBe(angle);
  });
});

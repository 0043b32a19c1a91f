import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../../simulator/limits.ts';
import { DRIVING, eventNamesOf, SensedTestBox } from '../../../../support/firmware/sensed-box.ts';

const PARKING = { 'parking.enabled': 1 } as const;
const PLACE = { latitude: 52.52, longitude: 13.4 };
/** Metres to the north, in degrees. */
const northOf = (wayM: number) => ({ ...PLACE, latitude: PLACE.latitude + wayM / 111_194.93 });

/** The vehicle is pulled north at 5 m/s, and the box woken each second. */
function pull(rig: SensedTestBox, wayM: number, tiltDegrees = 0, fromM = 0): void {
  rig.tick({ fix: northOf(fromM), tiltDegrees });
  for (let doneM = 5; doneM < wayM + 5; doneM += 5) {
    rig.pass(1_000);
    rig.tick({ fix: northOf(fromM + Math.min(doneM, wayM)), tiltDegrees });
  }
  rig.tick({ tiltDegrees: 0 });
}

describe('a shock', () => {
  test('to a parked vehicle is reported from a fixed strength', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -200, max: 3_000 }),
        fc.integer({ min: 1, max: 400 }),
        (moreMg, durationMs) => {
          const rig = SensedTestBox.with(PARKING);
          const mg = limits.shockMg + moreMg;
          rig.shake({ lateralMg: -mg }, durationMs);
          const events = rig.events();
          expect(events.map(({ measured }) => measured?.shock)).toEqual(
            moreMg >= 0 ? [{ peakMg: mg, durationMs, direction: 'right' }] : [],
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  test('is reported only while the ignition is off and parking events are enabled', () => {
    const rig = SensedTestBox.with(PARKING, DRIVING);
    rig.shake({ lateralMg: 900 }, 50);
    expect(rig.events()).toEqual([]);
    const other = SensedTestBox.with({});
    other.shake({ lateralMg: 900 }, 50);
    expect(other.events()).toEqual([]);
  });
});

describe('towing', () => {
  test('is reported once from a fixed distance', () => {
    fc.assert(
      fc.property(fc.integer({ min: 5, max: 120 }), (wayM) => {
        const rig = SensedTestBox.with(PARKING);
        pull(rig, wayM);
        expect(eventNamesOf(rig.events())).toEqual(wayM >= limits.towingM ? ['towing'] : []);
      }),
      { numRuns: 30 },
    );
  });

  test('is reported if a vehicle is tilted for long enough, before it has moved far', () => {
    for (const [tilt, seconds, isReported] of [
      [2.9, 9, false],
      [3, 4, false],
      [3, 6, true],
    ] as const) {
      const rig = SensedTestBox.with(PARKING);
      pull(rig, 5 * seconds, tilt);
      expect(eventNamesOf(rig.events()), `${tilt} degrees, ${seconds} s`).toEqual(
        isReported ? ['towing'] : [],
      );
    }
  });

  test('contains distance, tilt and start time', () => {
    const rig = SensedTestBox.with(PARKING);
    pull(rig, 200);
    const [event] = rig.events();
    expect(event?.measured?.towing).toEqual({ distanceM: 50, tiltDegrees: 0 });
    expect(event?.measured?.agoMs).toBe(9_000);
  });

  test('is not reported with the key in the vehicle, with the ignition on, or without the feature', () => {
    for (const [settings, senses] of [
      [PARKING, { keyPresent: true }],
      [PARKING, { ...DRIVING, speedKph: 18 }],
      [{}, {}],
    ] as const) {
      const rig = SensedTestBox.with(settings, senses);
      pull(rig, 200, 7);
      expect(rig.events()).toEqual([]);
    }
  });

  test('ends when the vehicle is set down: the next tow is reported again, a short one is not', () => {
    const rig = SensedTestBox.with(PARKING);
    pull(rig, 100);
    rig.wait(120_000);
    pull(rig, 40, 0, 100);
    rig.wait(120_000);
    pull(rig, 60, 0, 140);
    expect(eventNamesOf(rig.events())).toEqual(['towing', 'towing']);
  });

  test('is reported again even if the box was not woken in between and the vehicle is tilted at once', () => {
    const rig = SensedTestBox.with(PARKING);
    pull(rig, 100, 7);
    rig.wait(120_000);
    rig.tick({ fix: northOf(102), tiltDegrees: 7 });
    pull(rig, 60, 7, 100);
    expect(eventNamesOf(rig.events())).toEqual(['towing', 'towing']);
  });
});

describe('damage', () => {
  const sensitivities = [
    [1, 'low'],
    [2, 'medium'],
    [3, 'high'],
  ] as const;

  test.each(sensitivities)(
    'of sensitivity %i (%s) is told on one side of its threshold only',
    (level, sensitivity) => {
      fc.assert(
        fc.property(fc.integer({ min: -200, max: 900 }), (moreMg) => {
          const rig = SensedTestBox.with({ 'damage.activation': 7, 'damage.sensitivity': level });
          rig.events();
          const strengthMg = limits.damageMg[level] + moreMg;
          rig.shake({ structureMg: strengthMg, side: 'left' }, 20);
          const told = rig.events().map(({ measured }) => measured?.damage);
          expect(told).toEqual(moreMg >= 0 ? [{ strengthMg, sensitivity, side: 'left' }] : []);
        }),
        { numRuns: 20 },
      );
    },
  );

  test('is not reported during calibration, nor as a shock', () => {
    const rig = SensedTestBox.with({ 'damage.activation': 7, ...PARKING });
    rig.shake({ structureMg: 2_000, side: 'rear' }, 20);
    expect(eventNamesOf(rig.events())).toEqual(['damage-calibrated']);
    rig.shake({ structureMg: 2_000, side: 'rear' }, 20);
    expect(eventNamesOf(rig.events())).toEqual(['damage']);
  });
});

describe('smoke', () => {
  const anySmoke = fc.record({
    thresholdUg: fc.integer({ min: 10, max: 5_000 }),
    leastS: fc.integer({ min: 1, max: 600 }),
    moreUg: fc.integer({ min: -9, max: 500 }),
    moreMs: fc.constantFrom(-1_000, -1, 0, 1, 5_000),
  });

  test('is reported once, exactly from the configured concentration and duration', () => {
    fc.assert(
      fc.property(anySmoke, ({ thresholdUg, leastS, moreUg, moreMs }) => {
        const rig = SensedTestBox.with({
          'smoke.enabled': 1,
          'smoke.concentrationUgPerM3': thresholdUg,
          'smoke.durationS': leastS,
        });
        const lastsMs = leastS * 1_000 + moreMs;
        rig.tick({ smokeUgPerM3: thresholdUg + moreUg });
        rig.pass(lastsMs);
        rig.tick({ smokeUgPerM3: 8 });
        const events = rig.events();
        const isSmoke = moreUg >= 0 && moreMs >= 0;
        expect(events.map(({ measured }) => measured)).toEqual(
          isSmoke
            ? [
                {
                  agoMs: leastS * 1_000,
                  place: PLACE,
                  smoke: { concentrationUgPerM3: thresholdUg + moreUg, durationMs: leastS * 1_000 },
                },
              ]
            : [],
        );
      }),
      { numRuns: 40 },
    );
  });

  test('is compared with a new threshold as soon as it is in force', () => {
    const rig = SensedTestBox.with({ 'smoke.enabled': 1, 'smoke.durationS': 10 });
    rig.tick({ smokeUgPerM3: 120 });
    rig.pass(20_000);
    rig.configure(1, { 'smoke.enabled': 1, 'smoke.durationS': 10, 'smoke.concentrationUgPerM3': 100 });
    const from = rig.at;
    rig.pass(9_999);
    expect(rig.told().filter(({ kind }) => kind === 'event')).toEqual([]);
    rig.pass(1);
    expect(rig.at - from).toBe(10_000);
    expect(eventNamesOf(rig.events())).toEqual(['smoke']);
  });

  test('is not reported without the feature', () => {
    const rig = SensedTestBox.with({});
    rig.tick({ smokeUgPerM3: 4_000 });
    expect(rig.events()).toEqual([]);
  });
});

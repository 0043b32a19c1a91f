import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DRIVING, eventNamesOf, SensedTestBox } from '../../../../support/firmware/sensed-box.ts';

const ON = { 'driving.enabled': 1 } as const;
const runs = { numRuns: 40 };

describe('a crash', () => {
  const anyBlow = fc.record({
    thresholdMg: fc.integer({ min: 100, max: 16_000 }),
    leastMs: fc.integer({ min: 1, max: 1_000 }),
    moreMg: fc.integer({ min: -90, max: 4_000 }),
    moreMs: fc.integer({ min: -999, max: 500 }),
    axis: fc.constantFrom('longitudinalMg', 'lateralMg'),
    sign: fc.constantFrom(-1, 1),
  });

  test('is reported exactly from the configured strength and duration', () => {
    fc.assert(
      fc.property(anyBlow, ({ thresholdMg, leastMs, moreMg, moreMs, axis, sign }) => {
        const durationMs = Math.max(1, leastMs + moreMs);
        const rig = SensedTestBox.with(
          {
            ...ON,
            'driving.crashAccelerationMg': thresholdMg,
            'driving.crashDurationMs': leastMs,
            // So that the blow is no braking or cornering beside it.
            'driving.brakingAccelerationMg': 2_000,
            'driving.corneringAccelerationMg': 2_000,
          },
          DRIVING,
        );
        rig.shake({ [axis]: sign * (thresholdMg + moreMg) }, durationMs);
        const crashes = rig.events().filter(({ event }) => event === 'crash');
        expect(crashes.length).toBe(moreMg >= 0 && durationMs >= leastMs ? 1 : 0);
      }),
      runs,
    );
  });

  test('contains its strength, duration, side, time, and the data after it', () => {
    const rig = SensedTestBox.with({ ...ON, 'driving.crashGatheringS': 10 }, DRIVING);
    const hitAt = rig.at;
    rig.shake({ longitudinalMg: -5_200 }, 48);
    rig.pass(4_952);
    rig.shake({ lateralMg: 800 }, 200);
    const [crash] = rig.events();
    expect(crash).toMatchObject({
      event: 'crash',
      measured: { crash: { peakMg: 5_200, durationMs: 48, direction: 'front', gatheredMs: 10_000 } },
    });
    expect(crash?.measured?.agoMs).toBe(10_000);
    expect(crash?.measured?.crash?.samples.map(String)).toEqual([
      '-5200,0',
      ...Array.from({ length: 9 }, () => '0,0'),
      '0,800',
      ...Array.from({ length: 9 }, () => '0,0'),
    ]);
    expect(rig.at).toBeGreaterThan(hitAt);
  });

  test('a second impact during the recording belongs to the same crash, one after it is another crash', () => {
    const rig = SensedTestBox.with({ ...ON, 'driving.crashGatheringS': 2 }, DRIVING);
    rig.shake({ longitudinalMg: -3_000 }, 50);
    rig.pass(500);
    rig.shake({ lateralMg: 6_000 }, 50);
    rig.pass(3_000);
    rig.shake({ longitudinalMg: 4_000 }, 50);
    const events = rig.events();
    expect(events).toMatchObject([
      { event: 'crash', measured: { crash: { peakMg: 6_000, direction: 'left' } } },
      { event: 'crash', measured: { crash: { peakMg: 4_000, direction: 'rear' } } },
    ]);
  });

  test('is reported with the data so far when the box loses power or is reset, or the feature is disabled', () => {
    const off = SensedTestBox.with(ON, DRIVING);
    off.shake({ longitudinalMg: -5_000 }, 60);
    off.configure(1, {});
    expect(eventNamesOf(off.events())).toEqual(['crash']);
    const ends: readonly ((rig: SensedTestBox) => void)[] = [
      (rig) => void rig.tick({ supplyMillivolts: 4_000 }),
      (rig) => void rig.feed({ kind: 'reset', reason: 'WATCHDOG' }),
    ];
    for (const end of ends) {
      const rig = SensedTestBox.with(ON, DRIVING);
      rig.shake({ longitudinalMg: -5_000 }, 60);
      rig.pass(1_940);
      const before = rig.state.flash.journal.entryIndex.counts.event;
      end(rig);
      expect(rig.state.flash.journal.entryIndex.counts.event).toBe(before + 1);
    }
  });
});

describe('heavy braking and harsh cornering', () => {
  const anyManner = fc.record({
    thresholdMg: fc.integer({ min: 50, max: 1_990 }),
    moreMg: fc.integer({ min: -49, max: 10 }),
    pieces: fc.integer({ min: 1, max: 4 }),
    sign: fc.constantFrom(-1, 1),
  });

  test('braking is reported exactly from the configured strength, and accelerating never', () => {
    fc.assert(
      fc.property(anyManner, ({ thresholdMg, moreMg, pieces, sign }) => {
        const rig = SensedTestBox.with({ ...ON, 'driving.brakingAccelerationMg': thresholdMg }, DRIVING);
        const mg = thresholdMg + moreMg;
        for (let piece = 0; piece < pieces; piece += 1)
          rig.shake({ longitudinalMg: sign * mg, speedFromKph: 60 - piece, speedToKph: 59 - piece }, 400);
        const events = rig.events();
        const isHeavy = moreMg >= 0 && sign < 0;
        expect(eventNamesOf(events)).toEqual(isHeavy ? ['heavy-braking'] : []);
        if (!isHeavy) return;
        expect(events[0]?.measured?.braking).toEqual({
          peakMg: mg,
          durationMs: 400 * pieces,
          speedBeforeKph: 60,
          speedAfterKph: 60 - pieces,
        });
      }),
      runs,
    );
  });

  test('cornering is reported exactly from the configured strength, to either side', () => {
    fc.assert(
      fc.property(anyManner, ({ thresholdMg, moreMg, pieces, sign }) => {
        const rig = SensedTestBox.with({ ...ON, 'driving.corneringAccelerationMg': thresholdMg }, DRIVING);
        const mg = thresholdMg + moreMg;
        for (let piece = 0; piece < pieces; piece += 1) rig.shake({ lateralMg: sign * mg }, 400);
        const events = rig.events();
        expect(eventNamesOf(events)).toEqual(moreMg >= 0 ? ['harsh-cornering'] : []);
        if (moreMg < 0) return;
        const cornering = { peakMg: mg, durationMs: 400 * pieces, bend: sign > 0 ? 'right' : 'left' };
        expect(events[0]?.measured?.cornering).toMatchObject(cornering);
      }),
      runs,
    );
  });

  test('two brakings with a pause between them are two events, and so is a chicane', () => {
    const rig = SensedTestBox.with(ON, DRIVING);
    rig.shake({ longitudinalMg: -600 }, 900);
    rig.pass(500);
    rig.shake({ longitudinalMg: -500 }, 900);
    rig.shake({ lateralMg: 500 }, 900);
    rig.shake({ lateralMg: -500 }, 900);
    expect(eventNamesOf(rig.events())).toEqual([
      'heavy-braking',
      'heavy-braking',
      'harsh-cornering',
      'harsh-cornering',
    ]);
  });

  test('an impact is neither, and movements of a crash are reported only as the crash', () => {
    const rig = SensedTestBox.with(ON, DRIVING);
    rig.shake({ longitudinalMg: -900 }, 100);
    rig.shake({ lateralMg: 2_100 }, 500);
    expect(rig.events()).toEqual([]);
    rig.configure(1, { ...ON, 'driving.crashAccelerationMg': 800 });
    rig.shake({ longitudinalMg: -900 }, 500);
    expect(eventNamesOf(rig.events())).toEqual(['crash']);
  });

  test('nothing is reported while the feature or the ignition is off, nor from before it was enabled', () => {
    const rig = SensedTestBox.with({}, DRIVING);
    rig.shake({ longitudinalMg: -5_000 }, 60);
    rig.shake({ longitudinalMg: -700 }, 600);
    rig.configure(1, ON);
    expect(rig.events()).toEqual([]);
    rig.shake({ longitudinalMg: -700 }, 600);
    expect(eventNamesOf(rig.events())).toEqual(['heavy-braking']);
    rig.tick({ ...DRIVING, ignitionOn: false, speedKph: 0 });
    rig.events();
    rig.shake({ longitudinalMg: -5_000 }, 60);
    expect(rig.events()).toEqual([]);
  });

  test('new thresholds apply from the moment when they are in force', () => {
    const rig = SensedTestBox.with(ON, DRIVING);
    rig.shake({ longitudinalMg: -400 }, 600);
    rig.configure(1, { ...ON, 'driving.brakingAccelerationMg': 400 });
    rig.shake({ longitudinalMg: -400 }, 600);
    rig.configure(2, { ...ON, 'driving.brakingAccelerationMg': 401 });
    rig.shake({ longitudinalMg: -400 }, 600);
    expect(eventNamesOf(rig.events())).toEqual(['heavy-braking']);
  });
});

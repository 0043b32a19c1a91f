import { describe, expect, test } from 'vitest';
import { SETTINGS } from '../../../../../protocol/settings.ts';
import { FIRMWARE_FEATURES } from '../../../../../simulator/firmware/core/features.ts';
import { nextAlarm } from '../../../../../simulator/firmware/core/next-alarm.ts';
import { beginStep } from '../../../../../simulator/firmware/core/step-context.ts';
import type { Actuation, SensorInputs } from '../../../../../simulator/vehicle/sensing/vehicle-ports.ts';
import { PARKED, TestBox } from '../../../../support/firmware/test-box.ts';

const EVERYTHING = {
  'tracking.enabled': 1,
  'driving.enabled': 1,
  'parking.enabled': 1,
  'damage.activation': 1,
  'smoke.enabled': 1,
  'immobilizer.enabled': 1,
} as const;

/** Situations in which the features have something to do. */
const SITUATIONS: readonly Partial<SensorInputs>[] = [
  {},
  { ignitionOn: true, speedKph: 50, distanceM: 5_000, headingDegrees: 200 },
  { locked: false },
  { tiltDegrees: 7 },
  { smokeUgPerM3: 900 },
  { supplyMillivolts: 9_500 },
  { fix: undefined },
];

/** The senses, and which of them were asked for. */
function watched(sensors: SensorInputs) {
  const read = new Set<keyof SensorInputs>();
  const proxy = new Proxy(sensors, {
    get: (target, name) => {
      read.add(name as keyof SensorInputs);
      return target[name as keyof SensorInputs];
    },
  });
  return { read, proxy };
}

describe('the features of a box', () => {
  test.each(FIRMWARE_FEATURES.map((feature) => [feature.name, feature] as const))(
    '%s looks at nothing that its row does not name',
    (_name, { operate: tend, inputs: looksAt }) => {
      for (const first of SITUATIONS)
        for (const then of SITUATIONS) {
          const rig = new TestBox({ factorySettings: EVERYTHING }).ready(first);
          rig.at += 60_000;
          const { read, proxy } = watched({ ...PARKED, ...then });
          tend(beginStep(rig.state, rig.at), proxy);
          expect([...read].filter((name) => !looksAt.includes(name))).toEqual([]);
        }
    },
  );

  test.each(FIRMWARE_FEATURES.map((feature) => [feature.name, feature] as const))(
    '%s has the box woken when it is due',
    (_name, { dueAt }) => {
      for (const situation of SITUATIONS) {
        const rig = new TestBox({ factorySettings: EVERYTHING }).ready(situation);
        const due = dueAt(rig.state) ?? Number.POSITIVE_INFINITY;
        expect(nextAlarm(rig.state) ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(due);
      }
    },
  );
});

test('every setting belongs to a feature, which runs as soon as it changes', () => {
  const groups: readonly string[] = FIRMWARE_FEATURES.flatMap(({ settings }) => settings);
  expect(SETTINGS.filter(({ name }) => !groups.some((group) => name.startsWith(group)))).toEqual([]);
});

describe('the automatic immobilizer', () => {
  const AUTOMATIC = { 'immobilizer.enabled': 1, 'immobilizer.delayS': 30 } as const;

  /** The vehicle moves as the box's outputs want it to. */
  function moved(rig: TestBox, commands: readonly Parameters<TestBox['command']>[0][]): void {
    for (const [index, command] of commands.entries()) {
      rig.command(command, index + 1);
      const found = rig.effects.splice(0).find((effect) => effect.kind === 'actuate');
      const moves = found?.kind === 'actuate' ? found.actuations : [];
      for (const { set, to } of moves as readonly Actuation[]) rig.sensors = { ...rig.sensors, [set]: to };
      rig.feed({ kind: 'actuated', accepted: true, sensors: rig.sensors });
      rig.acknowledgeAll();
      rig.receiptAll();
      rig.at += 2_000;
    }
  }

  test.each([
    [['unlock-central-lock', 'enable-driving', 'lock-central-lock'] as const],
    [['unlock-and-enable-driving', 'lock-central-lock'] as const],
  ])('disables driving after %s without a drive', (commands) => {
    const rig = new TestBox({ factorySettings: AUTOMATIC }).ready();
    rig.passAnswered(600_000);
    expect(rig.kinds()).not.toContain('immobilize');
    moved(rig, commands);
    rig.effects = [];
    rig.pass(27_000);
    expect(rig.kinds()).not.toContain('immobilize');
    rig.pass(2_000);
    expect(rig.kinds()).toContain('immobilize');
  });

  test('disables driving at once if it is configured in a vehicle that was left long ago', () => {
    const rig = new TestBox().ready({ drivingEnabled: true });
    rig.passAnswered(600_000);
    rig.effects = [];
    const settings = [
      { name: 'immobilizer.enabled', value: 1 },
      { name: 'immobilizer.delayS', value: 30 },
    ] as const;
    rig.down({
      kind: 'configuration',
      requestId: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      revision: 7,
      expiresMs: rig.at + 20_000,
      settings: [...settings],
    });
    expect(rig.kinds()).toContain('immobilize');
  });
});

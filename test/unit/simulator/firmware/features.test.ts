import { describe, expect, test } from 'vitest';
import { SETTINGS } from '../../../../protocol/settings.ts';
import { nextAlarm } from '../../../../simulator/firmware/alarm.ts';
import { FEATURES } from '../../../../simulator/firmware/features.ts';
import { begin } from '../../../../simulator/firmware/turn.ts';
import type { Actuation, Senses } from '../../../../simulator/vehicle/senses.ts';
import { parked, Rig } from './rig.ts';

const EVERYTHING = {
  'tracking.enabled': 1,
  'driving.enabled': 1,
  'parking.enabled': 1,
  'damage.activation': 1,
  'smoke.enabled': 1,
  'immobilizer.enabled': 1,
} as const;

/** Situations in which the features have something to do. */
const SITUATIONS: readonly Partial<Senses>[] = [
  {},
  { ignitionOn: true, speedKph: 50, distanceM: 5_000, headingDegrees: 200 },
  { locked: false },
  { tiltDegrees: 7 },
  { smokeUgPerM3: 900 },
  { supplyMillivolts: 9_500 },
  { fix: undefined },
];

/** The senses, and which of them were asked for. */
function watched(senses: Senses) {
  const read = new Set<keyof Senses>();
  const proxy = new Proxy(senses, {
    get: (target, name) => {
      read.add(name as keyof Senses);
      return target[name as keyof Senses];
    },
  });
  return { read, proxy };
}

describe('the features of a box', () => {
  test.each(FEATURES.map((feature) => [feature.name, feature] as const))(
    '%s looks at nothing that its row does not name',
    (_name, { tend, looksAt }) => {
      for (const first of SITUATIONS)
        for (const then of SITUATIONS) {
          const rig = new Rig({ factorySettings: EVERYTHING }).ready(first);
          rig.at += 60_000;
          const { read, proxy } = watched({ ...parked, ...then });
          tend(begin(rig.state, rig.at), proxy);
          expect([...read].filter((name) => !looksAt.includes(name))).toEqual([]);
        }
    },
  );

  test.each(FEATURES.map((feature) => [feature.name, feature] as const))(
    '%s has the box woken when it is due',
    (_name, { dueAt }) => {
      for (const situation of SITUATIONS) {
        const rig = new Rig({ factorySettings: EVERYTHING }).ready(situation);
        const due = dueAt(rig.state) ?? Number.POSITIVE_INFINITY;
        expect(nextAlarm(rig.state) ?? Number.POSITIVE_INFINITY).toBeLessThanOrEqual(due);
      }
    },
  );
});

test('every setting is one of a feature, which looks as soon as it is another', () => {
  const groups: readonly string[] = FEATURES.flatMap(({ settings }) => settings);
  expect(SETTINGS.filter(({ name }) => !groups.some((group) => name.startsWith(group)))).toEqual([]);
});

describe('the automatic immobilizer', () => {
  const AUTOMATIC = { 'immobilizer.enabled': 1, 'immobilizer.delayS': 30 } as const;

  /** The vehicle moves as the box's outputs want it to. */
  function moved(rig: Rig, commands: readonly Parameters<Rig['command']>[0][]): void {
    for (const [index, command] of commands.entries()) {
      rig.command(command, index + 1);
      const found = rig.effects.splice(0).find((effect) => effect.kind === 'actuate');
      const moves = found?.kind === 'actuate' ? found.actuations : [];
      for (const { set, to } of moves as readonly Actuation[]) rig.senses = { ...rig.senses, [set]: to };
      rig.feed({ kind: 'actuated', accepted: true, senses: rig.senses });
      rig.acknowledgeAll();
      rig.receiptAll();
      rig.at += 2_000;
    }
  }

  test.each([
    [['unlock-central-lock', 'enable-driving', 'lock-central-lock'] as const],
    [['unlock-and-enable-driving', 'lock-central-lock'] as const],
  ])('disables driving after %s without a drive', (commands) => {
    const rig = new Rig({ factorySettings: AUTOMATIC }).ready();
    rig.passAnswered(600_000);
    expect(rig.kinds()).not.toContain('immobilize');
    moved(rig, commands);
    rig.effects = [];
    rig.pass(27_000);
    expect(rig.kinds()).not.toContain('immobilize');
    rig.pass(2_000);
    expect(rig.kinds()).toContain('immobilize');
  });

  test('disables driving at once where a configuration brings it to a vehicle that was left long ago', () => {
    const rig = new Rig().ready({ drivingEnabled: true });
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

import { describe, expect, test } from 'vitest';
import { actuationHindrance } from '../../../../../simulator/firmware/commands/actuation.ts';
import { counterMs } from '../../../../../simulator/firmware/power/rtc.ts';
import { limits } from '../../../../../simulator/limits.ts';
import { requestId, TestBox } from '../../../../support/firmware/test-box.ts';

const actuatedWith = (rig: TestBox, accepted: boolean, change: Partial<TestBox['sensors']>) => {
  rig.sensors = { ...rig.sensors, ...change };
  rig.feed({ kind: 'actuated', accepted, sensors: rig.sensors });
};

describe('combined commands', () => {
  test('undo the first part if the second did not move, and say so', () => {
    const rig = new TestBox().ready();
    rig.command('unlock-and-enable-driving');
    rig.effects = [];
    actuatedWith(rig, false, { locked: false });
    expect(rig.effects).toEqual([{ kind: 'actuate', actuations: [{ set: 'locked', to: true }] }]);
    expect(rig.told()).toEqual([]);
    actuatedWith(rig, true, { locked: true });
    expect(rig.told()).toMatchObject([
      { outcome: 'failed', error: 'the immobilizer did not switch; the central lock was put back' },
    ]);
    expect(rig.state.flash.intent).toBeUndefined();
  });

  test('say what remains if it cannot be undone', () => {
    const rig = new TestBox().ready();
    rig.command('unlock-and-enable-driving');
    actuatedWith(rig, false, { locked: false });
    actuatedWith(rig, false, {});
    expect(rig.told()).toMatchObject([
      { outcome: 'failed', error: 'the immobilizer did not switch; the central lock stays unlocked' },
    ]);
  });

  test('that were interrupted by a reset are undone at the next boot, unless they have expired', () => {
    for (const [awayMs, error] of [
      [1_000, 'interrupted by a reset; the central lock was put back'],
      [60_000, 'interrupted by a reset; the central lock stays unlocked'],
    ] as const) {
      const rig = new TestBox().ready();
      rig.command('unlock-and-enable-driving');
      rig.sensors = { ...rig.sensors, locked: false };
      rig.effects = [];
      rig.at += awayMs;
      rig.boot('WATCHDOG');
      rig.pass(limits.bootMs);
      const undone = rig.effects.filter((effect) => effect.kind === 'actuate');
      expect(undone.length).toBe(awayMs < 20_000 ? 1 : 0);
      if (undone.length > 0) actuatedWith(rig, true, { locked: true });
      rig.pass(5_000);
      rig.feed({ kind: 'opened' });
      rig.feed({ kind: 'subscribed' });
      rig.down({ kind: 'receipt', contiguous: 0, ranges: [] });
      expect(rig.told()).toContainEqual(expect.objectContaining({ outcome: 'failed', error }));
    }
  });

  test('that were completed before the reset are answered as done', () => {
    const rig = new TestBox().ready();
    rig.command('unlock-and-enable-driving');
    rig.sensors = { ...rig.sensors, locked: false, drivingEnabled: true };
    rig.boot('WATCHDOG');
    rig.pass(5_000);
    rig.feed({ kind: 'opened' });
    rig.feed({ kind: 'subscribed' });
    rig.down({ kind: 'receipt', contiguous: 0, ranges: [] });
    expect(rig.told()).toContainEqual(
      expect.objectContaining({ requestId: requestId(1), outcome: 'done', signals: expect.anything() }),
    );
  });
});

describe('an intent that took long to write', () => {
  const hindrance = { outcome: 'conflicting-state', error: 'the vehicle is moving' } as const;
  const began = () => {
    const rig = new TestBox().ready();
    rig.command('lock-central-lock');
    const effect = rig.effects.find((one) => one.kind === 'actuate');
    if (effect === undefined) throw new Error('It moves nothing.');
    return { rig, effect };
  };

  test.each([
    ['moves nothing in a vehicle that drives by then', 0, { speedKph: 30 }, hindrance],
    [
      'moves nothing once a door is open',
      0,
      { anyDoorOpen: true },
      { ...hindrance, error: 'a door is open' },
    ],
    ['moves nothing after its time', 30_000, {}, { outcome: 'expired' }],
    ['moves what it was to move otherwise', 0, {}, undefined],
  ])('%s', (_what, laterMs, senses, expected) => {
    const { rig, effect } = began();
    const counter = counterMs(rig.state.facts, rig.at + laterMs);
    expect(actuationHindrance(effect, counter, { ...rig.sensors, ...senses })).toEqual(expected);
  });

  test('is answered with what hindered it, and the box takes the next command', () => {
    const { rig } = began();
    rig.told();
    rig.feed({ kind: 'actuated', accepted: false, hindrance, sensors: rig.sensors });
    expect(rig.told()).toMatchObject([{ kind: 'reply', ...hindrance }]);
    rig.command('lock-central-lock', 2);
    expect(rig.effects.filter(({ kind }) => kind === 'actuate')).toHaveLength(2);
  });
});

describe('an obstacle', () => {
  const moped = new TestBox({
    vehicleCommands: ['lock-top-case', 'unlock-battery-compartment', 'draw-attention', 'lock-central-lock'],
  });
  test.each([
    ['lock-central-lock', { anyDoorOpen: true, locked: false }, 'a door is open'],
    ['lock-top-case', { topCaseOpen: true, topCaseLocked: false }, 'the top case is open'],
    ['unlock-battery-compartment', { ignitionOn: true, speedKph: 20 }, 'the vehicle is moving'],
  ] as const)('%s: %j is a conflicting state, and is told', (name, senses, error) => {
    const rig = new TestBox(moped.state.facts).ready(senses);
    rig.command(name);
    expect(rig.told()).toMatchObject([{ outcome: 'conflicting-state', error }]);
    expect(rig.effects.filter((effect) => effect.kind === 'actuate')).toEqual([]);
  });

  test('stops both parts of a combined command', () => {
    const rig = new TestBox().ready({ anyDoorOpen: true, locked: false, drivingEnabled: true });
    rig.command('lock-and-disable-driving');
    expect(rig.told()).toMatchObject([{ outcome: 'conflicting-state', error: 'a door is open' }]);
    expect(rig.effects.filter((effect) => effect.kind === 'actuate')).toEqual([]);
  });

  test('is none for a battery compartment of a vehicle that stands', () => {
    const rig = new TestBox(moped.state.facts).ready();
    rig.command('unlock-battery-compartment');
    expect(rig.effects).toMatchObject([
      { kind: 'actuate', actuations: [{ set: 'compartmentLocked', to: false }] },
    ]);
    actuatedWith(rig, true, { compartmentLocked: false });
    expect(rig.told()).toMatchObject([{ outcome: 'done' }]);
  });

  test('does not exist for lights and horn', () => {
    const rig = new TestBox(moped.state.facts).ready({ ignitionOn: true, speedKph: 20, topCaseOpen: true });
    rig.command('draw-attention');
    expect(rig.effects).toMatchObject([{ kind: 'actuate', actuations: [{ set: 'attention', to: true }] }]);
    actuatedWith(rig, true, {});
    expect(rig.told()).toMatchObject([{ outcome: 'done', signals: {} }]);
  });
});

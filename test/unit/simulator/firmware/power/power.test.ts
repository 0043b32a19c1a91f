import { describe, expect, test } from 'vitest';
import { limits } from '../../../../../simulator/limits.ts';
import { PARKED, TestBox } from '../../../../support/firmware/test-box.ts';

const battery = (backupPercent: number) => ({
  backupPercent,
  signals: {
    ...PARKED.signals,
    power: { supplyMillivolts: 0, backupMillivolts: 3_900, backupPercent, backupCharging: false },
  },
});
const lastReset = (rig: TestBox) => rig.effects.findLast((effect) => effect.kind === 'reset');

describe('a supply that is cut', () => {
  test('switches to the backup battery, which resets the box, and the box continues', () => {
    const rig = new TestBox().ready();
    rig.tick({ supplyMillivolts: 0, ...battery(80) });
    expect(lastReset(rig)).toMatchObject({ reason: 'BACKUP' });
    rig.boot('BACKUP');
    rig.pass(5_000);
    rig.connect();
    expect(rig.state.ram).toMatchObject({ power: 'up', powerSource: 'backup', resetReason: 'BACKUP' });
    rig.tick({ supplyMillivolts: 12_600 });
    expect(rig.state.ram).toMatchObject({ power: 'up', powerSource: 'supply' });
    expect(rig.told()).toMatchObject([{ kind: 'event', event: 'power-restored' }]);
  });

  test('powers the box down in time with a going-down, and it starts again with the supply', () => {
    const rig = new TestBox().ready();
    rig.tick({ supplyMillivolts: 0, ...battery(80) });
    rig.boot('BACKUP');
    rig.pass(5_000);
    rig.connect();
    rig.sensors = { ...rig.sensors, ...battery(limits.backupReservePercent) };
    rig.pass(limits.backupLookMs);
    expect(rig.told()).toMatchObject([{ kind: 'going-down', reason: 'sleep' }, { kind: 'gone' }]);
    rig.acknowledgeAll();
    expect(rig.kinds().at(-1)).toBe('disconnect');
    expect(rig.state.ram.power).toBe('asleep');
    rig.pass(86_400_000);
    expect(rig.kinds()).toEqual([]);
    rig.tick({ supplyMillivolts: 12_600 });
    expect(lastReset(rig)).toMatchObject({ reason: 'POWER_DOWN_MODE' });
  });

  test('without a backup battery turns it off, and it starts like the first time', () => {
    const rig = new TestBox().ready();
    rig.tick({ supplyMillivolts: 0, ...battery(0) });
    expect(rig.state.ram.power).toBe('dead');
    rig.pass(60_000);
    rig.tick({ supplyMillivolts: 12_600 });
    expect(lastReset(rig)).toMatchObject({ reason: 'GENERAL' });
  });
});

describe('a supply that is low', () => {
  test('for ten minutes with the ignition off powers the box down; one that recovers does not', () => {
    const rig = new TestBox().ready();
    rig.tick({ supplyMillivolts: 9_400 });
    rig.pass(limits.lowMs - 1_000);
    rig.tick({ supplyMillivolts: 12_600 });
    rig.pass(limits.lowMs);
    expect(rig.state.ram.power).toBe('up');
    rig.tick({ supplyMillivolts: 9_400 });
    rig.passAnswered(limits.lowMs + limits.goodbyeMs);
    expect(rig.state.ram.power).toBe('asleep');
    rig.tick({ supplyMillivolts: limits.wakeMillivolts - 1 });
    expect(rig.state.ram.power).toBe('asleep');
    rig.tick({ supplyMillivolts: limits.wakeMillivolts });
    expect(lastReset(rig)).toMatchObject({ reason: 'POWER_DOWN_MODE' });
  });

  test('has no effect while the vehicle is driven, and ignition on wakes the box', () => {
    const rig = new TestBox().ready({ ignitionOn: true, supplyMillivolts: 9_400 });
    rig.passAnswered(2 * limits.lowMs);
    expect(rig.state.ram.power).toBe('up');
    rig.tick({ ignitionOn: false });
    rig.passAnswered(limits.lowMs + limits.goodbyeMs);
    expect(rig.state.ram.power).toBe('asleep');
    rig.tick({ ignitionOn: true });
    expect(lastReset(rig)).toMatchObject({ reason: 'POWER_DOWN_MODE' });
  });

  test('does not disable the button: it resets a box that is powered down', () => {
    const rig = new TestBox().ready({ supplyMillivolts: 9_400 });
    rig.passAnswered(limits.lowMs + limits.goodbyeMs);
    rig.feed({ kind: 'reset', reason: 'USER' });
    expect(lastReset(rig)).toMatchObject({ reason: 'USER' });
  });
});

test('a low supply while the box starts leaves an empty reset register', () => {
  const rig = new TestBox().ready();
  rig.tick({ supplyMillivolts: 5_500 });
  rig.tick({ supplyMillivolts: 12_600 });
  expect(lastReset(rig)).toMatchObject({ reason: 'BROWN_OUT' });
  rig.boot('BROWN_OUT');
  rig.tick({ supplyMillivolts: 5_500 });
  rig.tick({ supplyMillivolts: 12_600 });
  expect(lastReset(rig)).toMatchObject({ reason: 'UNKNOWN' });
});

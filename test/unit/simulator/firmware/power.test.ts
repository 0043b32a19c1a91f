import { describe, expect, test } from 'vitest';
import { limits } from '../../../../simulator/limits.ts';
import { parked, Rig } from './rig.ts';

const battery = (backupPercent: number) => ({
  ...parked.signals,
  power: { supplyMillivolts: 0, backupMillivolts: 3_900, backupPercent, backupCharging: false },
});
const lastReset = (rig: Rig) => rig.effects.findLast((effect) => effect.kind === 'reset');

describe('a supply that is cut', () => {
  test('hands over to the backup battery, which resets the box, and it goes on', () => {
    const rig = new Rig().ready();
    rig.tick({ supplyMillivolts: 0, signals: battery(80) });
    expect(lastReset(rig)).toMatchObject({ reason: 'BACKUP' });
    rig.boot('BACKUP');
    rig.pass(5_000);
    rig.connect();
    expect(rig.state.ram).toMatchObject({ power: 'up', source: 'backup', resetReason: 'BACKUP' });
    rig.tick({ supplyMillivolts: 12_600 });
    expect(rig.state.ram).toMatchObject({ power: 'up', source: 'supply' });
    expect(rig.told()).toMatchObject([{ kind: 'event', event: 'power-restored' }]);
  });

  test('powers the box down in time with a goodbye, and it is back with the supply', () => {
    const rig = new Rig().ready();
    rig.tick({ supplyMillivolts: 0, signals: battery(80) });
    rig.boot('BACKUP');
    rig.pass(5_000);
    rig.connect();
    rig.senses = { ...rig.senses, signals: battery(limits.backupReservePercent) };
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

  test('without a backup battery leaves it dead, and it starts as for the first time', () => {
    const rig = new Rig().ready();
    rig.tick({ supplyMillivolts: 0, signals: battery(0) });
    expect(rig.state.ram.power).toBe('dead');
    rig.pass(60_000);
    rig.tick({ supplyMillivolts: 12_600 });
    expect(lastReset(rig)).toMatchObject({ reason: 'GENERAL' });
  });
});

describe('a supply that is low', () => {
  test('for ten minutes with the ignition off powers the box down; one that recovers does not', () => {
    const rig = new Rig().ready();
    rig.tick({ supplyMillivolts: 9_400 });
    rig.pass(limits.lowMs - 1_000);
    rig.tick({ supplyMillivolts: 12_600 });
    rig.pass(limits.lowMs);
    expect(rig.state.ram.power).toBe('up');
    rig.tick({ supplyMillivolts: 9_400 });
    rig.passAnswered(limits.lowMs + limits.leavingMs);
    expect(rig.state.ram.power).toBe('asleep');
    rig.tick({ supplyMillivolts: limits.wakeMillivolts - 1 });
    expect(rig.state.ram.power).toBe('asleep');
    rig.tick({ supplyMillivolts: limits.wakeMillivolts });
    expect(lastReset(rig)).toMatchObject({ reason: 'POWER_DOWN_MODE' });
  });

  test('spares nothing while somebody drives, and turning the ignition on wakes the box', () => {
    const rig = new Rig().ready({ ignitionOn: true, supplyMillivolts: 9_400 });
    rig.passAnswered(2 * limits.lowMs);
    expect(rig.state.ram.power).toBe('up');
    rig.tick({ ignitionOn: false });
    rig.passAnswered(limits.lowMs + limits.leavingMs);
    expect(rig.state.ram.power).toBe('asleep');
    rig.tick({ ignitionOn: true });
    expect(lastReset(rig)).toMatchObject({ reason: 'POWER_DOWN_MODE' });
  });

  test('is no reason for a button to do nothing: a box that is powered down is reset by it', () => {
    const rig = new Rig().ready({ supplyMillivolts: 9_400 });
    rig.passAnswered(limits.lowMs + limits.leavingMs);
    rig.feed({ kind: 'reset', reason: 'USER' });
    expect(lastReset(rig)).toMatchObject({ reason: 'USER' });
  });
});

test('a supply that sinks while the box starts leaves a reset register that says nothing', () => {
  const rig = new Rig().ready();
  rig.tick({ supplyMillivolts: 5_500 });
  rig.tick({ supplyMillivolts: 12_600 });
  expect(lastReset(rig)).toMatchObject({ reason: 'BROWN_OUT' });
  rig.boot('BROWN_OUT');
  rig.tick({ supplyMillivolts: 5_500 });
  rig.tick({ supplyMillivolts: 12_600 });
  expect(lastReset(rig)).toMatchObject({ reason: 'UNKNOWN' });
});

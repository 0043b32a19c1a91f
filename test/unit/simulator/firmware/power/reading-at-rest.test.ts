import { describe, expect, test } from 'vitest';
import type { Signals } from '../../../../../protocol/signals.ts';
import type { SensorInputs } from '../../../../../simulator/vehicle/sensing/vehicle-ports.ts';
import { PARKED, TestBox } from '../../../../support/firmware/test-box.ts';

const speed = (kph: number): Signals => ({
  ...PARKED.signals,
  obd: [{ pid: 0x0d, data: Uint8Array.of(kph) }],
});
const { obd: _silent, ...ports } = PARKED.signals;
/** The bus is silent, and would say that the vehicle stands. */
const resting = { ignitionOn: false, signals: ports, signalsAwake: speed(0) } as const;
const driving: Partial<SensorInputs> = {
  ignitionOn: true,
  locked: false,
  drivingEnabled: true,
  signals: speed(46),
};

/** Of each record: what it is, and the speed in it. */
const toldBy = (rig: TestBox) =>
  rig.told().flatMap((message) => {
    if (message.kind !== 'event' && message.kind !== 'report' && message.kind !== 'reply') return [];
    const name =
      message.kind === 'event' ? message.event : message.kind === 'report' ? message.cause : 'reply';
    return [[name, message.signals?.obd?.[0]?.data[0]]];
  });

describe('a vehicle that comes to rest', () => {
  test('is read once more at ignition off, while its control units are awake', () => {
    const rig = new TestBox().ready(driving);
    rig.tick(resting);
    expect(toldBy(rig)).toEqual([['ignition-off', 0]]);
  });

  test('is not woken again until the ignition was on', () => {
    const rig = new TestBox({ factorySettings: { 'box.standbyReportIntervalS': 60 } }).ready(driving);
    const tick = (senses: Partial<SensorInputs>) => {
      rig.tick(senses);
      rig.acknowledgeAll();
      rig.receiptAll();
    };
    tick(resting);
    tick({ anyDoorOpen: true });
    rig.at += 61_000;
    tick({});
    tick(driving);
    tick({ ...resting, anyDoorOpen: true });
    expect(toldBy(rig)).toEqual([
      ['ignition-off', 0],
      ['door-opened', undefined],
      ['standby', undefined],
      ['ignition-on', 46],
      ['ignition-off', 0],
    ]);
  });

  test('while its box was starting is read at the boot', () => {
    const rig = new TestBox().ready(driving);
    rig.feed({ kind: 'reset', reason: 'USER' });
    rig.at += 3_000;
    rig.sensors = { ...rig.sensors, ...resting };
    rig.boot('USER');
    rig.pass(5_000);
    rig.connect();
    const { entryIndex } = rig.state.flash.journal;
    expect(entryIndex.counts.event).toBe(0);
    expect(rig.state.ram.sampler.owesRestReading).toBe(false);
  });

  test('is read as soon as a disconnected bus is back', () => {
    const rig = new TestBox().ready(driving);
    rig.tick({ ...resting, signalsAwake: ports });
    rig.pass(10_000);
    rig.acknowledgeAll();
    rig.tick({ signalsAwake: speed(0) });
    rig.acknowledgeAll();
    rig.tick();
    expect(toldBy(rig)).toEqual([
      ['ignition-off', undefined],
      ['rest', 0],
    ]);
  });

  test('is read as soon as a bus is back that was disconnected when an event came', () => {
    const rig = new TestBox().ready(driving);
    rig.tick(resting);
    rig.tick({ signalsAwake: ports, pluggedIn: true });
    rig.tick({ signalsAwake: speed(0) });
    expect(toldBy(rig)).toEqual([
      ['ignition-off', 0],
      ['plug-connected', undefined],
      ['rest', 0],
    ]);
  });

  test('in workshop mode is not read until the mode ends', () => {
    const rig = new TestBox().ready(driving);
    rig.command('activate-workshop-mode', 1);
    rig.acknowledgeAll();
    rig.receiptAll();
    rig.tick(resting);
    rig.receiptAll();
    rig.acknowledgeAll();
    rig.command('deactivate-workshop-mode', 2);
    expect(toldBy(rig)).toEqual([
      ['reply', undefined],
      ['workshop-mode-on', undefined],
      ['ignition-off', undefined],
      ['reply', undefined],
      ['workshop-mode-off', 0],
    ]);
  });
});

describe('a parked vehicle that is plugged in', () => {
  test('reports the plug, and when charging begins and ends', () => {
    const rig = new TestBox().ready();
    rig.tick({ pluggedIn: true, charging: true });
    rig.tick({ charging: false });
    rig.tick({ pluggedIn: false });
    expect(toldBy(rig).map(([name]) => name)).toEqual([
      'plug-connected',
      'charging-started',
      'charging-ended',
      'plug-disconnected',
    ]);
  });
});

import { describe, expect, test } from 'vitest';
import type { Signals } from '../../../../protocol/signals.ts';
import type { Senses } from '../../../../simulator/vehicle/senses.ts';
import { parked, Rig } from './rig.ts';

const speed = (kph: number): Signals => ({
  ...parked.signals,
  obd: [{ pid: 0x0d, data: Uint8Array.of(kph) }],
});
const { obd: _silent, ...ports } = parked.signals;
/** The bus is silent, and would say that the vehicle stands. */
const resting = { ignitionOn: false, signals: ports, signalsAwake: speed(0) } as const;
const driving: Partial<Senses> = {
  ignitionOn: true,
  locked: false,
  drivingEnabled: true,
  signals: speed(46),
};

/** Of each record: what it is, and the speed in it. */
const toldBy = (rig: Rig) =>
  rig.told().flatMap((message) => {
    if (message.kind !== 'event' && message.kind !== 'report' && message.kind !== 'reply') return [];
    const name =
      message.kind === 'event' ? message.event : message.kind === 'report' ? message.cause : 'reply';
    return [[name, message.signals?.obd?.[0]?.data[0]]];
  });

describe('a vehicle that comes to rest', () => {
  test('is read once more with its control units awake, by the event of its ignition', () => {
    const rig = new Rig().ready(driving);
    rig.tick(resting);
    expect(toldBy(rig)).toEqual([['ignition-off', 0]]);
  });

  test('is not woken again until its ignition was on', () => {
    const rig = new Rig({ factorySettings: { 'box.standbyReportIntervalS': 60 } }).ready(driving);
    const tick = (senses: Partial<Senses>) => {
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
    const rig = new Rig().ready(driving);
    rig.feed({ kind: 'reset', reason: 'USER' });
    rig.at += 3_000;
    rig.senses = { ...rig.senses, ...resting };
    rig.boot('USER');
    rig.pass(5_000);
    rig.connect();
    const { shelf } = rig.state.flash.journal;
    expect(shelf.counts.event).toBe(0);
    expect(rig.state.ram.sampler.owesRest).toBe(false);
  });

  test('is read as soon as a bus that was cut off can be heard', () => {
    const rig = new Rig().ready(driving);
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

  test('in workshop mode is left alone, and read when the mode ends', () => {
    const rig = new Rig().ready(driving);
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

describe('a parked vehicle at its plug', () => {
  test('tells that the plug is in, and when it charges and does not', () => {
    const rig = new Rig().ready();
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

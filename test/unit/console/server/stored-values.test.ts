import { expect, test } from 'vitest';
import { limits } from '../../../../console/limits.ts';
import { StoredValues } from '../../../../console/server/stored-values.ts';
import { encodeFrame } from '../../../../protocol/codec/frame.ts';
import type { RecordMessage } from '../../../../protocol/message.ts';
import type { Signals } from '../../../../protocol/signals.ts';
import { controlApp } from '../../../../simulator/control/app.ts';
import type { BoxState } from '../../../../simulator/firmware/core/state.ts';
import { takeEntries } from '../../../../simulator/firmware/journal/entry-index.ts';
import { append } from '../../../../simulator/firmware/journal/journal.ts';
import { emptyJournal, emptyOutbox } from '../../../../simulator/firmware/journal/journal-state.ts';
import { VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';
import { fakeFleet, fakeTap } from '../../../support/simulator/fake-fleet.ts';

/** A box whose journal the test writes, and what the console reads of it. */
function stage(model = 'scooter') {
  const fleet = fakeFleet(1);
  const { first } = fleet;
  const control = controlApp(fleet, fakeTap());
  const loop = new VirtualLoop();
  const asked: string[] = [];
  const values = new StoredValues(virtualTime(loop, new ProcessScope('console')), async (path) => {
    asked.push(path);
    return (await control.request(path)).json();
  });
  let state: BoxState = first.firmware();
  first.firmware = () => state;
  const change = (flash: Partial<BoxState['flash']>, ram: Partial<BoxState['ram']> = {}) => {
    state = { ...state, flash: { ...state.flash, ...flash }, ram: { ...state.ram, ...ram } };
  };
  const record = (signals: Signals, message: Partial<RecordMessage> = {}) => {
    const { journal } = state.flash;
    const report = { kind: 'report', cause: 'time', signals, ...message } as RecordMessage;
    const added = append(journal, report, (sequence, kept) =>
      encodeFrame({
        generation: 2,
        epoch: journal.epoch,
        boot: 1,
        sequence,
        clockMs: 1_000,
        message: kept,
      }),
    );
    if (added === undefined) throw new Error('The journal is full.');
    change({ journal: added.journal });
  };
  const read = async () => {
    const reading = values.of(first.plan.boxId, model);
    // Pages are a millisecond apart.
    for (let turns = 0; turns < 20; turns += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      await loop.runUntil(loop.nowMs + 1);
    }
    return reading;
  };
  return { change, record, read, asked, journal: () => state.flash.journal };
}

/** Port 0 of the scooter is low while its ignition is on. */
const IGNITION_ON: Signals = { digital: 0 };
const IGNITION_OFF: Signals = { digital: 1 };
const supply = (supplyMillivolts: number): Signals => ({
  power: { supplyMillivolts, backupMillivolts: 4_000, backupPercent: 80, backupCharging: false },
});

test('of each property the newest record counts, and a property that is in none has no value', async () => {
  const { record, read } = stage();
  record({ ...IGNITION_ON, ...supply(12_000) });
  record(IGNITION_OFF);
  const values = await read();
  expect(values.get('ignition')).toEqual({ value: 'OFF', isInFlight: false });
  expect(values.get('telematics_unit_supply_voltage_in_volts')).toEqual({ value: 12, isInFlight: false });
  expect(values.has('position')).toBe(false);
});

test('what was sent in this session is in flight until its receipt, and without a session it is not', async () => {
  const { change, record, read, journal } = stage();
  record(supply(12_000));
  record(IGNITION_ON);
  const session = { phase: 'ready' } as BoxState['ram']['session'];
  change({}, { power: 'up', session, outbox: { ...emptyOutbox, sent: [[0, 1]], awaiting: 1 } });
  const inFlight = async () => [...(await read())].map(([name, { isInFlight }]) => [name, isInFlight]);
  expect(await inFlight()).toEqual(
    expect.arrayContaining([
      ['telematics_unit_supply_voltage_in_volts', true],
      ['ignition', false],
    ]),
  );
  change({}, { session: { phase: 'down' } as BoxState['ram']['session'] });
  expect((await read()).get('telematics_unit_supply_voltage_in_volts')?.isInFlight).toBe(false);
  change({ journal: { ...journal(), entryIndex: takeEntries(journal().entryIndex, 1, 1).entryIndex } });
  expect([...(await read()).keys()]).not.toContain('telematics_unit_supply_voltage_in_volts');
});

test('a long journal is read once, page by page, and later looks ask for what is new', async () => {
  const { record, read, asked } = stage();
  for (let count = 1; count <= 2 * limits.journalPage + 1; count += 1) record(supply(10_000 + count));
  const value = async () => (await read()).get('telematics_unit_supply_voltage_in_volts')?.value;
  expect(await value()).toBe(10.401);
  expect(asked).toHaveLength(3);
  record(supply(9_000));
  expect(await value()).toBe(9);
  expect(asked).toHaveLength(4);
  expect(asked.at(-1)).toContain(`after=${2 * limits.journalPage + 1}`);
});

test('of a box whose flash was wiped nothing is kept', async () => {
  const { change, record, read, journal } = stage();
  for (let count = 0; count < 3; count += 1) record(IGNITION_ON);
  await read();
  change({ journal: emptyJournal(journal().epoch + 1, 10_000) });
  expect([...(await read())]).toEqual([]);
  record(supply(12_000));
  expect([...(await read()).keys()]).toContain('telematics_unit_supply_voltage_in_volts');
});

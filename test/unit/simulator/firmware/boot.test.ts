import { describe, expect, test } from 'vitest';
import { factoryConfiguration } from '../../../../simulator/firmware/configuration.ts';
import { countersKey } from '../../../../simulator/firmware/pages.ts';
import { entriesOf } from '../../../../simulator/firmware/shelf.ts';
import { step } from '../../../../simulator/firmware/step.ts';
import { Rig, requestId } from './rig.ts';

describe('a boot', () => {
  test('with wiped flash begins a new epoch, and another one with other chance', () => {
    const epochs = [1, 2, 3].map((entropy) => {
      const rig = new Rig();
      rig.feed({ kind: 'boot', pages: new Map(), reason: 'GENERAL', entropy });
      return rig.state.flash.journal.epoch;
    });
    expect(new Set(epochs).size).toBe(3);
    expect(epochs).not.toContain(0);
  });

  test('with what is in flash goes on in its epoch, with its sequences, and forgets its RAM', () => {
    const rig = new Rig().ready();
    rig.tick({ anyDoorOpen: true });
    const before = rig.state;
    rig.boot('WATCHDOG');
    expect(rig.state.flash.journal).toEqual({ ...before.flash.journal, open: [], receipted: [] });
    expect(rig.state.flash.counters.boot).toBe(before.flash.counters.boot + 1);
    expect(rig.state.ram).toMatchObject({
      resetReason: 'WATCHDOG',
      modem: { phase: 'off' },
      session: { phase: 'down' },
    });
    expect(rig.state.ram.clock).toEqual(before.flash.clock);
  });

  test('uses no sequence again after everything was receipted', () => {
    const rig = new Rig().ready();
    rig.tick({ anyDoorOpen: true });
    rig.receiptAll();
    expect(entriesOf(rig.state.flash.journal.shelf)).toEqual([]);
    const { next } = rig.state.flash.journal;
    rig.boot();
    expect(rig.state.flash.journal.next).toBe(next);
  });

  test('sends what was receipted since the last write once more, as it was, and lets go of it again', () => {
    const rig = new Rig().ready();
    rig.tick({ anyDoorOpen: true });
    const { sequence, bytes } = entriesOf(rig.state.flash.journal.shelf)[0] ?? {};
    rig.receiptAll();
    expect(entriesOf(rig.state.flash.journal.shelf)).toEqual([]);
    rig.boot('UNKNOWN');
    expect(entriesOf(rig.state.flash.journal.shelf)).toMatchObject([{ sequence, bytes }]);
    rig.pass(5_000);
    rig.connect();
    expect(entriesOf(rig.state.flash.journal.shelf)).toEqual([]);
  });

  test('finds its counters as it left them, though a workshop has put a program into it before it had power', () => {
    const before = new Rig().ready();
    const { epoch, next } = before.state.flash.journal;
    const after = new Rig();
    after.pages = before.pages;
    const counters = after.pages.get(countersKey);
    after.feed({ kind: 'firmware', version: [2, 31] });
    expect(after.pages.get(countersKey)).toEqual(counters);
    after.boot();
    expect(after.state.flash.journal).toMatchObject({ epoch, next });
  });

  test('of a box that was wiped begins an epoch, though a program was put into it before it had power again', () => {
    const rig = new Rig().ready();
    rig.tick({ anyDoorOpen: true });
    rig.receiptAll();
    const { epoch } = rig.state.flash.journal;
    rig.feed({ kind: 'reset', reason: 'GENERAL' });
    rig.pages.delete(countersKey);
    rig.feed({ kind: 'firmware', version: [2, 31] });
    rig.boot();
    expect(rig.state.flash.journal.epoch).not.toBe(epoch);
  });

  test('makes nothing of pages that are no pages of its own', () => {
    const rig = new Rig().ready();
    const pages = new Map(rig.pages);
    for (const key of ['j/xyz', 'j/00000001', 'a/', 'clock', 'settings', 'intent', 'vehicle']) {
      pages.set(key, Uint8Array.of(1));
    }
    const { state } = step(rig.state, rig.at, { kind: 'boot', pages, reason: 'UNKNOWN', entropy: 4 });
    expect(state.flash.journal.epoch).toBe(rig.state.flash.journal.epoch);
    expect(state.flash.clock).toBeUndefined();
    expect(state.flash.configuration.revision).toBe(0);
  });
});

describe('the supply', () => {
  test('below the threshold leaves the box dead until it is well above it again', () => {
    const rig = new Rig().ready();
    expect(rig.tick({ supplyMillivolts: 5_500 })).toEqual([{ kind: 'drop' }]);
    expect(rig.feed({ kind: 'reset', reason: 'USER' })).toHaveLength(1);
    rig.ready({ supplyMillivolts: 12_600 });
    rig.tick({ supplyMillivolts: 5_500 });
    expect(rig.tick({ supplyMillivolts: 7_000 })).toEqual([]);
    expect(rig.tick({ supplyMillivolts: 12_000 })).toMatchObject([{ kind: 'reset', reason: 'BROWN_OUT' }]);
    rig.boot('BROWN_OUT');
    rig.pass(1_000);
    expect(rig.state.flash.journal.shelf.counts.event).toBe(1);
  });
});

describe('a configuration', () => {
  const configuration = (rig: Rig, revision: number, number: number, interval = 30) =>
    rig.down({
      kind: 'configuration',
      requestId: requestId(number),
      revision,
      expiresMs: rig.at + 20_000,
      settings: [
        { name: 'tracking.enabled', value: 1 },
        { name: 'tracking.timeIntervalS', value: interval },
      ],
    });

  test('is in force as a whole, outlives a reset, and is told in the hello', () => {
    const rig = new Rig({ factorySettings: { 'box.standbyReportIntervalS': 60 } }).ready();
    configuration(rig, 3, 1);
    expect(rig.told()).toMatchObject([{ outcome: 'done' }]);
    rig.boot();
    expect(rig.state.flash.configuration).toEqual({
      revision: 3,
      values: {
        ...factoryConfiguration({}).values,
        'tracking.enabled': 1,
        'tracking.timeIntervalS': 30,
        'box.standbyReportIntervalS': 1800,
      },
    });
  });

  test('of a lower revision is refused, of the same one done without doing anything', () => {
    const rig = new Rig().ready();
    configuration(rig, 3, 1);
    configuration(rig, 2, 2, 99);
    configuration(rig, 3, 3, 99);
    expect(rig.told().map((message) => message.kind === 'reply' && message.outcome)).toEqual([
      'done',
      'conflicting-state',
      'done',
    ]);
    expect(rig.state.flash.configuration.values['tracking.timeIntervalS']).toBe(30);
  });

  test('past its expiry changes nothing', () => {
    const rig = new Rig().ready();
    rig.down({
      kind: 'configuration',
      requestId: requestId(1),
      revision: 1,
      expiresMs: rig.at - 1,
      settings: [],
    });
    expect(rig.told()).toMatchObject([{ outcome: 'expired' }]);
    expect(rig.state.flash.configuration.revision).toBe(0);
  });
});

import { describe, expect, test } from 'vitest';
import { factoryConfiguration } from '../../../../../simulator/firmware/core/configuration.ts';
import { countersKey } from '../../../../../simulator/firmware/core/pages.ts';
import { step } from '../../../../../simulator/firmware/core/step.ts';
import { allEntries } from '../../../../../simulator/firmware/journal/entry-index.ts';
import { requestId, TestBox } from '../../../../support/firmware/test-box.ts';

describe('a boot', () => {
  test('with wiped flash begins a new epoch, which differs with another seed', () => {
    const epochs = [1, 2, 3].map((entropy) => {
      const rig = new TestBox();
      rig.feed({ kind: 'boot', pages: new Map(), reason: 'GENERAL', entropy });
      return rig.state.flash.journal.epoch;
    });
    expect(new Set(epochs).size).toBe(3);
    expect(epochs).not.toContain(0);
  });

  test('with data in flash continues its epoch and sequences, and loses its RAM', () => {
    const rig = new TestBox().ready();
    rig.tick({ anyDoorOpen: true });
    const before = rig.state;
    rig.boot('WATCHDOG');
    expect(rig.state.flash.journal).toEqual({ ...before.flash.journal, openTombstones: [], receipted: [] });
    expect(rig.state.flash.counters.boot).toBe(before.flash.counters.boot + 1);
    expect(rig.state.ram).toMatchObject({
      resetReason: 'WATCHDOG',
      modem: { phase: 'off' },
      session: { phase: 'down' },
    });
    expect(rig.state.ram.clock).toEqual(before.flash.clock);
  });

  test('reuses no sequence after everything was receipted', () => {
    const rig = new TestBox().ready();
    rig.tick({ anyDoorOpen: true });
    rig.receiptAll();
    expect(allEntries(rig.state.flash.journal.entryIndex)).toEqual([]);
    const { next } = rig.state.flash.journal;
    rig.boot();
    expect(rig.state.flash.journal.next).toBe(next);
  });

  test('repeats records receipted since the last write unchanged, and releases them again', () => {
    const rig = new TestBox().ready();
    rig.tick({ anyDoorOpen: true });
    const { sequence, bytes } = allEntries(rig.state.flash.journal.entryIndex)[0] ?? {};
    rig.receiptAll();
    expect(allEntries(rig.state.flash.journal.entryIndex)).toEqual([]);
    rig.boot('UNKNOWN');
    expect(allEntries(rig.state.flash.journal.entryIndex)).toMatchObject([{ sequence, bytes }]);
    rig.pass(5_000);
    rig.connect();
    expect(allEntries(rig.state.flash.journal.entryIndex)).toEqual([]);
  });

  test('keeps its counters, even if a workshop installed firmware before it had power', () => {
    const before = new TestBox().ready();
    const { epoch, next } = before.state.flash.journal;
    const after = new TestBox();
    after.pages = before.pages;
    const counters = after.pages.get(countersKey);
    after.feed({ kind: 'firmware', version: [2, 31] });
    expect(after.pages.get(countersKey)).toEqual(counters);
    after.boot();
    expect(after.state.flash.journal).toMatchObject({ epoch, next });
  });

  test('of a wiped box begins an epoch, even if firmware was installed before it had power again', () => {
    const rig = new TestBox().ready();
    rig.tick({ anyDoorOpen: true });
    rig.receiptAll();
    const { epoch } = rig.state.flash.journal;
    rig.feed({ kind: 'reset', reason: 'GENERAL' });
    rig.pages.delete(countersKey);
    rig.feed({ kind: 'firmware', version: [2, 31] });
    rig.boot();
    expect(rig.state.flash.journal.epoch).not.toBe(epoch);
  });

  test('ignores foreign pages', () => {
    const rig = new TestBox().ready();
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
  test('below the threshold turns the box off until it is well above it again', () => {
    const rig = new TestBox().ready();
    expect(rig.tick({ supplyMillivolts: 5_500 })).toEqual([{ kind: 'drop' }]);
    expect(rig.feed({ kind: 'reset', reason: 'USER' })).toHaveLength(1);
    rig.ready({ supplyMillivolts: 12_600 });
    rig.tick({ supplyMillivolts: 5_500 });
    expect(rig.tick({ supplyMillivolts: 7_000 })).toEqual([]);
    expect(rig.tick({ supplyMillivolts: 12_000 })).toMatchObject([{ kind: 'reset', reason: 'BROWN_OUT' }]);
    rig.boot('BROWN_OUT');
    rig.pass(1_000);
    expect(rig.state.flash.journal.entryIndex.counts.event).toBe(1);
  });
});

describe('a configuration', () => {
  const configuration = (rig: TestBox, revision: number, number: number, interval = 30) =>
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

  test('is in force as a whole, survives a reset, and is reported in the hello', () => {
    const rig = new TestBox({ factorySettings: { 'box.standbyReportIntervalS': 60 } }).ready();
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

  test('of a lower revision is refused, of the same one answered without any effect', () => {
    const rig = new TestBox().ready();
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
    const rig = new TestBox().ready();
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

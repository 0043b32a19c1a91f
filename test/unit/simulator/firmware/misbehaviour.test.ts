import { describe, expect, test } from 'vitest';
import { limits } from '../../../../simulator/limits.ts';
import { requestId, TestBox } from '../../../support/firmware/test-box.ts';

describe('a box with a fault', () => {
  const breakIt = (rig: TestBox, isPassing: boolean) =>
    rig.feed({ kind: 'fault', fault: { text: 'output driver over temperature', isPassing } });
  const outcomes = (rig: TestBox) =>
    rig.told().map((message) => message.kind === 'reply' && `${message.outcome} ${message.error}`);

  test('fails at the next command with its error text, and works again after a temporary fault', () => {
    const rig = new TestBox().ready();
    breakIt(rig, true);
    rig.command('unlock-central-lock', 1);
    rig.command('request-vehicle-state', 2);
    expect(outcomes(rig)).toEqual(['failed output driver over temperature', 'done ']);
  });

  test('refuses a configuration with the same error text', () => {
    const rig = new TestBox().ready();
    breakIt(rig, false);
    rig.down({
      kind: 'configuration',
      requestId: requestId(1),
      revision: 3,
      expiresMs: rig.at + 20_000,
      settings: [{ name: 'tracking.enabled', value: 1 }],
    });
    expect(outcomes(rig)).toEqual(['failed output driver over temperature']);
    expect(rig.state.flash.configuration.revision).toBe(0);
  });

  test('fails at every command, even after a reset, until it is repaired', () => {
    const rig = new TestBox().ready();
    breakIt(rig, false);
    rig.command('request-system-status', 1);
    rig.ready();
    rig.command('request-vehicle-state', 2);
    expect(outcomes(rig)).toEqual(['failed output driver over temperature']);
    rig.feed({ kind: 'fault', fault: undefined });
    rig.command('request-vehicle-state', 3);
    expect(outcomes(rig)).toEqual(['done ']);
  });
});

describe('a box that hangs', () => {
  test('keeps its link, answers nothing, and processes what it received when it continues', () => {
    const rig = new TestBox().ready();
    rig.feed({ kind: 'hang', forMs: 10_000 });
    rig.command('request-vehicle-state', 1, 20_000);
    rig.command('request-vehicle-state', 2, 5_000);
    rig.pass(9_000);
    expect(rig.told()).toEqual([]);
    rig.pass(1_000);
    expect(rig.told()).toMatchObject([
      { requestId: requestId(1), outcome: 'done' },
      { requestId: requestId(2), outcome: 'expired' },
    ]);
    expect(rig.effects.filter((effect) => effect.kind === 'drop')).toEqual([]);
  });

  test('can be made to continue early', () => {
    const rig = new TestBox().ready();
    rig.feed({ kind: 'hang', forMs: 60_000 });
    rig.command('request-vehicle-state');
    rig.feed({ kind: 'hang', forMs: 0 });
    rig.tick();
    expect(rig.told()).toMatchObject([{ outcome: 'done' }]);
  });

  test('is finally reset by its watchdog, and frames from meanwhile are lost', () => {
    const rig = new TestBox().ready();
    rig.feed({ kind: 'hang', forMs: 600_000 });
    rig.command('unlock-central-lock', 1, 600_000);
    rig.pass(limits.watchdogMs);
    expect(rig.effects.at(-1)).toMatchObject({ kind: 'reset', reason: 'WATCHDOG' });
    rig.boot('WATCHDOG');
    expect(rig.state.ram.hang).toBeUndefined();
    expect(rig.state.flash.answered).toEqual([]);
  });

  test('buffers no more than its limit', () => {
    const rig = new TestBox().ready();
    rig.feed({ kind: 'hang', forMs: 60_000 });
    for (let number = 1; number <= limits.bufferedInputs + 3; number += 1) {
      rig.command('request-vehicle-state', number);
    }
    expect(rig.state.ram.counts.strayFrames).toBe(3);
  });
});

describe('another firmware', () => {
  test('is installed after a going-down, runs from the next boot, and survives a wiped flash', () => {
    const rig = new TestBox().ready();
    rig.feed({ kind: 'firmware', version: [2, 23] });
    expect(rig.told()).toMatchObject([{ kind: 'going-down', reason: 'update' }, { kind: 'gone' }]);
    rig.acknowledgeAll();
    expect(rig.effects.at(-1)).toEqual({ kind: 'reset', reason: 'SOFTWARE', downMs: limits.updateDownMs });
    for (const isWiped of [false, true]) {
      if (isWiped) rig.pages.delete('counters');
      rig.boot('SOFTWARE');
      rig.pass(5_000);
      rig.feed({ kind: 'opened' });
      rig.feed({ kind: 'subscribed' });
      expect(rig.told()).toContainEqual(expect.objectContaining({ kind: 'hello', firmware: [2, 23] }));
    }
    rig.receiptAll();
    rig.told();
    rig.command('activate-workshop-mode');
    expect(rig.told()).toMatchObject([{ outcome: 'unsupported' }]);
  });

  test('can be installed in a box without a link or without power', () => {
    for (const power of ['no link', 'dead', 'off'] as const) {
      const rig = new TestBox();
      rig.boot();
      if (power === 'no link') rig.pass(1_000);
      if (power === 'dead') rig.tick({ supplyMillivolts: 5_000 });
      if (power === 'off') rig.feed({ kind: 'reset', reason: 'USER' });
      rig.feed({ kind: 'firmware', version: [3, 1] });
      rig.boot();
      expect(rig.state.ram.firmware).toEqual([3, 1]);
    }
  });
});

describe('frames that are not for a box', () => {
  test('are those of another epoch, and they change nothing', () => {
    const rig = new TestBox().ready();
    rig.tick({ ignitionOn: true });
    rig.acknowledgeAll();
    const held = rig.state.flash.journal;
    const contiguous = held.next - 1;
    rig.down({ kind: 'receipt', contiguous, ranges: [] }, rig.at, held.epoch + 1);
    rig.down({ kind: 'unreadable', sequences: [contiguous] }, rig.at, held.epoch + 1);
    expect(rig.state.flash.journal).toEqual(held);
    expect(rig.state.ram.counts.strayFrames).toBe(2);
    rig.down({ kind: 'receipt', contiguous, ranges: [] });
    rig.down({ kind: 'unreadable', sequences: [contiguous] });
    expect(rig.state.ram.counts.strayFrames).toBe(2);
    expect(rig.state.flash.journal).not.toEqual(held);
  });

  test('use its memory up, and then its watchdog resets it', () => {
    const rig = new TestBox().ready();
    const { ram } = rig.state;
    const most = Math.ceil(limits.heapBytes / limits.heapPerStrayBytes);
    rig.state = { ...rig.state, ram: { ...ram, counts: { ...ram.counts, strayFrames: most } } };
    expect(rig.state.ram.hang).toBeUndefined();
    rig.down({ kind: 'receipt', contiguous: 0, ranges: [] }, rig.at, rig.state.flash.journal.epoch + 1);
    expect(rig.state.ram.hang).toBeDefined();
    rig.effects = [];
    rig.pass(3 * limits.watchdogMs);
    expect(rig.effects).toContainEqual(expect.objectContaining({ kind: 'reset', reason: 'WATCHDOG' }));
  });
});

test('a supply that fails for a moment takes the connection along, and what was in flight', () => {
  const rig = new TestBox().ready();
  rig.tick({ ignitionOn: true });
  expect(rig.state.ram.outbox.inFlight.length).toBeGreaterThan(0);
  rig.feed({ kind: 'power-cut' });
  expect(rig.kinds().slice(-2)).toEqual(['drop', 'reset']);
  expect(rig.state.ram.session.phase).toBe('down');
});

test('a program from a workshop leaves no update behind in a box that had none', () => {
  const rig = new TestBox().ready();
  rig.feed({ kind: 'firmware', version: [2, 23] });
  expect(rig.state.flash.update).toBeUndefined();
});

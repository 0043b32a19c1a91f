import { describe, expect, test } from 'vitest';
import { topics } from '../../../../../protocol/topics.ts';
import { nextAlarm } from '../../../../../simulator/firmware/core/next-alarm.ts';
import { allEntries } from '../../../../../simulator/firmware/journal/entry-index.ts';
import { clockMs, counterMs } from '../../../../../simulator/firmware/power/rtc.ts';
import { limits } from '../../../../../simulator/limits.ts';
import { BOX_FACTS, requestId, TestBox } from '../../../../support/firmware/test-box.ts';

const BOX = BOX_FACTS.boxId;
const up = () => {
  const rig = new TestBox();
  rig.boot();
  rig.pass(5_000);
  return rig;
};

describe('the session', () => {
  test('begins with a raised connection counter that is durable, and with its own will', () => {
    const rig = up();
    expect(rig.effects).toMatchObject([
      { kind: 'connect', connection: 1, will: { topic: topics.presence(BOX), retain: true } },
    ]);
    rig.ready();
    expect(rig.state.flash.counters.connection).toBe(2);
  });

  test('subscribes, sends birth and hello, and sends records only after the answer', () => {
    const rig = up();
    rig.effects = [];
    rig.feed({ kind: 'opened' });
    expect(rig.effects).toEqual([{ kind: 'subscribe', filter: topics.down(BOX) }]);
    rig.feed({ kind: 'subscribed' });
    expect(rig.effects[1]).toMatchObject({ publication: { topic: topics.presence(BOX), retain: true } });
    expect(rig.told()).toMatchObject([{ kind: 'birth' }, { kind: 'hello', lowestHeld: 1, nextSequence: 2 }]);
    rig.acknowledgeAll();
    rig.down({ kind: 'receipt', contiguous: 0, ranges: [] });
    expect(rig.told()).toMatchObject([{ kind: 'ready' }, { kind: 'report', cause: 'boot' }]);
  });

  test('repeats its hello less and less often if no backend answers', () => {
    const rig = up();
    rig.feed({ kind: 'opened' });
    rig.feed({ kind: 'subscribed' });
    rig.told();
    for (let turn = 0; turn < 360; turn++) {
      rig.acknowledgeAll();
      rig.pass(10_000);
    }
    const hellos = rig.told();
    expect(new Set(hellos.map((message) => message.kind))).toEqual(new Set(['hello']));
    expect(hellos.length).toBeGreaterThan(8);
    expect(hellos.length).toBeLessThan(25);
  });

  test('retries after a refusal with increasing delays and jitter, within the limit', () => {
    const rig = up();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      rig.feed({ kind: 'closed' });
      const waitMs = rig.state.ram.session.retryAt - rig.at;
      waits.push(waitMs);
      expect(nextAlarm(rig.state)).toBe(rig.at + waitMs);
      rig.pass(waitMs - 1);
      expect(rig.state.ram.session.phase).toBe('down');
      rig.pass(1);
      expect(rig.state.ram.session.phase).toBe('connecting');
    }
    expect(waits[0]).toBeLessThanOrEqual(limits.reconnectFirstMs);
    for (const wait of waits.slice(8)) {
      expect(wait).toBeGreaterThanOrEqual(limits.reconnectMostMs / 2);
      expect(wait).toBeLessThanOrEqual(limits.reconnectMostMs);
    }
    expect(new Set(waits.slice(8)).size).toBeGreaterThan(1);
  });

  test('drops a link on which nothing is acknowledged', () => {
    const rig = new TestBox().ready();
    rig.tick({ anyDoorOpen: true });
    rig.effects = [];
    rig.pass(limits.acknowledgementTimeoutMs);
    expect(rig.kinds()[0]).toBe('drop');
  });

  test('repeats records without a receipt, and at once in the next session', () => {
    const rig = new TestBox().ready();
    rig.tick({ anyDoorOpen: true });
    rig.acknowledgeAll();
    const [first] = rig.sent.splice(0);
    rig.pass(limits.resendFirstMs);
    expect(rig.sent.splice(0)).toEqual([first]);
    rig.acknowledgeAll();
    rig.feed({ kind: 'closed' });
    rig.pass(2_000);
    rig.feed({ kind: 'opened' });
    rig.feed({ kind: 'subscribed' });
    rig.acknowledgeAll();
    rig.sent = [];
    rig.down({ kind: 'receipt', contiguous: 0, ranges: [] });
    expect(rig.sent).toContainEqual(first);
  });

  test('gives up a link on which nothing comes down though everything is acknowledged, however often it is sent', () => {
    const rig = new TestBox().ready();
    rig.tick({ anyDoorOpen: true });
    let dropMs = 0;
    for (const beganMs = rig.at; dropMs === 0 && rig.at < beganMs + 3_600_000; rig.pass(1_000)) {
      rig.acknowledgeAll();
      if (rig.kinds().includes('drop')) dropMs = rig.at - beganMs;
    }
    // Sent again after 30, 60, 120 and 240 s, and half a minute for the last answer.
    expect(Math.abs(dropMs - 480_000)).toBeLessThan(10_000);
  });

  test('keeps a link on which something comes down, though a record gets no receipt', () => {
    const rig = new TestBox().ready();
    rig.tick({ anyDoorOpen: true });
    for (let turn = 0; turn < 60; turn += 1) {
      for (let second = 0; second < 60; second += 1) {
        rig.pass(1_000);
        rig.acknowledgeAll();
      }
      rig.command('request-system-status');
    }
    expect(rig.kinds()).not.toContain('drop');
  });

  test('repeats its ready less and less often until the backend acknowledges it', () => {
    const rig = up();
    rig.feed({ kind: 'opened' });
    rig.feed({ kind: 'subscribed' });
    const { next } = rig.state.flash.journal;
    rig.told();
    // The answer to the hello; no record is left that could show anything.
    rig.down({ kind: 'receipt', contiguous: next - 1, ranges: [] });
    expect(rig.told()).toEqual([{ kind: 'ready' }]);
    for (let turn = 0; turn < 120; turn += 1) {
      rig.pass(10_000);
      rig.acknowledgeAll();
    }
    const again = rig.told();
    expect(again).toHaveLength(7);
    expect(new Set(again.map((message) => message.kind))).toEqual(new Set(['ready']));
    rig.down({ kind: 'receipt', contiguous: next - 1, ranges: [] });
    rig.pass(300_000);
    expect(rig.told()).toEqual([]);
  });

  test.each([
    ['a command', (rig: TestBox) => rig.command('request-system-status')],
    [
      'the receipt of a record',
      (rig: TestBox) => {
        rig.tick({ anyDoorOpen: true });
        rig.down({ kind: 'receipt', contiguous: 0, ranges: [] }, rig.at - 60_000);
        rig.receiptAll();
      },
    ],
  ])('takes %s for a sign that its ready was heard', (_name, sign) => {
    const rig = up();
    rig.feed({ kind: 'opened' });
    rig.feed({ kind: 'subscribed' });
    rig.receiptAll();
    rig.acknowledgeAll();
    expect(rig.state.ram.session.readyRepeatAt).toBeDefined();
    sign(rig);
    expect(rig.state.ram.session.readyRepeatAt).toBeUndefined();
  });

  describe('a session that the broker kept', () => {
    const AWAY_MS = 3_600_000;
    const resumed = (isResumed = true): TestBox => {
      const rig = new TestBox().ready();
      rig.feed({ kind: 'closed' });
      rig.pass(AWAY_MS);
      rig.feed({ kind: 'opened', isResumed });
      rig.feed({ kind: 'subscribed' });
      rig.acknowledgeAll();
      rig.effects = [];
      return rig;
    };
    const receipt = { kind: 'receipt', contiguous: 0, ranges: [] } as const;
    const timeOf = ({ state, at }: TestBox) => clockMs(state.ram.clock, counterMs(state.facts, at));

    test('may bring a receipt from before, which answers no hello and sets no clock back', () => {
      const rig = resumed();
      const beforeMs = timeOf(rig);
      rig.down(receipt, rig.at - AWAY_MS);
      expect(rig.state.ram.session.phase).toBe('greeting');
      expect(timeOf(rig)).toBe(beforeMs);
      rig.down(receipt, rig.at);
      expect(rig.state.ram.session.phase).toBe('ready');
    });

    test.each([
      ['kept with it', AWAY_MS, false],
      ['sent now', 0, true],
    ])('a command that was %s moves outputs: after %i ms %s', (_when, agoMs, moves) => {
      const rig = resumed();
      rig.down(receipt, rig.at - AWAY_MS);
      const statedMs = rig.at - agoMs;
      const effects = rig.down(
        {
          kind: 'command',
          requestId: requestId(3),
          command: 'disable-driving',
          expiresMs: statedMs + 20_000,
        },
        statedMs,
      );
      expect(effects.some(({ kind }) => kind === 'actuate')).toBe(moves);
    });

    test('has no older receipts after some hellos: then it is the clock of the box that is wrong', () => {
      const rig = resumed();
      rig.feed({ kind: 'clock-jump', byMs: AWAY_MS });
      for (let hellos = 1; hellos < limits.hellosUntilTrusted; hellos += 1) {
        rig.down(receipt, rig.at);
        expect(rig.state.ram.session.phase).toBe('greeting');
        rig.pass(limits.helloRepeatFirstMs * 2 ** (hellos - 1));
      }
      rig.down(receipt, rig.at);
      expect(rig.state.ram.session.phase).toBe('ready');
      expect(timeOf(rig)).toBeLessThan(rig.at + limits.helloRepeatMostMs);
    });

    test('takes any receipt for the answer where nothing was kept', () => {
      const rig = resumed(false);
      rig.down(receipt, rig.at - AWAY_MS);
      expect(rig.state.ram.session.phase).toBe('ready');
    });
  });

  test('treats a receipt as the answer to its ready only if it cannot be the answer to a hello', () => {
    const rig = up();
    rig.feed({ kind: 'opened' });
    rig.feed({ kind: 'subscribed' });
    rig.acknowledgeAll();
    rig.pass(limits.helloRepeatFirstMs);
    rig.receiptAll();
    rig.acknowledgeAll();
    rig.at += 500;
    rig.receiptAll();
    expect(rig.state.ram.session.readyRepeatAt).toBeDefined();
  });

  test('packs a backlog into payloads, and lets events overtake it', () => {
    const rig = new TestBox({ factorySettings: { 'tracking.enabled': 1, 'tracking.timeIntervalS': 1 } });
    rig.boot();
    rig.pass(1_000);
    rig.tick({ ignitionOn: true });
    rig.pass(60_000);
    rig.tick({ anyDoorOpen: true });
    rig.sent = [];
    rig.effects = [];
    rig.feed({ kind: 'opened' });
    rig.pass(0);
    for (let tries = 0; rig.state.ram.session.phase !== 'ready' && tries < 20; tries++) {
      rig.pass(5_000);
      rig.feed({ kind: 'opened' });
      rig.feed({ kind: 'subscribed' });
      rig.effects = [];
      rig.down({ kind: 'receipt', contiguous: 0, ranges: [] });
    }
    rig.acknowledgeAll();
    const payloads = rig.effects.filter((effect) => effect.kind === 'publish');
    const records = rig.sent.filter((frame) => frame.sequence > 0);
    expect(records.length).toBeGreaterThan(60);
    expect(payloads.length).toBeLessThan(8);
    expect(records.slice(0, 2).map((frame) => frame.message.kind)).toEqual(['event', 'event']);
  });

  test('has no more payloads and records in flight than its limit', () => {
    const rig = new TestBox({
      journalRecords: 5_000,
      factorySettings: { 'tracking.enabled': 1, 'tracking.timeIntervalS': 1 },
    });
    rig.boot();
    rig.tick({ ignitionOn: true, hasCoverage: false });
    rig.pass(2_000_000);
    rig.tick({ hasCoverage: true });
    rig.pass(3_000);
    rig.feed({ kind: 'opened' });
    rig.feed({ kind: 'subscribed' });
    rig.acknowledgeAll();
    rig.down({ kind: 'receipt', contiguous: 0, ranges: [] });
    for (let turn = 0; turn < 40; turn++) {
      expect(rig.state.ram.outbox.inFlight.length).toBeLessThanOrEqual(limits.urgentPublishesInFlight);
      expect(rig.state.ram.outbox.awaiting).toBeLessThanOrEqual(limits.recordsAwaitingReceipt);
      rig.acknowledgeAll();
    }
    expect(rig.state.ram.outbox.awaiting).toBe(limits.recordsAwaitingReceipt);
    for (let turn = 0; turn < 40; turn++) {
      rig.receiptAll();
      rig.acknowledgeAll();
    }
    expect(allEntries(rig.state.flash.journal.entryIndex)).toEqual([]);
  });

  test('without it a record has its own memory, and does not retain frames of other boxes', () => {
    const rig = new TestBox({ factorySettings: { 'box.standbyReportIntervalS': 60 } }).ready();
    rig.feed({ kind: 'closed' });
    const can = [0x281, 0x4b1, 0x4b2].map((id) => ({ bus: 0 as const, id, data: new Uint8Array(8) }));
    rig.sensors = { ...rig.sensors, hasCoverage: false, signals: { ...rig.sensors.signals, can } };
    rig.pass(300_000);
    const held = allEntries(rig.state.flash.journal.entryIndex).map(({ bytes }) => bytes);
    expect(held.length).toBeGreaterThan(3);
    // Short frames have their own anyway (protocol/codec/writer.ts).
    expect(Math.min(...held.map((bytes) => bytes.length))).toBeGreaterThan(64);
    for (const bytes of held) expect(bytes.buffer.byteLength).toBe(bytes.length);
  });

  test('writes once per report: its receipt is written with the next one', () => {
    const factorySettings = { 'box.standbyReportIntervalS': 60 };
    const rig = new TestBox({ factorySettings }).ready();
    const records = () => [...rig.pages.keys()].filter((key) => key.startsWith('j/'));
    for (let report = 0; report < 5; report++) {
      rig.pass(60_000);
      expect(rig.told()).toMatchObject([{ kind: 'report' }]);
      expect(records()).toHaveLength(1);
      const pages = new Map(rig.pages);
      rig.acknowledgeAll();
      rig.receiptAll();
      expect(rig.pages).toEqual(pages);
      expect(allEntries(rig.state.flash.journal.entryIndex)).toEqual([]);
    }
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { counterMs, earliestMs, latestMs } from '../../../../../simulator/firmware/power/rtc.ts';
import { limits } from '../../../../../simulator/limits.ts';
import { TestBox } from '../../../../support/firmware/test-box.ts';

const LATE_MS = 9_000;

/** How far the box takes backend time to be on at most, in milliseconds: here it is true time. */
function latestAheadMs({ state, at }: TestBox): number {
  return (latestMs(state.ram.clock, counterMs(state.facts, at)) ?? 0) - at;
}

/** A box whose hello was answered after that time, by an answer that was made just before it came. */
function answeredLate(): TestBox {
  const rig = new TestBox();
  rig.boot();
  rig.pass(5_000);
  rig.feed({ kind: 'opened' });
  rig.feed({ kind: 'subscribed' });
  rig.acknowledgeAll();
  rig.pass(LATE_MS);
  rig.down({ kind: 'receipt', contiguous: 0, ranges: [] });
  rig.acknowledgeAll();
  return rig;
}

const receiptAfter = (rig: TestBox, ms: number): void => {
  rig.at += ms;
  rig.receiptAll();
};

describe('a hello that was answered late', () => {
  test('leaves open how late it is, until the receipt of a record that was sent since', () => {
    const rig = answeredLate();
    expect(latestAheadMs(rig)).toBeGreaterThanOrEqual(LATE_MS);
    receiptAfter(rig, 80);
    expect(latestAheadMs(rig)).toBeLessThan(100);
    rig.sent = [];
    rig.command('request-vehicle-state', 1, 2_000);
    expect(rig.told()).toMatchObject([{ kind: 'reply', outcome: 'done' }]);
  });

  test('leaves it open as long as receipts name no record: they may be second answers to the hello', () => {
    const rig = answeredLate();
    rig.at += 90;
    rig.down({ kind: 'receipt', contiguous: 0, ranges: [] });
    expect(latestAheadMs(rig)).toBeGreaterThanOrEqual(LATE_MS - 90);
  });
});

describe('a record whose receipt', () => {
  test('comes after it was sent twice is timed from the first time', () => {
    const rig = answeredLate();
    rig.pass(limits.resendFirstMs + 1_000);
    rig.acknowledgeAll();
    receiptAfter(rig, 50);
    // The first one counts, which says less than the answer to the hello.
    expect(latestAheadMs(rig)).toBeGreaterThanOrEqual(LATE_MS);
  });

  test('comes late, after it was sent again, tells nothing where the first sending was not timed', () => {
    const rig = answeredLate();
    rig.tick({ anyDoorOpen: true, locked: false });
    const { next } = rig.state.flash.journal;
    expect(next).toBeGreaterThan(2);
    rig.acknowledgeAll();
    rig.at += 50;
    const { at } = rig;
    rig.down({ kind: 'receipt', contiguous: 1, ranges: [] });
    rig.pass(limits.resendFirstMs + 1_000);
    rig.acknowledgeAll();
    // It was made long ago, for the first sending.
    rig.down({ kind: 'receipt', contiguous: next - 1, ranges: [] }, at);
    expect(latestAheadMs(rig)).toBeGreaterThanOrEqual(0);
  });

  test('went out of its turn, since its request came again, is not timed', () => {
    const rig = new TestBox({ journalRecords: 2_000 }).ready();
    const last = limits.repliesAwaitingReceipt + 1;
    for (let number = 1; number <= last; number += 1) {
      rig.command('request-vehicle-state', number);
      rig.acknowledgeAll();
    }
    // There is no room for the last reply among those that await a receipt; then its request comes again.
    rig.sent = [];
    rig.command('request-vehicle-state', last);
    expect(rig.told()).toMatchObject([{ kind: 'reply' }]);
    rig.acknowledgeAll();
    const { at } = rig;
    const { next } = rig.state.flash.journal;
    rig.at += 5_000;
    rig.down({ kind: 'receipt', contiguous: next - 2, ranges: [] });
    expect(rig.told()).toMatchObject([{ kind: 'reply' }]);
    rig.at += 20;
    rig.down({ kind: 'receipt', contiguous: next - 1, ranges: [] }, at);
    expect(latestAheadMs(rig)).toBeGreaterThanOrEqual(0);
  });

  test('never comes, since a full journal gives it up, makes room for the next one', () => {
    const rig = new TestBox({ journalRecords: 4 }).ready();
    rig.command('request-vehicle-state', 1);
    rig.acknowledgeAll();
    const timed = () => rig.state.ram.timing.timed?.sequence;
    const first = timed();
    expect(first).toBeDefined();
    for (let number = 2; number <= 12; number += 1) {
      rig.at += 10;
      rig.command('request-vehicle-state', number);
      rig.acknowledgeAll();
    }
    expect(timed()).toBeGreaterThan(first ?? 0);
  });

  test('comes after a restart tells nothing: it may be that of the first sending', () => {
    const rig = answeredLate();
    // A receipt was made for the record now, and is under way for long.
    const { at } = rig;
    const { epoch, next } = rig.state.flash.journal;
    rig.at += 3_000;
    rig.boot();
    rig.pass(5_000);
    rig.feed({ kind: 'opened' });
    rig.feed({ kind: 'subscribed' });
    rig.acknowledgeAll();
    rig.down({ kind: 'receipt', contiguous: 0, ranges: [] });
    rig.down({ kind: 'receipt', contiguous: next - 1, ranges: [] }, at, epoch);
    expect(latestAheadMs(rig)).toBeGreaterThanOrEqual(0);
  });
});

test('whatever is late, lost or sent again, backend time lies within what the box takes it to be', () => {
  const event = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 40_000 }) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('deliver up' as const),
        count: fc.integer({ min: 1, max: 5 }),
        times: fc.integer({ min: 1, max: 2 }),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('deliver down' as const),
        count: fc.integer({ min: 1, max: 3 }),
      }),
    },
    { arbitrary: fc.constant({ kind: 'lose down' as const }), weight: 1 },
    { arbitrary: fc.constant({ kind: 'reconnect' as const }), weight: 2 },
    { arbitrary: fc.constant({ kind: 'restart' as const }), weight: 1 },
    { arbitrary: fc.constant({ kind: 'ask' as const }), weight: 2 },
  );
  fc.assert(
    fc.property(
      fc.constantFrom(5, 90),
      fc.array(event, { minLength: 10, maxLength: 60 }),
      (intervalS, events) => {
        const rig = new TestBox({
          factorySettings: { 'tracking.enabled': 1, 'tracking.timeIntervalS': intervalS },
        });
        rig.boot();
        rig.pass(5_000);
        rig.tick({ ignitionOn: true });
        /** Sequences that the backend has; what it sends down is of this clean session. */
        const stored = new Set<number>();
        let up: (typeof rig.sent)[number][] = [];
        let down: {
          readonly contiguous: number;
          readonly ranges: [number, number][];
          readonly atMs: number;
        }[] = [];
        const receipt = () => {
          let contiguous = 0;
          while (stored.has(contiguous + 1)) contiguous += 1;
          const beyond = [...stored].filter((one) => one > contiguous).sort((one, other) => one - other);
          const ranges = beyond.map((one): [number, number] => [one, one]).slice(0, 32);
          down.push({ contiguous, ranges, atMs: rig.at });
        };
        const open = () => {
          [up, down] = [[], []];
          rig.sent = [];
          for (let tries = 0; rig.state.ram.session.phase !== 'greeting' && tries < 100; tries += 1) {
            rig.pass(1_000);
            rig.feed({ kind: 'opened' });
            rig.feed({ kind: 'subscribed' });
          }
        };
        let requests = 0;
        open();
        for (const one of events) {
          up.push(...rig.sent.splice(0));
          rig.acknowledgeAll();
          if (one.kind === 'pass') rig.pass(one.ms);
          else if (one.kind === 'reconnect') {
            rig.feed({ kind: 'closed' });
            open();
          } else if (one.kind === 'restart') {
            rig.boot();
            open();
          } else if (one.kind === 'lose down') down.shift();
          else if (one.kind === 'ask') {
            requests += 1;
            rig.command('request-vehicle-state', requests, 300);
          } else if (one.kind === 'deliver up') {
            for (const frame of up.splice(0, one.count)) {
              if (frame.sequence > 0) stored.add(frame.sequence);
              // MQTT may deliver twice, and each is answered.
              for (let time = 0; time < one.times; time += 1) {
                receipt();
                rig.at += 3;
              }
            }
          } else
            for (const { atMs, ...named } of down.splice(0, one.count))
              rig.down({ kind: 'receipt', ...named }, atMs);
          const { clock } = rig.state.ram;
          const counter = counterMs(rig.state.facts, rig.at);
          if (clock === undefined) continue;
          expect(latestMs(clock, counter)).toBeGreaterThanOrEqual(rig.at);
          expect(earliestMs(clock, counter)).toBeLessThanOrEqual(rig.at);
        }
      },
    ),
    { numRuns: 300 },
  );
});

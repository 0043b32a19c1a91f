import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BoxJudge } from '../../../../judge/ledger/box-judge.ts';
import type {
  ArrivedMessage,
  BoxFacts,
  HeldRecord,
  LedgerRecord,
  SequenceRange,
} from '../../../../judge/ledger/facts.ts';
import type { Fate, Hop, LedgerFinding } from '../../../../judge/ledger/finding.ts';
import { LedgerAccount, type LedgerReport } from '../../../../judge/ledger/ledger-account.ts';
import { MessageRecording } from '../../../../judge/ledger/message-recording.ts';
import { joined } from '../../../../judge/ledger/ranges.ts';

/** When all snapshots were taken. */
const NOW_MS = Date.UTC(2026, 0, 2);
const LATE_MS = 60_000;
const EPOCH = 5;

/** What the readers would have brought of one box. */
interface BoxLedgerInput {
  readonly boxId: string;
  readonly vehicleId: string;
  next: number;
  held: HeldRecord[];
  rows: (LedgerRecord & { readonly messageId: string | undefined })[];
  settled: number[];
}

interface LedgerInput {
  readonly boxes: BoxLedgerInput[];
  arrivals: ArrivedMessage[];
  readonly waiting: Map<string, number>;
  readonly dropped: Map<string, string>;
}

/** What becomes of a record in a history in which nothing is wrong. */
const fate = fc.constantFrom('told', 'told', 'told', 'told', 'silent', 'held', 'buried');

/** Any course without faults: everything stored and published in time, still held, or replaced by a tombstone. */
const anyRightLedgerInput: fc.Arbitrary<LedgerInput> = fc
  .array(fc.array(fate, { minLength: 2, maxLength: 30 }), { minLength: 1, maxLength: 3 })
  .map((boxes) => {
    const history: LedgerInput = { boxes: [], arrivals: [], waiting: new Map(), dropped: new Map() };
    let serial = 0;
    boxes.forEach((fates, number) => {
      const box: BoxLedgerInput = {
        boxId: `00000000000000b${number}`,
        vehicleId: `VEH0${number}`,
        next: 1,
        held: [],
        rows: [],
        settled: [],
      };
      history.boxes.push(box);
      for (const fate of fates) {
        const sequence = box.next++;
        const clockMs = NOW_MS - 3_600_000 + sequence * 1_000;
        if (fate === 'held') box.held.push({ sequence, clockMs: NOW_MS - 1_000 });
        else if (fate === 'buried') bury(box, sequence, clockMs);
        else store(history, box, sequence, clockMs, fate === 'told' ? idOf(serial++) : undefined);
      }
    });
    // Vehicles mix in the queue, each in its own order.
    history.arrivals.sort((a, b) => (a.arrivedMs ?? 0) - (b.arrivedMs ?? 0));
    return history;
  });

function idOf(serial: number): string {
  return `01J0000000000000000000${serial.toString().padStart(4, '0')}`;
}

function store(
  history: LedgerInput,
  box: BoxLedgerInput,
  sequence: number,
  clockMs: number,
  messageId: string | undefined,
): void {
  const receivedMs = clockMs + 300;
  box.rows.push({ epoch: EPOCH, sequence, clockMs, receivedMs, messageId, lost: 0 });
  box.settled.push(sequence);
  if (messageId !== undefined) history.arrivals.push(arrival(box.vehicleId, messageId, receivedMs, sequence));
}

function arrival(vehicleId: string, messageId: string, receivedMs: number, dataHash: number): ArrivedMessage {
  const arrivedMs = receivedMs + 50;
  const name = 'VehicleStateReceived';
  return { queue: 'q', redelivered: false, messageId, name, vehicleId, receivedMs, arrivedMs, dataHash };
}

/** The tombstone is the next record. */
function bury(box: BoxLedgerInput, sequence: number, clockMs: number): void {
  const own = box.next++;
  const covers: SequenceRange = [sequence, sequence];
  const receivedMs = clockMs + 300;
  box.rows.push({ epoch: EPOCH, sequence: own, clockMs, receivedMs, messageId: undefined, lost: 1, covers });
  box.settled.push(sequence, own);
}

/** Has the history judged as the ledger does it, without stores and files. */
function ledgerReportOf(history: LedgerInput, stoppedMs?: number): LedgerReport {
  const account = new LedgerAccount();
  const recording = new MessageRecording();
  for (const one of history.arrivals) {
    const finding = recording.record(one);
    if (finding !== undefined) account.add(finding);
  }
  for (const box of history.boxes) {
    const facts: BoxFacts = {
      boxId: box.boxId,
      vehicleId: box.vehicleId,
      journal: { epoch: EPOCH, next: box.next, held: box.held },
      settled: {
        epoch: EPOCH,
        ranges: joined(box.settled.map((sequence): SequenceRange => [sequence, sequence])),
      },
      isConnected: true,
      ever: { records: box.rows.length, lost: box.rows.reduce((sum, row) => sum + row.lost, 0) },
    };
    const judge = new BoxJudge({
      facts,
      settings: { nowMs: NOW_MS, stoppedMs, lateAfterMs: LATE_MS, sinceMs: 0, hasMessages: true },
      findMessage: (messageId) => recording.claim(messageId),
      report: (finding) => account.add(finding),
    });
    for (const row of box.rows) judge.take(row, history);
    judge.end();
    account.box(box.boxId, box.vehicleId, judge.records, judge.delivered);
  }
  for (const one of recording.unclaimed()) {
    const { vehicleId, messageId, duplicateOf: twin } = one;
    const fate = twin === undefined ? 'unknown' : 'doubled';
    account.add({ fate, hop: 'state', count: 1, vehicleId, messageId, detail: '' });
  }
  return account.report({
    atMs: NOW_MS,
    arrivals: recording.arrivals,
    hasMessages: true,
    unreadableLines: 0,
  });
}

/** What is in every history: it harms nobody. */
const HARMLESS: readonly Fate[] = ['pending', 'dropped'];

/** All that was found beside the harmless, one by one. */
function found(report: LedgerReport): readonly LedgerFinding[] {
  return report.cases
    .filter(({ fate }) => !HARMLESS.includes(fate))
    .flatMap(({ count, examples }) => {
      expect(examples.reduce((sum, one) => sum + one.count, 0)).toBe(count);
      return examples;
    });
}

/** Changes one stored and told record of a right history, and expects exactly one finding. */
function oneFinding(
  change: (
    history: LedgerInput,
    one: { readonly box: LedgerInput['boxes'][number]; readonly index: number; readonly messageId: string },
  ) => { readonly fate: Fate; readonly hop: Hop; readonly messageId?: string } | undefined,
): void {
  fc.assert(
    fc.property(anyRightLedgerInput, fc.nat(), (history, pick) => {
      const told = history.boxes.flatMap((box) =>
        box.rows.flatMap(({ messageId }, index) =>
          messageId === undefined ? [] : [{ box, index, messageId }],
        ),
      );
      const one = told[pick % Math.max(1, told.length)];
      fc.pre(one !== undefined);
      const { sequence } = one.box.rows[one.index] ?? { sequence: 0 };
      const before = ledgerReportOf(history).counts;
      const expected = change(history, one);
      fc.pre(expected !== undefined);
      const report = ledgerReportOf(history);
      const [finding, ...more] = found(report);
      expect(more).toEqual([]);
      expect(finding).toMatchObject({ vehicleId: one.box.vehicleId, ...expected });
      if (finding?.sequence !== undefined) expect(finding.sequence).toBe(sequence);
      for (const fate of HARMLESS) expect(report.counts[fate]).toBe(before[fate]);
      expect(report.vehicles.find((of) => of.vehicleId === one.box.vehicleId)?.counts[expected.fate]).toBe(1);
    }),
    { numRuns: 200 },
  );
}

describe('the judge of the ledger', () => {
  test('finds nothing if nothing is wrong, and locates every record', () => {
    fc.assert(
      fc.property(anyRightLedgerInput, (history) => {
        const report = ledgerReportOf(history);
        expect(found(report)).toEqual([]);
        expect(report.isRight).toBe(true);
        const given = history.boxes.reduce((sum, box) => sum + box.next - 1, 0);
        expect(report.records + report.counts.pending + report.counts.dropped).toBe(given);
      }),
    );
  });

  test('a message that never arrived is lost at the queue', () => {
    oneFinding((history, { messageId }) => {
      history.arrivals = history.arrivals.filter((one) => one.messageId !== messageId);
      return { fate: 'lost', hop: 'queue', messageId };
    });
  });

  test('a record that was settled and is not stored is lost at the state', () => {
    oneFinding((history, { box, index, messageId }) => {
      box.rows.splice(index, 1);
      history.arrivals = history.arrivals.filter((one) => one.messageId !== messageId);
      return { fate: 'lost', hop: 'state' };
    });
  });

  test('it is also lost while its page is still in flash: the box has released it and does not send it again', () => {
    oneFinding((history, { box, index, messageId }) => {
      const [row] = box.rows.splice(index, 1);
      history.arrivals = history.arrivals.filter((one) => one.messageId !== messageId);
      if (row !== undefined) box.held.push({ sequence: row.sequence, clockMs: NOW_MS - 1_000 });
      return { fate: 'lost', hop: 'state' };
    });
  });

  test('a record that left the journal without receipt or tombstone is lost at the box', () => {
    oneFinding((history, { box, index, messageId }) => {
      const [row] = box.rows.splice(index, 1);
      box.settled = box.settled.filter((sequence) => sequence !== row?.sequence);
      history.arrivals = history.arrivals.filter((one) => one.messageId !== messageId);
      return { fate: 'lost', hop: 'box' };
    });
  });

  test('the same message received again is repeated, and nothing is wrong', () => {
    oneFinding((history, { messageId }) => {
      const same = history.arrivals.find((one) => one.messageId === messageId);
      if (same !== undefined) history.arrivals.push({ ...same, arrivedMs: NOW_MS });
      return { fate: 'repeated', hop: 'queue', messageId };
    });
  });

  test('a record published with a second id is doubled', () => {
    oneFinding((history, { box, messageId }) => {
      const same = history.arrivals.find((one) => one.messageId === messageId);
      // Later than all others, so that only its being there is wrong.
      history.arrivals.push({ ...arrival(box.vehicleId, '01JZ', NOW_MS, 0), dataHash: same?.dataHash ?? 0 });
      return { fate: 'doubled', hop: 'state', messageId: '01JZ' };
    });
  });

  test('a message that belongs to no record is unknown', () => {
    oneFinding((history, { box }) => {
      history.arrivals.push(arrival(box.vehicleId, '01JZ', NOW_MS, -1));
      return { fate: 'unknown', hop: 'state', messageId: '01JZ' };
    });
  });

  test('of two messages in the wrong order the later one is reordered', () => {
    oneFinding((history, { box, messageId }) => {
      const lane = history.arrivals.filter((one) => one.vehicleId === box.vehicleId);
      const place = lane.findIndex((one) => one.messageId === messageId);
      const [first, second] = [lane[place], lane[place + 1]];
      if (first === undefined || second === undefined) return undefined;
      history.arrivals = history.arrivals.map((one) =>
        one === first ? second : one === second ? first : one,
      );
      return { fate: 'reordered', hop: 'queue', messageId };
    });
  });

  test('a message that took too long after the store is late at the queue', () => {
    oneFinding((history, { messageId }) => {
      history.arrivals = history.arrivals.map((one) =>
        one.messageId === messageId ? { ...one, arrivedMs: (one.receivedMs ?? 0) + LATE_MS + 1 } : one,
      );
      return { fate: 'late', hop: 'queue', messageId };
    });
  });

  test('a record that took too long to the store is late at the box', () => {
    oneFinding((_history, { box, index, messageId }) => {
      const row = box.rows[index];
      if (row !== undefined) box.rows[index] = { ...row, clockMs: row.receivedMs - LATE_MS - 1 };
      return { fate: 'late', hop: 'box', messageId };
    });
  });

  test('a message that stays in the outbox is late there', () => {
    oneFinding((history, { messageId }) => {
      history.arrivals = history.arrivals.filter((one) => one.messageId !== messageId);
      history.waiting.set(messageId, NOW_MS - LATE_MS);
      return { fate: 'late', hop: 'outbox', messageId };
    });
  });

  test('while the installation does not run, what waits in a box or in the outbox does not become late', () => {
    fc.assert(
      fc.property(anyRightLedgerInput, (history) => {
        const [box] = history.boxes;
        const [row] = box?.rows.filter(({ messageId }) => messageId !== undefined) ?? [];
        fc.pre(box !== undefined && row?.messageId !== undefined);
        history.arrivals = history.arrivals.filter(({ messageId }) => messageId !== row.messageId);
        history.waiting.set(row.messageId, row.receivedMs);
        const stoppedMs = row.receivedMs + 1_000;
        box.held.push({ sequence: box.next++, clockMs: stoppedMs - 1_000 });
        expect(found(ledgerReportOf(history, stoppedMs))).toEqual([]);
        expect(found(ledgerReportOf(history)).map(({ fate }) => fate)).toEqual(['late', 'late']);
      }),
    );
  });

  test('a message dropped by a full outbox is overflowed, not lost', () => {
    oneFinding((history, { messageId }) => {
      history.arrivals = history.arrivals.filter((one) => one.messageId !== messageId);
      history.dropped.set(messageId, 'age');
      return { fate: 'overflowed', hop: 'outbox', messageId };
    });
  });

  test('a record that a connected box holds for too long is late at the broker', () => {
    oneFinding((history, { box, index, messageId }) => {
      const [row] = box.rows.splice(index, 1);
      box.settled = box.settled.filter((sequence) => sequence !== row?.sequence);
      history.arrivals = history.arrivals.filter((one) => one.messageId !== messageId);
      if (row !== undefined) box.held.push({ sequence: row.sequence, clockMs: NOW_MS - LATE_MS - 1 });
      box.held.sort((a, b) => a.sequence - b.sequence);
      return { fate: 'late', hop: 'broker' };
    });
  });
});

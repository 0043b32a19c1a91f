import fc from 'fast-check';
import { BoxJudge } from '../../../judge/ledger/box-judge.ts';
import type {
  ArrivedMessage,
  BoxFacts,
  HeldRecord,
  LedgerRecord,
  SequenceRange,
} from '../../../judge/ledger/facts.ts';
import { LedgerAccount, type LedgerReport } from '../../../judge/ledger/ledger-account.ts';
import { MessageRecording } from '../../../judge/ledger/message-recording.ts';
import { joined } from '../../../judge/ledger/ranges.ts';

/** When all snapshots were taken. */
export const NOW_MS = Date.UTC(2026, 0, 2);
export const LATE_MS = 60_000;
const EPOCH = 5;

/** What the readers would have brought of one box. */
export interface BoxLedgerInput {
  readonly boxId: string;
  readonly vehicleId: string;
  next: number;
  held: HeldRecord[];
  rows: (LedgerRecord & { readonly messageId: string | undefined })[];
  settled: number[];
}

export interface LedgerInput {
  readonly boxes: BoxLedgerInput[];
  arrivals: ArrivedMessage[];
  readonly waiting: Map<string, number>;
  readonly dropped: Map<string, string>;
}

/** What becomes of a record in a history in which nothing is wrong. */
const fate = fc.constantFrom('told', 'told', 'told', 'told', 'silent', 'held', 'buried');

/** Any course without faults: everything stored and published in time, still held, or replaced by a tombstone. */
export const anyRightLedgerInput: fc.Arbitrary<LedgerInput> = fc
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

export function arrival(
  vehicleId: string,
  messageId: string,
  receivedMs: number,
  dataHash: number,
): ArrivedMessage {
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
export function ledgerReportOf(history: LedgerInput): LedgerReport {
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
      settings: { nowMs: NOW_MS, lateAfterMs: LATE_MS, sinceMs: 0, hasMessages: true },
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

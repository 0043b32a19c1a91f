import fc from 'fast-check';
import { Account, type LedgerReport } from '../../../../scenarios/ledger/account.ts';
import { BoxJudge } from '../../../../scenarios/ledger/box-judge.ts';
import type {
  Arrival,
  BoxFacts,
  HeldRecord,
  LedgerRecord,
  Range,
} from '../../../../scenarios/ledger/facts.ts';
import { MessageBook } from '../../../../scenarios/ledger/message-book.ts';
import { joined } from '../../../../scenarios/ledger/ranges.ts';

/** When all looks were taken. */
export const NOW = Date.UTC(2026, 0, 2);
export const LATE = 60_000;
const EPOCH = 5;

/** What the readers would have brought of one box. */
export interface BoxHistory {
  readonly boxId: string;
  readonly vehicleId: string;
  next: number;
  held: HeldRecord[];
  rows: (LedgerRecord & { readonly messageId: string | undefined })[];
  settled: number[];
}

export interface History {
  readonly boxes: BoxHistory[];
  arrivals: Arrival[];
  readonly waiting: Map<string, number>;
  readonly dropped: Map<string, string>;
}

/** What becomes of a record in a history in which nothing is wrong. */
const fate = fc.constantFrom('told', 'told', 'told', 'told', 'silent', 'held', 'buried');

/** Any way in which nothing goes wrong: everything stored and told in time, still held, or buried by a tombstone. */
export const rightHistory: fc.Arbitrary<History> = fc
  .array(fc.array(fate, { minLength: 2, maxLength: 30 }), { minLength: 1, maxLength: 3 })
  .map((boxes) => {
    const history: History = { boxes: [], arrivals: [], waiting: new Map(), dropped: new Map() };
    let serial = 0;
    boxes.forEach((fates, number) => {
      const box: BoxHistory = {
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
        const clockMs = NOW - 3_600_000 + sequence * 1_000;
        if (fate === 'held') box.held.push({ sequence, clockMs: NOW - 1_000 });
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
  history: History,
  box: BoxHistory,
  sequence: number,
  clockMs: number,
  messageId: string | undefined,
): void {
  const receivedMs = clockMs + 300;
  box.rows.push({ epoch: EPOCH, sequence, clockMs, receivedMs, messageId, lost: 0 });
  box.settled.push(sequence);
  if (messageId !== undefined) history.arrivals.push(arrival(box.vehicleId, messageId, receivedMs, sequence));
}

export function arrival(vehicleId: string, messageId: string, receivedMs: number, dataHash: number): Arrival {
  const arrivedMs = receivedMs + 50;
  const name = 'VehicleStateReceived';
  return { queue: 'q', redelivered: false, messageId, name, vehicleId, receivedMs, arrivedMs, dataHash };
}

/** The tombstone is the next record. */
function bury(box: BoxHistory, sequence: number, clockMs: number): void {
  const own = box.next++;
  const covers: Range = [sequence, sequence];
  const receivedMs = clockMs + 300;
  box.rows.push({ epoch: EPOCH, sequence: own, clockMs, receivedMs, messageId: undefined, lost: 1, covers });
  box.settled.push(sequence, own);
}

/** Has the history judged as the ledger does it, without stores and files. */
export function judged(history: History): LedgerReport {
  const account = new Account();
  const book = new MessageBook();
  for (const one of history.arrivals) {
    const finding = book.take(one);
    if (finding !== undefined) account.add(finding);
  }
  for (const box of history.boxes) {
    const facts: BoxFacts = {
      boxId: box.boxId,
      vehicleId: box.vehicleId,
      journal: { epoch: EPOCH, next: box.next, held: box.held },
      settled: {
        epoch: EPOCH,
        ranges: joined(box.settled.map((sequence): Range => [sequence, sequence])),
      },
      isConnected: true,
      ever: { records: box.rows.length, lost: box.rows.reduce((sum, row) => sum + row.lost, 0) },
    };
    const judge = new BoxJudge({
      facts,
      settings: { nowMs: NOW, lateAfterMs: LATE, sinceMs: 0, hasMessages: true },
      ask: (messageId) => book.ask(messageId),
      say: (finding) => account.add(finding),
    });
    for (const row of box.rows) judge.take(row, history);
    judge.end();
    account.box(box.boxId, box.vehicleId, judge.records, judge.delivered);
  }
  for (const one of book.unasked()) {
    const { vehicleId, messageId, twin } = one;
    const fate = twin === undefined ? 'unknown' : 'doubled';
    account.add({ fate, hop: 'state', count: 1, vehicleId, messageId, detail: '' });
  }
  return account.report({
    atMs: NOW,
    arrivals: book.arrivals,
    hasMessages: true,
    unreadableLines: 0,
  });
}

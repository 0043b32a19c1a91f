import type { RecordedFrame } from '../../evidence/evidence.ts';
import type { Fact } from '../../evidence/fact.ts';
import { ALL_FRAME_KINDS } from '../../recordings.ts';
import { RunTimes } from '../answers/run-times.ts';
import { STOPS_BROKER } from '../box/sessions-last.ts';
import type { Checker } from '../check.ts';
import { Findings, nameOf, nothingCompared } from '../findings.ts';
import { limits } from '../limits.ts';

/**
 * A record that a box has sent is receipted, or requested again, before the box resends it on its own (docs/wire.md, A
 * connection), unless there is a fault. The orderly replacement of one of several backends is no fault, nor is a
 * slightly slow store: a backend stores what it has accepted, or reports to the next one that it has not.
 */
export const receiptsInTime: Checker = async ({ evidence, vehicles, facts, factsDropped }) => {
  const findings = new Findings();
  if (factsDropped > 0 || evidence.unrecorded().frames > 0) return nothingCompared('not all was recorded');
  const times = new RunTimes({ facts });
  const bearable = [...ORDERLY, ...slightlySlow(facts)];
  let records = 0;
  for (const vehicle of vehicles) {
    const { boxId } = vehicle;
    if (boxId === undefined || vehicle.vehicleId === '') continue;
    const waits = new ReceiptWaits();
    for await (const page of evidence.frames(vehicle, ALL_FRAME_KINDS))
      for (const frame of page) waits.note(frame);
    records += waits.records;
    for (const { epoch, sequence, sinceMs, sentMs, toMs, end } of waits.long) {
      const span = { fromMs: sentMs, toMs: sentMs + limits.receiptMs };
      if (times.isUnder(STOPS_BROKER, vehicle, { fromMs: sinceMs, toMs })) continue;
      if (!times.isReadyThroughout(vehicle, { ...span, toMs }) || !times.isCalm(span, vehicle, bearable))
        continue;
      findings.add(
        'a record whose receipt did not come in time',
        `record ${boxId}/${epoch}/${sequence} of ${nameOf(vehicle)} was sent and ${end} ${toMs - sentMs} ms later, and nothing was broken`,
        { vehicle, atMs: toMs },
      );
    }
  }
  return findings.result([[records, 'record']]);
};

const ORDERLY = ['the service', 'backend restart', 'backend wake_ups'] as const;

/** The keys of stores whose delay is small enough for a move of partitions and a commit in time. */
function slightlySlow(facts: readonly Fact[]): readonly string[] {
  const keys = facts.flatMap((fact) => {
    if (fact.kind !== 'fault' || fact.name !== 'store slow') return [];
    const { by } = JSON.parse(fact.detail) as { readonly by: number };
    return by <= limits.bearablySlowMs ? [`${fact.name} ${fact.detail} `] : [];
  });
  return [...new Set(keys)];
}

interface LongWait {
  /** When the box said hello in that session. */
  readonly sinceMs: number;
  readonly epoch: number;
  readonly sequence: number;
  readonly sentMs: number;
  readonly toMs: number;
  readonly end: 'receipted' | 'sent again';
}

/** The records of one box that wait for their receipts, by its frames in order. */
class ReceiptWaits {
  /** When each was sent last, of the epoch of the frames. */
  readonly #sentMs = new Map<number, number>();
  readonly long: LongWait[] = [];
  records = 0;
  #epoch = 0;
  #helloMs = 0;

  note({ atMs, direction, epoch, sequence, message }: RecordedFrame): void {
    // A box resends what it has in a new session, or on request.
    if (message.kind === 'hello' || message.kind === 'resend') this.#sentMs.clear();
    if (message.kind === 'hello') this.#helloMs = atMs;
    if (message.kind === 'hello' || (direction === 'up' && sequence > 0 && epoch > this.#epoch))
      this.#begin(epoch);
    if (epoch !== this.#epoch) return;
    if (direction === 'up' && sequence > 0) {
      this.#judge(sequence, atMs, 'sent again');
      this.#sentMs.set(sequence, atMs);
      this.records += 1;
    } else if (message.kind === 'receipt') {
      const { contiguous, ranges } = message;
      for (const waiting of [...this.#sentMs.keys()]) {
        const isNamed =
          waiting <= contiguous || ranges.some(([first, last]) => waiting >= first && waiting <= last);
        if (isNamed) this.#judge(waiting, atMs, 'receipted');
      }
    }
  }

  #begin(epoch: number): void {
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    this.#sentMs.clear();
  }

  #judge(sequence: number, toMs: number, end: LongWait['end']): void {
    const sentMs = this.#sentMs.get(sequence);
    this.#sentMs.delete(sequence);
    if (sentMs !== undefined && toMs - sentMs > limits.receiptMs)
      this.long.push({ epoch: this.#epoch, sequence, sinceMs: this.#helloMs, sentMs, toMs, end });
  }
}

import type { BoxFacts, JudgeSettings, LedgerRecord, MessageFates, SequenceRange } from './facts.ts';
import type { Fate, Hop, LedgerFinding } from './finding.ts';
import { type EpochGaps, judgeGaps } from './gap-judge.ts';
import type { FirstArrival } from './message-recording.ts';

export interface BoxJudgeParts {
  readonly facts: BoxFacts;
  readonly settings: JudgeSettings;
  /** The message of that id among those that came. */
  findMessage(messageId: string): FirstArrival | undefined;
  report(finding: LedgerFinding): void;
}

/**
 * Follows the records of one box from its journal to the queue. Takes them by epoch and sequence, rising; what it
 * keeps are the gaps between them, not the records.
 */
export class BoxJudge {
  readonly #parts: BoxJudgeParts;
  readonly #epochs: EpochGaps[] = [];
  #epoch: number | undefined;
  #gaps: SequenceRange[] = [];
  #covers: SequenceRange[] = [];
  /** The lowest sequence that may come yet. */
  #expected = 1;
  #buried = 0;
  /** Given up by tombstones that do not say which. */
  #unnamed = 0;
  /** Records taken. */
  records = 0;
  /** Messages of theirs that came. */
  delivered = 0;

  constructor(parts: BoxJudgeParts) {
    this.#parts = parts;
  }

  take(record: LedgerRecord, fates: MessageFates): void {
    const { epoch, sequence, covers, lost } = record;
    if (epoch !== this.#epoch) {
      this.#endEpoch();
      this.#epoch = epoch;
    }
    if (sequence > this.#expected) this.#gaps.push([this.#expected, sequence - 1]);
    this.#expected = sequence + 1;
    this.records += 1;
    this.#buried += lost;
    if (covers !== undefined) this.#covers.push(covers);
    else this.#unnamed += lost;
    if (record.receivedMs >= this.#parts.settings.sinceMs) this.#follow(record, fates);
    else if (record.messageId !== undefined) this.#parts.findMessage(record.messageId);
  }

  /** Reports the remaining findings of the box, once all of its records were taken. */
  end(): void {
    const { facts, settings, report: say } = this.#parts;
    this.#endEpoch();
    for (const epoch of [facts.settled.epoch, facts.journal?.epoch ?? 0]) {
      if (epoch === 0 || this.#epochs.some((one) => one.epoch === epoch)) continue;
      // No record of it is stored.
      this.#epoch = epoch;
      this.#endEpoch();
    }
    const { ever } = facts;
    const pruned = Math.max(0, ever.records - this.records) + Math.max(0, ever.lost - this.#buried);
    const { nowMs, stoppedMs, lateAfterMs } = settings;
    for (const finding of judgeGaps({
      facts,
      epochs: this.#epochs,
      pruned: pruned + this.#unnamed,
      nowMs: stoppedMs ?? nowMs,
      lateAfterMs,
    }))
      say(finding);
  }

  #endEpoch(): void {
    const epoch = this.#epoch;
    if (epoch === undefined) return;
    const { journal, settled } = this.#parts.facts;
    const gaps = this.#gaps;
    let highest = settled.epoch === epoch ? (settled.ranges.at(-1)?.[1] ?? 0) : 0;
    // The flash was read first: later sequences of the box are not judged.
    if (journal?.epoch === epoch) highest = journal.next - 1;
    if (highest >= this.#expected) gaps.push([this.#expected, highest]);
    const isBelow = ([first]: SequenceRange) => journal?.epoch !== epoch || first <= highest;
    const clipped = gaps.filter(isBelow).map(([first, last]): SequenceRange => {
      return [first, journal?.epoch === epoch ? Math.min(last, highest) : last];
    });
    this.#epochs.push({ epoch, gaps: clipped, covers: this.#covers });
    this.#gaps = [];
    this.#covers = [];
    this.#expected = 1;
  }

  /** Where a stored record's message is, and the duration of each hop. */
  #follow(record: LedgerRecord, fates: MessageFates): void {
    const { nowMs, stoppedMs, lateAfterMs, hasMessages } = this.#parts.settings;
    const { receivedMs, messageId, clockMs } = record;
    // A box that does not know the time sends 0.
    const waitedMs = clockMs === 0 ? 0 : receivedMs - clockMs;
    if (waitedMs > lateAfterMs)
      this.#report('late', 'box', record, `stored ${seconds(waitedMs)} after it was made`);
    if (messageId === undefined) return;
    const booked = this.#parts.findMessage(messageId);
    if (booked !== undefined) {
      this.delivered += 1;
      const { arrivedMs } = booked;
      const underWayMs = arrivedMs === undefined ? 0 : arrivedMs - receivedMs;
      if (underWayMs > lateAfterMs)
        this.#report(
          'late',
          'queue',
          record,
          `arrived ${seconds(underWayMs)} after it was stored`,
          arrivedMs,
        );
      return;
    }
    const ageMs = nowMs - receivedMs;
    const isOld = ageMs > lateAfterMs;
    const waitsMs = (stoppedMs ?? nowMs) - receivedMs;
    const bound = fates.dropped.get(messageId);
    if (fates.waiting.has(messageId)) {
      const fate = waitsMs > lateAfterMs ? 'late' : 'pending';
      this.#report(fate, 'outbox', record, `in the outbox for ${seconds(waitsMs)}`);
    } else if (bound !== undefined) {
      this.#report('overflowed', 'outbox', record, `dropped by the outbox's bound of ${bound}`);
    } else if (hasMessages && !isOld) {
      this.#report('pending', 'queue', record, 'off the outbox, and not read yet');
    } else if (hasMessages) {
      this.#report('lost', 'queue', record, 'stored and off the outbox, and its message did not come');
    }
  }

  #report(fate: Fate, hop: Hop, record: LedgerRecord, detail: string, arrivedMs?: number): void {
    const { facts, report: say } = this.#parts;
    const { epoch, sequence, messageId, clockMs, receivedMs } = record;
    say({
      fate,
      hop,
      count: 1,
      ...(facts.vehicleId === undefined ? {} : { vehicleId: facts.vehicleId }),
      boxId: facts.boxId,
      epoch,
      sequence,
      ...(messageId === undefined ? {} : { messageId }),
      ...(clockMs === 0 ? {} : { clockMs }),
      receivedMs,
      ...(arrivedMs === undefined ? {} : { arrivedMs }),
      detail,
    });
  }
}

function seconds(durationMs: number): string {
  return `${Math.round(durationMs / 1_000)} s`;
}

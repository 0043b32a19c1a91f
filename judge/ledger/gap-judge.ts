import type { BoxFacts, SequenceRange } from './facts.ts';
import type { Fate, Hop, LedgerFinding } from './finding.ts';
import { countOf, joined, split } from './ranges.ts';

/** The sequences of one epoch that were assigned, or must have been, and are not stored. */
export interface EpochGaps {
  readonly epoch: number;
  /** Rising. */
  readonly gaps: readonly SequenceRange[];
  /** What the stored tombstones of the epoch replace. */
  readonly covers: readonly SequenceRange[];
}

export interface GapQuestion {
  readonly facts: Pick<BoxFacts, 'boxId' | 'vehicleId' | 'journal' | 'settled' | 'isConnected'>;
  readonly epochs: readonly EpochGaps[];
  /** How many stored rows were pruned by age or number, including those that they replaced. */
  readonly pruned: number;
  /** Until when the installation ran, or now. */
  readonly nowMs: number;
  readonly lateAfterMs: number;
}

/**
 * The outcome of sequences that are not stored: held by the box, buried, pruned since, wiped, or lost. Pruning removes
 * the lowest first: as many of the lowest gaps are excused as were pruned, rather too many than too few.
 */
export function judgeGaps(question: GapQuestion): readonly LedgerFinding[] {
  const { facts, nowMs, lateAfterMs } = question;
  const findings: LedgerFinding[] = [];
  const held = new Map((facts.journal?.held ?? []).map((one) => [one.sequence, one]));
  let pruned = question.pruned;
  for (const { epoch, gaps, covers } of question.epochs.toSorted(
    (a, b) => pruningRank(facts, a) - pruningRank(facts, b),
  )) {
    const isPresent = facts.journal?.epoch === epoch;
    const kept = isPresent ? [...held.values()] : [];
    const receipted = facts.settled.epoch === epoch ? facts.settled.ranges : [];
    // A receipt takes precedence over the flash: the box has released what it names, though the page is erased only
    // with the next write.
    const pages = joined(kept.map(({ sequence }): SequenceRange => [sequence, sequence]));
    const waiting = split(gaps, split(pages, receipted).outside);
    const told = joined([
      ...covers,
      ...kept.flatMap((one) => (one.covers === undefined ? [] : [one.covers])),
    ]);
    const buried = split(waiting.outside, told);
    const forgiven = withoutPruned(buried.outside, pruned);
    pruned = forgiven.left;
    const settled = split(forgiven.gaps, receipted);
    const isOver = facts.journal === undefined ? facts.settled.epoch !== epoch : !isPresent;

    const say = (fate: Fate, hop: Hop, ranges: readonly SequenceRange[], detail: string) => {
      for (const range of ranges) findings.push(ofRange(facts, epoch, range, { fate, hop, detail }));
    };
    const isLate = ([sequence]: SequenceRange) => {
      const clockMs = held.get(sequence)?.clockMs ?? 0;
      return clockMs > 0 && nowMs - clockMs > lateAfterMs;
    };
    const each = waiting.inside.flatMap(singles);
    const hop = facts.isConnected ? 'broker' : 'box';
    const where = facts.isConnected ? 'the box is connected' : 'the box is not connected';
    say('late', hop, joined(each.filter(isLate)), `in the box's journal for too long; ${where}`);
    say('pending', hop, joined(each.filter((range) => !isLate(range))), `in the box's journal; ${where}`);
    say('dropped', 'box', buried.inside, 'a tombstone replaces it');
    say('lost', 'state', settled.inside, 'settled by the service, and neither stored nor buried');
    if (isOver) say('wiped', 'box', settled.outside, "the box's flash was wiped");
    else if (isPresent)
      say('lost', 'box', settled.outside, 'gone from the journal without receipt or tombstone');
    else say('pending', 'box', settled.outside, 'not stored yet, and the flash of the box is not at hand');
  }
  return findings.map((finding) => withClock(finding, held.get(finding.sequence ?? 0)?.clockMs));
}

/** Past epochs come first: they were pruned first. */
function pruningRank({ journal, settled }: GapQuestion['facts'], { epoch }: EpochGaps): number {
  if (epoch === journal?.epoch) return 2;
  return epoch === settled.epoch ? 1 : 0;
}

function withoutPruned(
  gaps: readonly SequenceRange[],
  pruned: number,
): { readonly gaps: readonly SequenceRange[]; readonly left: number } {
  let left = pruned;
  const kept: SequenceRange[] = [];
  for (const [first, last] of gaps) {
    const from = Math.min(first + left, last + 1);
    left -= from - first;
    if (from <= last) kept.push([from, last]);
  }
  return { gaps: kept, left };
}

function singles([first, last]: SequenceRange): readonly SequenceRange[] {
  return Array.from(
    { length: last - first + 1 },
    (_, index): SequenceRange => [first + index, first + index],
  );
}

function ofRange(
  { boxId, vehicleId }: GapQuestion['facts'],
  epoch: number,
  range: SequenceRange,
  what: Pick<LedgerFinding, 'fate' | 'hop' | 'detail'>,
): LedgerFinding {
  const [sequence, lastSequence] = range;
  return {
    ...what,
    count: countOf([range]),
    ...(vehicleId === undefined ? {} : { vehicleId }),
    boxId,
    epoch,
    sequence,
    ...(lastSequence > sequence ? { lastSequence } : {}),
  };
}

function withClock(finding: LedgerFinding, clockMs: number | undefined): LedgerFinding {
  const isHeld = finding.fate === 'pending' || finding.fate === 'late';
  return isHeld && clockMs !== undefined && clockMs > 0 ? { ...finding, clockMs } : finding;
}

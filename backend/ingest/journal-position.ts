import { wireLimits } from '../../protocol/limits.ts';
import type { Frame, Receipt } from '../../protocol/message.ts';
import { limits } from '../base/limits.ts';
import type { JournalPosition, Vehicle } from '../store/port/stored-vehicle.ts';

type Range = readonly [first: number, last: number];

/*
 * Which sequences of a journal are settled (stored, or given up by the box), as a set of ranges:
 *
 *   1 ─────────── contiguous      ranges[0]        ranges[1]
 *   ███████████████████████░░░░░░░████████░░░░░░░░░███
 *
 * Replies and events overtake a backlog of reports and leave gaps, which the backlog then fills. The number
 * of ranges is bounded (limits.journalRanges). A record that would add one more is not stored and gets no
 * receipt: the box keeps it and sends it again, and by then the gaps below have been filled.
 */

/** Whether that sequence is settled. */
export function isSettled(position: JournalPosition, sequence: number): boolean {
  if (sequence <= position.contiguous) return true;
  for (const [first, last] of position.ranges) {
    if (sequence < first) return false;
    if (sequence <= last) return true;
  }
  return false;
}

/** The position with `first` to `last` settled too; undefined if that needs more ranges than allowed. */
export function addSettled(
  position: JournalPosition,
  first: number,
  last: number,
): JournalPosition | undefined {
  if (first > last) return position;
  // The usual case: the next sequence, with no ranges beyond it.
  if (first === position.contiguous + 1 && position.ranges.length === 0)
    return { ...position, contiguous: last };

  let low = first;
  let high = last;
  const below: Range[] = [];
  const above: Range[] = [];
  for (const range of position.ranges) {
    if (range[1] + 1 < low) below.push(range);
    else if (range[0] > high + 1) above.push(range);
    else {
      low = Math.min(low, range[0]);
      high = Math.max(high, range[1]);
    }
  }
  const isBeyond = low > position.contiguous + 1;
  const ranges = isBeyond ? [...below, [low, high] as const, ...above] : above;
  // An older release with a larger bound may have left more ranges: a record that adds none is not refused.
  if (ranges.length > limits.journalRanges && ranges.length > position.ranges.length) return undefined;
  return {
    ...position,
    contiguous: isBeyond ? position.contiguous : Math.max(position.contiguous, high),
    ranges,
  };
}

/** How many sequences of `first` to `last` are not settled. */
export function countMissing(position: JournalPosition, first: number, last: number): number {
  const from = Math.max(first, position.contiguous + 1);
  if (from > last) return 0;
  let count = last - from + 1;
  for (const range of position.ranges) {
    const overlap = Math.min(range[1], last) - Math.max(range[0], from) + 1;
    if (overlap > 0) count -= overlap;
  }
  return count;
}

/** The highest sequence that is settled; 0 if none is. */
export function highestSettled(position: JournalPosition): number {
  return position.ranges.at(-1)?.[1] ?? position.contiguous;
}

/**
 * Checks whether the claim of the box's last hello can be evaluated. The box stated that its journal has nothing below
 * `lowestHeld`. What is missing below it is therefore lost; a tombstone explains that, and is itself in the journal. So
 * once everything that the journal held at the hello is settled, no tombstone can follow: what is still missing is an
 * unexplained gap. It is skipped (nothing could fill it) and its size is returned.
 */
export function checkJournalClaim(position: JournalPosition): {
  readonly position: JournalPosition;
  readonly unexplained: number;
} {
  const { claim, ...rest } = position;
  if (claim === undefined) return { position, unexplained: 0 };
  const unexplained = countMissing(position, 1, claim.lowestHeld - 1);
  if (unexplained === 0) return { position: rest, unexplained: 0 };
  if (countMissing(position, claim.lowestHeld, claim.nextSequence - 1) > 0)
    return { position, unexplained: 0 };
  // Cannot be refused: everything from 1 on becomes one range.
  return { position: addSettled(rest, 1, claim.lowestHeld - 1) ?? rest, unexplained };
}

/**
 * The receipt for a position. It has room for fewer ranges than are stored: those with `sentSequences`, which
 * the box has just sent, go first, then the lowest.
 */
export function receiptOf(position: JournalPosition, sentSequences: readonly number[]): Receipt {
  const { contiguous, ranges } = position;
  if (ranges.length <= wireLimits.receiptRanges) return { kind: 'receipt', contiguous, ranges };
  const wanted = new Set<Range>();
  for (const sequence of sentSequences) {
    if (wanted.size === wireLimits.receiptRanges) break;
    const range = ranges.find(([first, last]) => first <= sequence && sequence <= last);
    if (range !== undefined) wanted.add(range);
  }
  for (const range of ranges) {
    if (wanted.size === wireLimits.receiptRanges) break;
    wanted.add(range);
  }
  return { kind: 'receipt', contiguous, ranges: ranges.filter((range) => wanted.has(range)) };
}

/** The facts that decide whether a record belongs to the vehicle in which its box is now. */
interface AttributionFacts {
  readonly vehicle: Pick<Vehicle, 'setupStatus' | 'createdMs'>;
  readonly journal: Pick<JournalPosition, 'setUpAt'>;
}

/**
 * Whether a record of the current epoch belongs to the vehicle. The journal of a box that changes fleets still has
 * records of its last vehicle, which must not reach the next owner. So nothing counts before the vehicle is set up, and
 * nothing before the box's setup reply in the journal. If that reply is unknown, nothing counts with a clock before the
 * onboarding; a clock of 0 (the box did not know the time) excludes nothing.
 */
export function belongsToVehicle(
  { vehicle, journal }: AttributionFacts,
  { sequence, clockMs }: Pick<Frame, 'sequence' | 'clockMs'>,
): boolean {
  if (vehicle.setupStatus !== 'SUCCEEDED') return false;
  // The clock of a box can be wrong by hours; its sequence cannot.
  if (journal.setUpAt !== undefined) return sequence > journal.setUpAt;
  return clockMs === 0 || clockMs >= vehicle.createdMs;
}

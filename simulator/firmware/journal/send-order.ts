import { limits } from '../../limits.ts';
import {
  coveringTombstone,
  type EntryClass,
  type EntryIndex,
  findEntry,
  type JournalEntry,
  nextEntry,
} from './entry-index.ts';
import { lowestHeld } from './journal.ts';
import type { Journal, Outbox } from './journal-state.ts';
import {
  gapCount,
  lowestUnsettled,
  rangeOf,
  type SequenceRanges,
  settledRanges,
  withEntry,
} from './ranges.ts';

/** The part of the outbox that tracks the sent records. */
export interface SendProgress extends Pick<Outbox, 'awaiting' | 'awaitingUrgent'> {
  readonly sent: SequenceRanges;
}

export function isUrgent(entry: JournalEntry): boolean {
  return entry.entryClass === 'event' || entry.entryClass === 'reply';
}

/** The sequences sent so far; at the start of a session, those that the journal has settled. */
export function sendProgressOf(
  { sent, awaiting, awaitingUrgent }: Outbox,
  { entryIndex, next }: Journal,
): SendProgress {
  return { sent: sent ?? settledRanges(entryIndex, next), awaiting, awaitingUrgent };
}

/** The progress after this record was sent. */
export function afterSending(
  { sent, awaiting, awaitingUrgent }: SendProgress,
  entry: JournalEntry,
): SendProgress {
  return {
    sent: withEntry(sent, entry),
    awaiting: awaiting + 1,
    awaitingUrgent: awaitingUrgent + (isUrgent(entry) ? 1 : 0),
  };
}

/** Whether the backend can take this record: it leaves at most `mostGaps` gaps, or does not add one. */
export function maySend(sent: SequenceRanges, entry: JournalEntry, mostGaps: number): boolean {
  const after = gapCount(withEntry(sent, entry));
  return after <= mostGaps || after <= gapCount(sent);
}

/** The first unsent record at or after `from`, limited to `sorts` if given. */
export function unsent(
  entryIndex: EntryIndex,
  sent: SequenceRanges,
  from: number,
  entryClasses?: readonly EntryClass[],
): JournalEntry | undefined {
  let entry = nextEntry(entryIndex, from, entryClasses);
  while (entry !== undefined) {
    const range = rangeOf(sent, entry.sequence);
    if (range === undefined) return entry;
    entry = nextEntry(entryIndex, range[1] + 1, entryClasses);
  }
  return undefined;
}

/**
 * The next record in order: the one that settles the lowest sequence not sent yet, either that record itself
 * or the tombstone that covers it. A tombstone's own sequence is far higher and forms an island there:
 *
 *     ████████░event░T's░event░        ████████░░░░░░░░░
 *             lowest                          T itself
 *
 * So before a new island is started, the existing ones are extended by their neighbours. Each then reaches
 * the next tombstone as the front does, and few islands are needed. If nothing is in flight (`isIdle`, and
 * nothing awaits a receipt), the lowest is sent in any case, so that no limit stops a box permanently.
 *
 * With a full window (`mostReports` reports and tombstones) only the lowest record of the journal may be
 * sent. Undefined: nothing may be sent now.
 */
export function nextInOrder(
  journal: Journal,
  progress: SendProgress,
  isIdle: boolean,
  mostReports: number,
): JournalEntry | undefined {
  const { entryIndex } = journal;
  const { sent } = progress;
  const lowest = lowestUnsettled(sent);
  if (lowest >= journal.next) return undefined;
  const first = settlingEntry(entryIndex, lowest) ?? unsent(entryIndex, sent, lowest);
  if (first === undefined) return undefined;
  const entry = maySend(sent, first, 0) ? first : (besideAnIsland(entryIndex, sent) ?? first);
  const isFree = maySend(sent, entry, limits.gapsByTombstones) || (isIdle && progress.awaiting === 0);
  if (!isFree) return undefined;
  const isLowest = entry === first && lowestHeld(journal) >= lowest;
  return isLowest || hasRoom(progress, entry, mostReports) ? entry : undefined;
}

/** The record that settles this sequence. */
function settlingEntry(entryIndex: EntryIndex, sequence: number): JournalEntry | undefined {
  return findEntry(entryIndex, sequence) ?? coveringTombstone(entryIndex, sequence);
}

/** A record that extends an island or closes a gap, and starts no island. */
function besideAnIsland(entryIndex: EntryIndex, sent: SequenceRanges): JournalEntry | undefined {
  for (const [first, last] of sent) {
    for (const sequence of [last + 1, first - 1]) {
      const entry = settlingEntry(entryIndex, sequence);
      if (entry !== undefined && maySend(sent, entry, 0)) return entry;
    }
  }
  return undefined;
}

function hasRoom(
  { awaiting, awaitingUrgent }: SendProgress,
  entry: JournalEntry,
  mostReports: number,
): boolean {
  return isUrgent(entry)
    ? awaitingUrgent < limits.urgentRecordsAwaitingReceipt
    : awaiting - awaitingUrgent < mostReports;
}

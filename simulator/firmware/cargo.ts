import { limits } from '../limits.ts';
import { type Journal, lowestHeld } from './journal.ts';
import type { Outbox } from './outbox.ts';
import { front, gaps, joiningEntry, type Ranges, rangeOf, settledOf } from './ranges.ts';
import { covering, type Entry, find, following, type Shelf, type Sort } from './shelf.ts';

/** The part of the outbox that says what was sent. */
export interface Cargo extends Pick<Outbox, 'awaiting' | 'awaitingUrgent'> {
  readonly sent: Ranges;
}

export function isUrgent(entry: Entry): boolean {
  return entry.sort === 'event' || entry.sort === 'reply';
}

/** What was sent so far; at the start of a session, what the journal says is settled. */
export function cargoOf({ sent, awaiting, awaitingUrgent }: Outbox, { shelf, next }: Journal): Cargo {
  return { sent: sent ?? settledOf(shelf, next), awaiting, awaitingUrgent };
}

/** The same after that record went. */
export function loaded({ sent, awaiting, awaitingUrgent }: Cargo, entry: Entry): Cargo {
  return {
    sent: joiningEntry(sent, entry),
    awaiting: awaiting + 1,
    awaitingUrgent: awaitingUrgent + (isUrgent(entry) ? 1 : 0),
  };
}

/** Whether the backend can take that record: it leaves no more than so many gaps, or no more than there are. */
export function mayGo(sent: Ranges, entry: Entry, mostGaps: number): boolean {
  const after = gaps(joiningEntry(sent, entry));
  return after <= mostGaps || after <= gaps(sent);
}

/** The first record, of these sorts where they are given, at or after `from` that was not sent. */
export function unsent(shelf: Shelf, sent: Ranges, from: number, sorts?: readonly Sort[]): Entry | undefined {
  let entry = following(shelf, from, sorts);
  while (entry !== undefined) {
    const range = rangeOf(sent, entry.sequence);
    if (range === undefined) return entry;
    entry = following(shelf, range[1] + 1, sorts);
  }
  return undefined;
}

/**
 * The record that settles the lowest sequence nobody was told of: that record itself, or the tombstone that stands for
 * it. A tombstone's own sequence lies far above, and is an island there:
 *
 *     ████████░event░T's░event░        ████████░░░░░░░░░
 *             lowest                          T's own
 *
 * So before another island is opened, those that there are grow by whatever stands beside them; each then meets the
 * next tombstone as the front does, and few islands are ever needed. While nothing at all is under way (`isIdle`, and
 * nothing awaits a receipt) the lowest goes in any case: no bound of ours may bring a box to rest.
 *
 * A full window (`mostReports` reports and tombstones) holds everything back but the lowest record of the journal. Undefined: nothing may go now.
 */
export function inOrder(
  journal: Journal,
  cargo: Cargo,
  isIdle: boolean,
  mostReports: number,
): Entry | undefined {
  const { shelf } = journal;
  const { sent } = cargo;
  const lowest = front(sent);
  if (lowest >= journal.next) return undefined;
  const first = settling(shelf, lowest) ?? unsent(shelf, sent, lowest);
  if (first === undefined) return undefined;
  const entry = mayGo(sent, first, 0) ? first : (besideAnIsland(shelf, sent) ?? first);
  const isFree = mayGo(sent, entry, limits.gapsByTombstones) || (isIdle && cargo.awaiting === 0);
  if (!isFree) return undefined;
  const isLowest = entry === first && lowestHeld(journal) >= lowest;
  return isLowest || hasRoom(cargo, entry, mostReports) ? entry : undefined;
}

/** The record without which that sequence is not settled. */
function settling(shelf: Shelf, sequence: number): Entry | undefined {
  return find(shelf, sequence) ?? covering(shelf, sequence);
}

/** A record that makes an island grow, or closes a gap, and opens none. */
function besideAnIsland(shelf: Shelf, sent: Ranges): Entry | undefined {
  for (const [first, last] of sent) {
    for (const sequence of [last + 1, first - 1]) {
      const entry = settling(shelf, sequence);
      if (entry !== undefined && mayGo(sent, entry, 0)) return entry;
    }
  }
  return undefined;
}

function hasRoom({ awaiting, awaitingUrgent }: Cargo, entry: Entry, mostReports: number): boolean {
  return isUrgent(entry)
    ? awaitingUrgent < limits.urgentRecordsAwaitingReceipt
    : awaiting - awaitingUrgent < mostReports;
}

import type { Tombstone } from '../../../protocol/message.ts';
import { limits } from '../../limits.ts';
import { type EntryIndex, emptyEntryIndex } from './entry-index.ts';
import type { SequenceRanges } from './ranges.ts';

/**
 * The flash journal: every record stays until a receipt names it, or until the box gives it up and says so.
 *
 * - A sequence is given out once: the record is durable (the host waits for the writes of a step) before its frame
 *   leaves, and the next sequence is kept beside the records.
 * - A full journal gives up its oldest report first, an event or a reply only when there is no report left. What was
 *   given up leaves a tombstone, a record of its own. Neighbours share one: a tombstone grows as long as it was never
 *   handed to the link since boot, over sequences that are not held any more, and never over one that is.
 *   A sent one never changes; where nothing else is held between them, a new one takes the place of several, and one
 *   that stands between them for an older loss is said anew behind all others.
 * - A few tombstones have room of their own, each one more takes that of a record: giving up always makes room.
 * - What a receipt names leaves the RAM at once, and the flash with the next write, whatever that is for: a report then
 *   costs one write and not two. A power cut before it leaves the flash as if the receipt had been lost on its way, as
 *   any may: the records go once more, and the backend, which has them, receipts them again. No write leaves them there
 *   (simulator/firmware/core/step-writes.ts), so that nothing that is written later stands beside what it comes after.
 */
export interface Journal {
  readonly epoch: number;
  /** The next sequence that will be given out. */
  readonly next: number;
  readonly entryIndex: EntryIndex;
  readonly capacity: number;
  /** Tombstones of this boot that were never sent and may still grow, by `first`. Lives in RAM only. */
  readonly openTombstones: readonly OpenTombstone[];
  /** Records that were receipted and still have their page in flash. Lives in RAM only. */
  readonly receipted: readonly number[];
}

export interface OpenTombstone {
  readonly sequence: number;
  readonly message: Tombstone;
}

/** A journal without records: the first sequence in this epoch is 1. */
export function emptyJournal(epoch: number, capacity: number): Journal {
  return { epoch, next: 1, entryIndex: emptyEntryIndex, capacity, openTombstones: [], receipted: [] };
}

/**
 * What of the journal has been sent in this session, and what may go next. Replies overtake events, and events overtake
 * a backlog of reports, but only as far as the gaps that they leave stay few (limits.gapsBy…): a backend refuses a
 * record that would leave one more than it keeps. Beside that everything goes in the order of sequences, each sort in
 * its own window of records without a receipt, so that what was refused above never holds up what fills the gaps below.
 * Without a receipt for long everything goes from the start again.
 */
export interface Outbox {
  /** Sequences that are settled or were sent; undefined: nothing was sent yet, the journal tells what is settled. */
  readonly sent: SequenceRanges | undefined;
  /** Records that the backend could not read and that go once more. */
  readonly again: readonly number[];
  /** Sent, not receipted. */
  readonly awaiting: number;
  /** Events and replies among them. */
  readonly awaitingUrgent: number;
  /** Publications without PUBACK, the oldest first. */
  readonly inFlight: readonly { readonly token: number; readonly at: number }[];
  readonly nextToken: number;
  readonly resendAt: number | undefined;
  readonly resendMs: number;
  /** How often everything has gone from the start again since the last frame of the backend. */
  readonly unheard: number;
}

export const emptyOutbox: Outbox = {
  sent: undefined,
  again: [],
  awaiting: 0,
  awaitingUrgent: 0,
  inFlight: [],
  nextToken: 1,
  resendAt: undefined,
  resendMs: limits.resendFirstMs,
  unheard: 0,
};

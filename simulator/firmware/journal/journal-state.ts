import type { Tombstone } from '../../../protocol/message.ts';
import { limits } from '../../limits.ts';
import { type EntryIndex, emptyEntryIndex } from './entry-index.ts';
import type { SequenceRanges } from './ranges.ts';

/**
 * The flash journal: every record stays until a receipt names it, or until the box evicts it and reports that.
 *
 * - A sequence is assigned once: the record is durable (the host waits for the writes of a step) before its frame
 *   leaves, and the next sequence is stored with the records.
 * - A full journal evicts its oldest report first, an event or a reply only when there is no report left. An evicted
 *   record leaves a tombstone, which is itself a record. Neighbours share one: a tombstone that was not sent since boot
 *   grows over sequences that are not held any more, never over one that is. A sent one never changes; if nothing else
 *   is held between several, a new one replaces them, and one between them for an older loss is written again after all
 *   others.
 * - A few tombstones have reserved room, each further one takes that of a record: evicting always makes room.
 * - Receipted records are removed from RAM immediately, and from flash with the next write of any kind: a report then
 *   costs one write, not two. A power cut before that write has the same effect as a lost receipt: the records are sent
 *   again, and the backend, which has them, receipts them again. Every write removes them
 *   (simulator/firmware/core/step-writes.ts), so that no later record is in flash together with them.
 */
export interface Journal {
  readonly epoch: number;
  /** The next sequence to be assigned. */
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
 * The records that were sent in this session, and those that may be sent next. Replies overtake events, and events
 * overtake a backlog of reports, but only as far as the gaps that they leave stay few (limits.gapsBy…): a backend
 * refuses a record that would leave one more than it keeps. Otherwise records are sent in the order of sequences, each
 * class in its own window of records without a receipt, so that refused records never delay those that fill the gaps
 * below. Without a receipt for long all records are sent again from the start.
 */
export interface Outbox {
  /** Sequences that are settled or were sent; undefined: none was sent yet; the journal has the settled ones. */
  readonly sent: SequenceRanges | undefined;
  /** Records that the backend could not read and that are sent once more. */
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
  /** How often all records were sent again from the start since the last frame of the backend. */
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

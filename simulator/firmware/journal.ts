import { limits as wire } from '../../protocol/limits.ts';
import type { RecordMessage, Tombstone } from '../../protocol/message.ts';
import { type FlashOperation, LatePage } from '../../world/flash.ts';
import { limits } from '../limits.ts';
import { recordKey, recordPage } from './pages.ts';
import { type Entry, emptyShelf, following, put, type Shelf, type Sort, size, take } from './shelf.ts';

/**
 * The flash journal: every record stays until a receipt names it, or until the box gives it up and says so.
 *
 * - A sequence is given out once: the record is durable (the host waits for the writes of a step) before its frame
 *   leaves, and the next sequence is kept beside the records.
 * - A full journal gives up its oldest report first, an event or a reply only when there is no report left. What was
 *   given up leaves a tombstone, a record of its own. Neighbours share one: a tombstone grows as long as it was never
 *   handed to the link since boot, over sequences that are not held any more, and never over one that is.
 * - Tombstones have room of their own, so that giving up always makes room.
 * - What a receipt names leaves the RAM at once, and the flash with the next write, whatever that is for: a report then
 *   costs one write and not two. A power cut before it leaves the flash as if the receipt had been lost on its way, as
 *   any may: the records go once more, and the backend, which has them, receipts them again. No write leaves them there
 *   (turn.ts), so that nothing that is written later stands beside what it comes after.
 */
export interface Journal {
  readonly epoch: number;
  /** The next sequence that will be given out. */
  readonly next: number;
  readonly shelf: Shelf;
  readonly capacity: number;
  /** Tombstones of this boot that were never sent and may still grow, by `first`. Lives in RAM only. */
  readonly open: readonly OpenTombstone[];
  /** Records that were receipted and still have their page in flash. Lives in RAM only. */
  readonly receipted: readonly number[];
}

export interface OpenTombstone {
  readonly sequence: number;
  readonly message: Tombstone;
}

/** The frame's bytes for a record of that sequence, with epoch, boot counter and clock of now. */
export type Stamp = (sequence: number, message: RecordMessage) => Uint8Array;

/** A changed journal, what must be written for it, and what left it. */
export interface Change {
  readonly journal: Journal;
  readonly writes: readonly FlashOperation[];
  readonly gone: readonly Entry[];
}

export function emptyJournal(epoch: number, capacity: number): Journal {
  return { epoch, next: 1, shelf: emptyShelf, capacity, open: [], receipted: [] };
}

/** The class under which a record is counted. */
export function sortOf(message: RecordMessage): Sort {
  if (message.kind === 'heartbeat') return 'report';
  // Like an event it is the only word of something that happened.
  return message.kind === 'access' ? 'event' : message.kind;
}

/** The lowest sequence that is still held; the next one when nothing is (as a hello tells it). */
export function lowestHeld(journal: Journal): number {
  return following(journal.shelf, 0)?.sequence ?? journal.next;
}

function records(journal: Journal): number {
  return size(journal.shelf) - journal.shelf.counts.tombstone;
}

function pageOf(entry: Entry): FlashOperation {
  return new LatePage(recordKey(entry.sequence), () => recordPage(entry));
}

/** Puts a record under the next sequence, without asking for room. */
function add(journal: Journal, message: RecordMessage, stamp: Stamp): Change {
  const sequence = journal.next;
  const bytes = stamp(sequence, message);
  const entry: Entry = {
    sequence,
    sort: sortOf(message),
    bytes,
    ...(message.kind === 'tombstone' ? { covers: [message.first, message.last] } : {}),
    wasUnreadable: false,
  };
  return {
    journal: { ...journal, next: sequence + 1, shelf: put(journal.shelf, entry) },
    writes: [pageOf(entry)],
    gone: [],
  };
}

/**
 * Takes a new record in; its sequence is the journal's `next - 1` afterwards. Undefined: there is no room and none can
 * be made, or the sequences are used up; then nothing has changed.
 */
export function append(journal: Journal, message: RecordMessage, stamp: Stamp): Change | undefined {
  // Most journals have room.
  if (records(journal) < journal.capacity)
    return journal.next > wire.highestSequence ? undefined : add(journal, message, stamp);
  let current = journal;
  const writes: FlashOperation[] = [];
  const gone: Entry[] = [];
  while (records(current) >= current.capacity) {
    const victim = following(current.shelf, 0, ['report']) ?? following(current.shelf, 0, ['event', 'reply']);
    const burial = victim && bury(current, victim, 'overwritten', stamp);
    if (burial === undefined) return undefined;
    current = burial.journal;
    writes.push(...burial.writes);
    gone.push(...burial.gone);
  }
  if (current.next > wire.highestSequence) return undefined;
  const added = add(current, message, stamp);
  return { journal: added.journal, writes: [...writes, ...added.writes], gone };
}

/** Gives a record up under a tombstone: a grown one where it touches one, else a new one. Undefined: no room for it. */
function bury(
  journal: Journal,
  victim: Entry,
  reason: Tombstone['reason'],
  stamp: Stamp,
): Change | undefined {
  const erase: FlashOperation = { erase: recordKey(victim.sequence) };
  const neighbour = reason === 'overwritten' ? neighbourOf(journal, victim.sequence) : undefined;
  const { shelf } = take(journal.shelf, victim.sequence, victim.sequence);
  if (neighbour !== undefined) {
    const message = grown(neighbour.message, victim);
    const entry: Entry = {
      sequence: neighbour.sequence,
      sort: 'tombstone',
      bytes: stamp(neighbour.sequence, message),
      covers: [message.first, message.last],
      wasUnreadable: false,
    };
    const open = journal.open.with(journal.open.indexOf(neighbour), { ...neighbour, message });
    return {
      journal: { ...journal, shelf: put(shelf, entry), open },
      writes: [erase, pageOf(entry)],
      gone: [victim],
    };
  }
  if (shelf.counts.tombstone >= limits.journalTombstones || journal.next > wire.highestSequence)
    return undefined;
  const none: Tombstone = {
    kind: 'tombstone',
    reason,
    first: victim.sequence,
    last: victim.sequence,
    reports: 0,
    events: 0,
    replies: 0,
  };
  const message = grown(none, victim);
  const added = add({ ...journal, shelf }, message, stamp);
  const open =
    reason === 'overwritten'
      ? inserted(journal.open, { sequence: journal.next, message })
      : added.journal.open;
  return { journal: { ...added.journal, open }, writes: [erase, ...added.writes], gone: [victim] };
}

function inserted(open: readonly OpenTombstone[], one: OpenTombstone): readonly OpenTombstone[] {
  const index = open.findIndex((other) => other.message.first > one.message.first);
  return open.toSpliced(index < 0 ? open.length : index, 0, one);
}

/** The growing tombstone beside that sequence: nothing that is still held lies between. */
function neighbourOf(journal: Journal, sequence: number): OpenTombstone | undefined {
  const above = journal.open.findIndex((one) => one.message.first > sequence);
  const below = journal.open.at(above < 0 ? -1 : above - 1);
  if (below !== undefined && above !== 0) {
    if (following(journal.shelf, below.message.last + 1)?.sequence === sequence) return below;
  }
  const next = above < 0 ? undefined : journal.open[above];
  if (next === undefined) return undefined;
  const held = following(journal.shelf, sequence + 1)?.sequence ?? journal.next;
  return held > next.message.first ? next : undefined;
}

function grown(message: Tombstone, victim: Entry): Tombstone {
  return {
    ...message,
    first: Math.min(message.first, victim.sequence),
    last: Math.max(message.last, victim.sequence),
    reports: message.reports + (victim.sort === 'report' ? 1 : 0),
    events: message.events + (victim.sort === 'event' ? 1 : 0),
    replies: message.replies + (victim.sort === 'reply' ? 1 : 0),
  };
}

/** A tombstone was handed to the link: from now on it says the same for ever. */
export function seal(journal: Journal, sequence: number): Journal {
  if (!journal.open.some((one) => one.sequence === sequence)) return journal;
  return { ...journal, open: journal.open.filter((one) => one.sequence !== sequence) };
}

/**
 * Lets go of everything that a receipt names; what was never given out is not looked at. Nothing is written for it until
 * so many pages wait for that that the flash could be short of room.
 */
export function receipt(
  journal: Journal,
  contiguous: number,
  ranges: readonly (readonly [first: number, last: number])[],
): Change {
  let shelf = journal.shelf;
  const gone: Entry[] = [];
  for (const [first, last] of [[0, contiguous] as const, ...ranges]) {
    const step = take(shelf, first, Math.min(last, journal.next - 1));
    shelf = step.shelf;
    gone.push(...step.taken);
  }
  if (gone.length === 0) return { journal, writes: [], gone };
  const sequences = new Set(gone.map((entry) => entry.sequence));
  const open = journal.open.some((one) => sequences.has(one.sequence))
    ? journal.open.filter((one) => !sequences.has(one.sequence))
    : journal.open;
  const receipted = [...journal.receipted, ...gone.map((entry) => entry.sequence)];
  const changed = { ...journal, shelf, open, receipted };
  if (receipted.length <= limits.journalReceiptedPages) return { journal: changed, writes: [], gone };
  return { ...cleared(changed), gone };
}

/** The journal without pages of receipted records, and what erases these. */
export function cleared(journal: Journal): Pick<Change, 'journal' | 'writes'> {
  if (journal.receipted.length === 0) return { journal, writes: [] };
  const writes = journal.receipted.map((sequence) => ({ erase: recordKey(sequence) }));
  return { journal: { ...journal, receipted: [] }, writes };
}

/**
 * The backend could not read that record. The first time it is marked and must be sent once more (`again`); the
 * second time it is given up under a tombstone. A tombstone is never given up: it waits for the next session.
 */
export function unreadable(
  journal: Journal,
  entry: Entry,
  stamp: Stamp,
): { readonly change: Change; readonly again: boolean } {
  const same: Change = { journal, writes: [], gone: [] };
  if (!entry.wasUnreadable) {
    const marked: Entry = { ...entry, wasUnreadable: true };
    const writes = [pageOf(marked)];
    return {
      change: { journal: { ...journal, shelf: put(journal.shelf, marked) }, writes, gone: [] },
      again: true,
    };
  }
  if (entry.sort === 'tombstone') return { change: same, again: false };
  return { change: bury(journal, entry, 'unreadable', stamp) ?? same, again: false };
}

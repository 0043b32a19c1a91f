import { limits as wire } from '../../../protocol/limits.ts';
import type { RecordMessage, Tombstone } from '../../../protocol/message.ts';
import { type FlashOperation, LazyPage } from '../../../world/flash/flash.ts';
import { limits } from '../../limits.ts';
import { recordKey, recordPage } from '../core/pages.ts';
import {
  type EntryClass,
  entryCount,
  type JournalEntry,
  nextEntry,
  putEntry,
  takeEntries,
} from './entry-index.ts';
import type { Journal, OpenTombstone } from './journal-state.ts';

/** The frame's bytes for a record of that sequence, with epoch, boot counter and clock of now. */
export type EncodeRecord = (sequence: number, message: RecordMessage) => Uint8Array;

/** A changed journal, what must be written for it, and what left it. */
export interface JournalChange {
  readonly journal: Journal;
  readonly writes: readonly FlashOperation[];
  readonly removed: readonly JournalEntry[];
}

/** The class under which a record is counted. */
export function entryClassOf(message: RecordMessage): EntryClass {
  if (message.kind === 'heartbeat') return 'report';
  // Like an event it is the only word of something that happened.
  return message.kind === 'access' ? 'event' : message.kind;
}

/** The lowest sequence that is still held; the next one when nothing is (as a hello tells it). */
export function lowestHeld(journal: Journal): number {
  return nextEntry(journal.entryIndex, 0)?.sequence ?? journal.next;
}

function recordCount(journal: Journal): number {
  return entryCount(journal.entryIndex) - journal.entryIndex.counts.tombstone;
}

function pageOf(entry: JournalEntry): FlashOperation {
  return new LazyPage(recordKey(entry.sequence), () => recordPage(entry));
}

/** Puts a record under the next sequence, without asking for room. */
function addEntry(journal: Journal, message: RecordMessage, encodeRecord: EncodeRecord): JournalChange {
  const sequence = journal.next;
  const bytes = encodeRecord(sequence, message);
  const entry: JournalEntry = {
    sequence,
    entryClass: entryClassOf(message),
    bytes,
    ...(message.kind === 'tombstone' ? { covers: [message.first, message.last] } : {}),
    wasUnreadable: false,
  };
  return {
    journal: { ...journal, next: sequence + 1, entryIndex: putEntry(journal.entryIndex, entry) },
    writes: [pageOf(entry)],
    removed: [],
  };
}

/**
 * Takes a new record in; its sequence is the journal's `next - 1` afterwards. Undefined: there is no room and none can
 * be made, or the sequences are used up; then nothing has changed.
 */
export function append(
  journal: Journal,
  message: RecordMessage,
  encodeRecord: EncodeRecord,
): JournalChange | undefined {
  // Most journals have room.
  if (recordCount(journal) < journal.capacity)
    return journal.next > wire.highestSequence ? undefined : addEntry(journal, message, encodeRecord);
  let current = journal;
  const writes: FlashOperation[] = [];
  const removed: JournalEntry[] = [];
  while (recordCount(current) >= current.capacity) {
    const givenUp =
      nextEntry(current.entryIndex, 0, ['report']) ?? nextEntry(current.entryIndex, 0, ['event', 'reply']);
    const replaced = givenUp && replaceByTombstone(current, givenUp, 'overwritten', encodeRecord);
    if (replaced === undefined) return undefined;
    current = replaced.journal;
    writes.push(...replaced.writes);
    removed.push(...replaced.removed);
  }
  if (current.next > wire.highestSequence) return undefined;
  const added = addEntry(current, message, encodeRecord);
  return { journal: added.journal, writes: [...writes, ...added.writes], removed };
}

/** Gives a record up under a tombstone: a grown one where it touches one, else a new one. Undefined: no room for it. */
function replaceByTombstone(
  journal: Journal,
  givenUp: JournalEntry,
  reason: Tombstone['reason'],
  encodeRecord: EncodeRecord,
): JournalChange | undefined {
  const erase: FlashOperation = { erase: recordKey(givenUp.sequence) };
  const neighbour = reason === 'overwritten' ? neighbourOf(journal, givenUp.sequence) : undefined;
  const { entryIndex } = takeEntries(journal.entryIndex, givenUp.sequence, givenUp.sequence);
  if (neighbour !== undefined) {
    const message = grown(neighbour.message, givenUp);
    const entry: JournalEntry = {
      sequence: neighbour.sequence,
      entryClass: 'tombstone',
      bytes: encodeRecord(neighbour.sequence, message),
      covers: [message.first, message.last],
      wasUnreadable: false,
    };
    const openTombstones = journal.openTombstones.with(journal.openTombstones.indexOf(neighbour), {
      ...neighbour,
      message,
    });
    return {
      journal: { ...journal, entryIndex: putEntry(entryIndex, entry), openTombstones },
      writes: [erase, pageOf(entry)],
      removed: [givenUp],
    };
  }
  if (entryIndex.counts.tombstone >= limits.journalTombstones || journal.next > wire.highestSequence)
    return undefined;
  const none: Tombstone = {
    kind: 'tombstone',
    reason,
    first: givenUp.sequence,
    last: givenUp.sequence,
    reports: 0,
    events: 0,
    replies: 0,
  };
  const message = grown(none, givenUp);
  const added = addEntry({ ...journal, entryIndex }, message, encodeRecord);
  const openTombstones =
    reason === 'overwritten'
      ? inserted(journal.openTombstones, { sequence: journal.next, message })
      : added.journal.openTombstones;
  return {
    journal: { ...added.journal, openTombstones },
    writes: [erase, ...added.writes],
    removed: [givenUp],
  };
}

function inserted(openTombstones: readonly OpenTombstone[], one: OpenTombstone): readonly OpenTombstone[] {
  const index = openTombstones.findIndex((other) => other.message.first > one.message.first);
  return openTombstones.toSpliced(index < 0 ? openTombstones.length : index, 0, one);
}

/** The growing tombstone beside that sequence: nothing that is still held lies between. */
function neighbourOf(journal: Journal, sequence: number): OpenTombstone | undefined {
  const above = journal.openTombstones.findIndex((one) => one.message.first > sequence);
  const below = journal.openTombstones.at(above < 0 ? -1 : above - 1);
  if (below !== undefined && above !== 0) {
    if (nextEntry(journal.entryIndex, below.message.last + 1)?.sequence === sequence) return below;
  }
  const next = above < 0 ? undefined : journal.openTombstones[above];
  if (next === undefined) return undefined;
  const held = nextEntry(journal.entryIndex, sequence + 1)?.sequence ?? journal.next;
  return held > next.message.first ? next : undefined;
}

function grown(message: Tombstone, givenUp: JournalEntry): Tombstone {
  return {
    ...message,
    first: Math.min(message.first, givenUp.sequence),
    last: Math.max(message.last, givenUp.sequence),
    reports: message.reports + (givenUp.entryClass === 'report' ? 1 : 0),
    events: message.events + (givenUp.entryClass === 'event' ? 1 : 0),
    replies: message.replies + (givenUp.entryClass === 'reply' ? 1 : 0),
  };
}

/** A tombstone was handed to the link: from now on it says the same for ever. */
export function closeTombstone(journal: Journal, sequence: number): Journal {
  if (!journal.openTombstones.some((one) => one.sequence === sequence)) return journal;
  return { ...journal, openTombstones: journal.openTombstones.filter((one) => one.sequence !== sequence) };
}

/**
 * Lets go of everything that a receipt names; what was never given out is not looked at. Nothing is written for it until
 * so many pages wait for that that the flash could be short of room.
 */
export function applyReceipt(
  journal: Journal,
  contiguous: number,
  ranges: readonly (readonly [first: number, last: number])[],
): JournalChange {
  let entryIndex = journal.entryIndex;
  const removed: JournalEntry[] = [];
  for (const [first, last] of [[0, contiguous] as const, ...ranges]) {
    const step = takeEntries(entryIndex, first, Math.min(last, journal.next - 1));
    entryIndex = step.entryIndex;
    removed.push(...step.taken);
  }
  if (removed.length === 0) return { journal, writes: [], removed };
  const sequences = new Set(removed.map((entry) => entry.sequence));
  const openTombstones = journal.openTombstones.some((one) => sequences.has(one.sequence))
    ? journal.openTombstones.filter((one) => !sequences.has(one.sequence))
    : journal.openTombstones;
  // Not spread: an array that grows has room for 17, and most boxes have one.
  const receipted = journal.receipted.concat(removed.map((entry) => entry.sequence));
  const changed = { ...journal, entryIndex, openTombstones, receipted };
  if (receipted.length <= limits.journalReceiptedPages) return { journal: changed, writes: [], removed };
  return { ...clearReceipted(changed), removed };
}

/** The journal without pages of receipted records, and what erases these. */
export function clearReceipted(journal: Journal): Pick<JournalChange, 'journal' | 'writes'> {
  if (journal.receipted.length === 0) return { journal, writes: [] };
  const writes = journal.receipted.map((sequence) => ({ erase: recordKey(sequence) }));
  return { journal: { ...journal, receipted: [] }, writes };
}

/**
 * The backend could not read that record. The first time it is marked and must be sent once more (`again`); the
 * second time it is given up under a tombstone. A tombstone is never given up: it waits for the next session.
 */
export function handleUnreadable(
  journal: Journal,
  entry: JournalEntry,
  encodeRecord: EncodeRecord,
): { readonly change: JournalChange; readonly again: boolean } {
  const same: JournalChange = { journal, writes: [], removed: [] };
  if (!entry.wasUnreadable) {
    const marked: JournalEntry = { ...entry, wasUnreadable: true };
    const writes = [pageOf(marked)];
    return {
      change: {
        journal: { ...journal, entryIndex: putEntry(journal.entryIndex, marked) },
        writes,
        removed: [],
      },
      again: true,
    };
  }
  if (entry.entryClass === 'tombstone') return { change: same, again: false };
  return { change: replaceByTombstone(journal, entry, 'unreadable', encodeRecord) ?? same, again: false };
}

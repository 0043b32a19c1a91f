import { limits as wire } from '../../../protocol/limits.ts';
import type { RecordMessage, Tombstone } from '../../../protocol/message.ts';
import { type FlashOperation, LazyPage } from '../../../world/flash/flash.ts';
import { limits } from '../../limits.ts';
import { recordKey, recordPage } from '../core/pages.ts';
import {
  allEntries,
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

/** Whether one more record needs the room of another. */
function isFull({ entryIndex, capacity }: Journal): boolean {
  const { tombstone } = entryIndex.counts;
  const records = entryCount(entryIndex) - tombstone;
  return records + Math.max(0, tombstone - limits.journalTombstones) >= capacity;
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
    ...(message.kind === 'tombstone' ? { tombstone: message } : {}),
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
  if (!isFull(journal))
    return journal.next > wire.highestSequence ? undefined : addEntry(journal, message, encodeRecord);
  let current = journal;
  const writes: FlashOperation[] = [];
  const removed: JournalEntry[] = [];
  while (isFull(current)) {
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

/**
 * Gives a record up under a tombstone: one that it touches grows; those between which nothing else is held become one;
 * else a new one stands for this record alone. Undefined: the sequences are used up.
 */
function replaceByTombstone(
  journal: Journal,
  givenUp: JournalEntry,
  reason: Tombstone['reason'],
  encodeRecord: EncodeRecord,
): JournalChange | undefined {
  const neighbour = reason === 'overwritten' ? neighbourOf(journal, givenUp.sequence) : undefined;
  if (neighbour !== undefined) return growTombstone(journal, givenUp, neighbour, encodeRecord);
  if (journal.next > wire.highestSequence) return undefined;
  const merged = reason === 'overwritten' ? tombstonesAround(journal, givenUp.sequence) : [];
  const removed = [...merged, givenUp];
  let { entryIndex } = journal;
  for (const { sequence } of removed) entryIndex = takeEntries(entryIndex, sequence, sequence).entryIndex;
  const none: Tombstone = {
    kind: 'tombstone',
    reason,
    first: givenUp.sequence,
    last: givenUp.sequence,
    reports: 0,
    events: 0,
    replies: 0,
  };
  const message = merged.reduce(joined, grown(none, givenUp));
  const added = addEntry({ ...journal, entryIndex }, message, encodeRecord);
  const others = journal.openTombstones.filter(
    (one) => !merged.some((entry) => entry.sequence === one.sequence),
  );
  const openTombstones =
    reason === 'overwritten' ? inserted(others, { sequence: journal.next, message }) : others;
  return {
    journal: { ...added.journal, openTombstones },
    writes: [...removed.map(({ sequence }) => ({ erase: recordKey(sequence) })), ...added.writes],
    removed,
  };
}

function growTombstone(
  journal: Journal,
  givenUp: JournalEntry,
  neighbour: OpenTombstone,
  encodeRecord: EncodeRecord,
): JournalChange {
  const { entryIndex } = takeEntries(journal.entryIndex, givenUp.sequence, givenUp.sequence);
  const message = grown(neighbour.message, givenUp);
  const entry: JournalEntry = {
    sequence: neighbour.sequence,
    entryClass: 'tombstone',
    bytes: encodeRecord(neighbour.sequence, message),
    tombstone: message,
    wasUnreadable: false,
  };
  const openTombstones = journal.openTombstones.with(journal.openTombstones.indexOf(neighbour), {
    ...neighbour,
    message,
  });
  return {
    journal: { ...journal, entryIndex: putEntry(entryIndex, entry), openTombstones },
    writes: [{ erase: recordKey(givenUp.sequence) }, pageOf(entry)],
    removed: [givenUp],
  };
}

/**
 * The tombstones for which one can stand that also covers this sequence: nothing else is held between their ranges,
 * themselves and it. One of them may have been sent: the backend counts as lost what it did not know of before.
 */
function tombstonesAround({ entryIndex }: Journal, sequence: number): readonly JournalEntry[] {
  /** From here on nothing else is held. */
  let from = 0;
  let around: JournalEntry[] = [];
  for (const entry of allEntries(entryIndex)) {
    if (entry.sequence === sequence) continue;
    if (entry.tombstone !== undefined && entry.tombstone.first >= from) around.push(entry);
    else if (entry.sequence > sequence) break;
    else {
      from = entry.sequence + 1;
      around = [];
    }
  }
  return around;
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

/** One tombstone in place of two. It covers the other one's own sequence too. */
function joined(message: Tombstone, { sequence, tombstone }: JournalEntry): Tombstone {
  if (tombstone === undefined) return message;
  return {
    ...message,
    first: Math.min(message.first, tombstone.first),
    last: Math.max(message.last, tombstone.last, sequence),
    reports: message.reports + tombstone.reports,
    events: message.events + tombstone.events,
    replies: message.replies + tombstone.replies,
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

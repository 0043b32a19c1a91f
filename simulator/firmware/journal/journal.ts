import { wireLimits } from '../../../protocol/limits.ts';
import type { RecordMessage, Tombstone } from '../../../protocol/message.ts';
import { type FlashOperation, LazyPage } from '../../../world/flash/flash.ts';
import { limits } from '../../limits.ts';
import { recordKey, recordPage } from '../core/pages.ts';
import {
  type EntryClass,
  type EntryIndex,
  entryCount,
  type JournalEntry,
  nextEntry,
  previousEntry,
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
  // Like an event it is the only record of an occurrence.
  return message.kind === 'access' ? 'event' : message.kind;
}

/** The lowest sequence that is still held; the next one if none is (as a hello reports it). */
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

/** Adds a record under the next sequence, without checking for room. */
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
 * Adds a new record; its sequence is the journal's `next - 1` afterwards. Undefined: there is no room and none can be
 * made, or the sequences are used up; then nothing has changed.
 */
export function append(
  journal: Journal,
  message: RecordMessage,
  encodeRecord: EncodeRecord,
): JournalChange | undefined {
  // Most journals have room.
  if (!isFull(journal))
    return journal.next > wireLimits.highestSequence ? undefined : addEntry(journal, message, encodeRecord);
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
  if (current.next > wireLimits.highestSequence) return undefined;
  const added = addEntry(current, message, encodeRecord);
  return { journal: added.journal, writes: [...writes, ...added.writes], removed };
}

/**
 * Evicts a record under a tombstone: an adjacent one grows, else a new one covers it. The new one also replaces
 * adjacent others (tombstonesBeside). Undefined: the sequences are used up.
 */
function replaceByTombstone(
  journal: Journal,
  givenUp: JournalEntry,
  reason: Tombstone['reason'],
  encodeRecord: EncodeRecord,
): JournalChange | undefined {
  const { sequence } = givenUp;
  const isOverwritten = reason === 'overwritten';
  const growing = isOverwritten ? neighbourOf(journal, sequence) : undefined;
  const beside = isOverwritten ? tombstonesBeside(journal.entryIndex, sequence, growing) : NOTHING_BESIDE;
  const replaced = [...beside.joined, ...beside.inTheWay.map(({ entry }) => entry)];
  // One that would cover itself is replaced like the others.
  const target = replaced.some((entry) => entry.sequence === growing?.sequence) ? undefined : growing;
  const none: Tombstone = { kind: 'tombstone', reason, first: sequence, last: sequence, ...NO_RECORDS };
  const message = replaced.reduce(
    (sum, entry) => covering(sum, entry.sequence),
    beside.joined.reduce(joined, grown(target?.message ?? none, givenUp)),
  );
  const anew = saidAnew(beside.inTheWay);
  const needed = anew.length + (target === undefined ? 1 : 0);
  if (journal.next + needed - 1 > wireLimits.highestSequence) return undefined;

  const removed = [...replaced, givenUp];
  let { entryIndex } = journal;
  for (const one of removed) entryIndex = takeEntries(entryIndex, one.sequence, one.sequence).entryIndex;
  const left = journal.openTombstones.filter(
    (one) => one !== target && !removed.some((entry) => entry.sequence === one.sequence),
  );
  let current: Journal = { ...journal, entryIndex, openTombstones: left };
  const writes: FlashOperation[] = removed.map((one) => ({ erase: recordKey(one.sequence) }));
  const put = (at: number, said: Tombstone): void => {
    const entry: JournalEntry = {
      sequence: at,
      entryClass: 'tombstone',
      bytes: encodeRecord(at, said),
      tombstone: said,
      wasUnreadable: false,
    };
    const openTombstones =
      said.reason === 'overwritten'
        ? inserted(current.openTombstones, { sequence: at, message: said })
        : current.openTombstones;
    const next = Math.max(current.next, at + 1);
    current = { ...current, next, entryIndex: putEntry(current.entryIndex, entry), openTombstones };
    writes.push(pageOf(entry));
  };
  for (const said of anew) put(current.next, said);
  put(target?.sequence ?? current.next, message);
  return { journal: current, writes, removed };
}

const NO_RECORDS = { reports: 0, events: 0, replies: 0 } as const;

/** The tombstones whose own sequences lie between the same two held records as the evicted one. */
interface TombstonesBeside {
  /** Their ranges lie there too: one can replace all. */
  readonly joined: readonly JournalEntry[];
  /**
   * Their ranges lie before an older record that is still held. `behind`: the highest sequence that is held below the
   * ranges; 0: none.
   */
  readonly inTheWay: readonly { readonly entry: JournalEntry; readonly behind: number }[];
}

const NOTHING_BESIDE: TombstonesBeside = { joined: [], inTheWay: [] };

/**
 * The tombstones to replace when this sequence is evicted; none where nothing can be joined. Those in between would
 * separate the lost ranges on both sides permanently: they are written again, under sequences after all others. Sent
 * ones are replaced as well: the backend counts only losses that it did not know before.
 */
function tombstonesBeside(
  entryIndex: EntryIndex,
  sequence: number,
  growing: OpenTombstone | undefined,
): TombstonesBeside {
  const isOther = (entry: JournalEntry | undefined): boolean =>
    entry?.tombstone !== undefined && entry.sequence !== growing?.sequence;
  // The common case, and fast.
  if (!isOther(previousEntry(entryIndex, sequence)) && !isOther(nextEntry(entryIndex, sequence + 1)))
    return NOTHING_BESIDE;
  const around: JournalEntry[] = [];
  let below = previousEntry(entryIndex, sequence);
  for (; below?.tombstone !== undefined; below = previousEntry(entryIndex, below.sequence))
    around.unshift(below);
  let above = nextEntry(entryIndex, sequence + 1);
  for (; above?.tombstone !== undefined; above = nextEntry(entryIndex, above.sequence + 1))
    around.push(above);
  const lowest = below?.sequence ?? 0;
  const isHere = ({ tombstone }: JournalEntry): boolean => (tombstone?.first ?? 0) > lowest;
  const here = around.filter(isHere);
  if (here.length === 0) return NOTHING_BESIDE;
  // No range covers a held record: those after the same sequence are adjacent.
  const inTheWay = around
    .filter((entry) => !isHere(entry))
    .map((entry) => ({
      entry,
      behind: previousEntry(entryIndex, entry.tombstone?.first ?? 0)?.sequence ?? 0,
    }));
  return { joined: here, inTheWay };
}

/** The merged content of tombstones in between: one for all between the same two held sequences. */
function saidAnew(inTheWay: TombstonesBeside['inTheWay']): readonly Tombstone[] {
  const said = new Map<number, Tombstone>();
  for (const { entry, behind } of inTheWay) {
    const { tombstone } = entry;
    if (tombstone === undefined) continue;
    const before = said.get(behind);
    said.set(behind, before === undefined ? tombstone : joined(before, entry));
  }
  return [...said.values()];
}

function inserted(openTombstones: readonly OpenTombstone[], one: OpenTombstone): readonly OpenTombstone[] {
  const index = openTombstones.findIndex((other) => other.message.first > one.message.first);
  return openTombstones.toSpliced(index < 0 ? openTombstones.length : index, 0, one);
}

/** The growing tombstone adjacent to that sequence: no held record lies between. */
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

/** One tombstone in place of two, between whose ranges nothing is held. */
function joined(message: Tombstone, { tombstone }: JournalEntry): Tombstone {
  if (tombstone === undefined) return message;
  return {
    ...message,
    first: Math.min(message.first, tombstone.first),
    last: Math.max(message.last, tombstone.last),
    reports: message.reports + tombstone.reports,
    events: message.events + tombstone.events,
    replies: message.replies + tombstone.replies,
  };
}

/** The tombstone extended over this sequence, under which no record is held any more. */
function covering(message: Tombstone, sequence: number): Tombstone {
  return { ...message, first: Math.min(message.first, sequence), last: Math.max(message.last, sequence) };
}

/** A tombstone was sent: from now on it never changes. */
export function closeTombstone(journal: Journal, sequence: number): Journal {
  if (!journal.openTombstones.some((one) => one.sequence === sequence)) return journal;
  return { ...journal, openTombstones: journal.openTombstones.filter((one) => one.sequence !== sequence) };
}

/**
 * Removes all records that a receipt names; sequences that were never assigned are ignored. Causes no write until so
 * many pages wait for erasure that the flash could run short of room.
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

/** The journal without pages of receipted records, and the operations that erase these. */
export function clearReceipted(journal: Journal): Pick<JournalChange, 'journal' | 'writes'> {
  if (journal.receipted.length === 0) return { journal, writes: [] };
  const writes = journal.receipted.map((sequence) => ({ erase: recordKey(sequence) }));
  return { journal: { ...journal, receipted: [] }, writes };
}

/**
 * The backend could not read that record. The first time it is marked and must be sent once more (`again`); the
 * second time it is evicted under a tombstone. A tombstone is never evicted: it waits for the next session.
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

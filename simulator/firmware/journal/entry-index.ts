import type { Tombstone } from '../../../protocol/message.ts';

/**
 * Journal entries by sequence, immutable: chunks of up to 64 neighbouring sequences in one array, so that a change
 * copies one chunk and the array of chunks, about 160 references for 10,000 records. Each chunk counts its entries by
 * class, so that a search for a class skips whole chunks.
 */
export type EntryClass = 'report' | 'event' | 'reply' | 'tombstone';

export interface JournalEntry {
  readonly sequence: number;
  /** A heartbeat counts as a report. */
  readonly entryClass: EntryClass;
  /** The whole frame, as it is sent each time. */
  readonly bytes: Uint8Array;
  /** The content of a tombstone: the sequences that it covers, both ends included, and the lost records by class. */
  readonly tombstone?: Tombstone;
  /** The backend reported it as unreadable once. */
  readonly wasUnreadable: boolean;
}

interface EntryChunk {
  readonly number: number;
  readonly entries: readonly JournalEntry[];
  readonly counts: Readonly<Record<EntryClass, number>>;
  /** From the lowest to the highest sequence that its tombstones cover. */
  readonly covers: readonly [first: number, last: number] | undefined;
}

export interface EntryIndex {
  readonly chunks: readonly EntryChunk[];
  readonly counts: Readonly<Record<EntryClass, number>>;
}

const CHUNK = 64;
const NONE: Readonly<Record<EntryClass, number>> = { report: 0, event: 0, reply: 0, tombstone: 0 };

export const emptyEntryIndex: EntryIndex = { chunks: [], counts: NONE };

/** The number of entries of all classes. */
export function entryCount(entryIndex: EntryIndex): number {
  const { report, event, reply, tombstone } = entryIndex.counts;
  return report + event + reply + tombstone;
}

/** Index of the first chunk with at least this number. */
function chunkIndex(entryIndex: EntryIndex, number: number): number {
  let low = 0;
  let high = entryIndex.chunks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const chunk = entryIndex.chunks[middle];
    if (chunk !== undefined && chunk.number < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

function chunkOf(
  number: number,
  entries: readonly JournalEntry[],
  counts: Readonly<Record<EntryClass, number>>,
): EntryChunk {
  if (counts.tombstone === 0) return { number, entries, counts, covers: undefined };
  let first = Number.POSITIVE_INFINITY;
  let last = -1;
  for (const { tombstone } of entries) {
    if (tombstone === undefined) continue;
    first = Math.min(first, tombstone.first);
    last = Math.max(last, tombstone.last);
  }
  return { number, entries, counts, covers: [first, last] };
}

function changedCounts(
  counts: Readonly<Record<EntryClass, number>>,
  entryClass: EntryClass,
  by: number,
): Record<EntryClass, number> {
  return { ...counts, [entryClass]: counts[entryClass] + by };
}

/** The entry with this sequence. */
export function findEntry(entryIndex: EntryIndex, sequence: number): JournalEntry | undefined {
  const number = Math.floor(sequence / CHUNK);
  const chunk = entryIndex.chunks[chunkIndex(entryIndex, number)];
  if (chunk === undefined || chunk.number !== number) return undefined;
  return chunk.entries.find((entry) => entry.sequence === sequence);
}

/** The first entry at or after `from`, limited to `sorts` if given. */
export function nextEntry(
  entryIndex: EntryIndex,
  from: number,
  entryClasses?: readonly EntryClass[],
): JournalEntry | undefined {
  for (
    let index = chunkIndex(entryIndex, Math.floor(from / CHUNK));
    index < entryIndex.chunks.length;
    index++
  ) {
    const chunk = entryIndex.chunks[index];
    if (chunk === undefined) break;
    if (entryClasses !== undefined && !entryClasses.some((entryClass) => chunk.counts[entryClass] > 0))
      continue;
    for (const entry of chunk.entries) {
      if (entry.sequence >= from && (entryClasses === undefined || entryClasses.includes(entry.entryClass)))
        return entry;
    }
  }
  return undefined;
}

/** The last entry below this sequence. */
export function previousEntry(entryIndex: EntryIndex, sequence: number): JournalEntry | undefined {
  const number = Math.floor(sequence / CHUNK);
  const index = chunkIndex(entryIndex, number);
  const chunk = entryIndex.chunks[index];
  const here =
    chunk?.number === number ? chunk.entries.findLast((entry) => entry.sequence < sequence) : undefined;
  return here ?? (index > 0 ? entryIndex.chunks[index - 1]?.entries.at(-1) : undefined);
}

/** The first tombstone that covers this sequence. */
export function coveringTombstone(entryIndex: EntryIndex, sequence: number): JournalEntry | undefined {
  for (const chunk of entryIndex.chunks) {
    if (chunk.covers === undefined || sequence < chunk.covers[0] || sequence > chunk.covers[1]) continue;
    for (const entry of chunk.entries) {
      const { tombstone } = entry;
      if (tombstone !== undefined && tombstone.first <= sequence && sequence <= tombstone.last) return entry;
    }
  }
  return undefined;
}

/** The entry with the highest sequence. */
export function lastEntry(entryIndex: EntryIndex): JournalEntry | undefined {
  return entryIndex.chunks.at(-1)?.entries.at(-1);
}

/** The index with this entry added, replacing one with the same sequence. */
export function putEntry(entryIndex: EntryIndex, entry: JournalEntry): EntryIndex {
  const number = Math.floor(entry.sequence / CHUNK);
  const index = chunkIndex(entryIndex, number);
  const there = entryIndex.chunks[index];
  if (there === undefined || there.number !== number) {
    const fresh = chunkOf(number, [entry], changedCounts(NONE, entry.entryClass, 1));
    return {
      chunks: entryIndex.chunks.toSpliced(index, 0, fresh),
      counts: changedCounts(entryIndex.counts, entry.entryClass, 1),
    };
  }
  const replaced = there.entries.find((other) => other.sequence === entry.sequence);
  const others = there.entries.filter((other) => other !== replaced);
  const place = others.findIndex((other) => other.sequence > entry.sequence);
  const entries = others.toSpliced(place < 0 ? others.length : place, 0, entry);
  const without =
    replaced === undefined ? there.counts : changedCounts(there.counts, replaced.entryClass, -1);
  const total =
    replaced === undefined ? entryIndex.counts : changedCounts(entryIndex.counts, replaced.entryClass, -1);
  return {
    chunks: entryIndex.chunks.with(
      index,
      chunkOf(number, entries, changedCounts(without, entry.entryClass, 1)),
    ),
    counts: changedCounts(total, entry.entryClass, 1),
  };
}

/** The index without the sequences `first` to `last`, and the removed entries in ascending order. */
export function takeEntries(
  entryIndex: EntryIndex,
  first: number,
  lastOne: number,
): { entryIndex: EntryIndex; taken: readonly JournalEntry[] } {
  const from = chunkIndex(entryIndex, Math.floor(first / CHUNK));
  const to = chunkIndex(entryIndex, Math.floor(lastOne / CHUNK) + 1);
  const taken: JournalEntry[] = [];
  const kept: EntryChunk[] = [];
  let counts = entryIndex.counts;
  for (const chunk of entryIndex.chunks.slice(from, to)) {
    const entries: JournalEntry[] = [];
    let left = chunk.counts;
    for (const entry of chunk.entries) {
      if (entry.sequence < first || entry.sequence > lastOne) {
        entries.push(entry);
        continue;
      }
      taken.push(entry);
      left = changedCounts(left, entry.entryClass, -1);
      counts = changedCounts(counts, entry.entryClass, -1);
    }
    if (entries.length > 0) kept.push(chunkOf(chunk.number, entries, left));
  }
  if (taken.length === 0) return { entryIndex, taken };
  return { entryIndex: { chunks: entryIndex.chunks.toSpliced(from, to - from, ...kept), counts }, taken };
}

/** All entries in ascending order. For boot, tests and inspection from outside. */
export function allEntries(entryIndex: EntryIndex): readonly JournalEntry[] {
  return entryIndex.chunks.flatMap((chunk) => chunk.entries);
}

/**
 * Journal entries by sequence, immutable: chunks of up to 64 neighbouring sequences in one array, so that a change
 * copies one chunk and the array of chunks, about 160 references for 10,000 records. Each chunk counts its entries by
 * class, so that a search for a class skips whole chunks.
 */
export type Sort = 'report' | 'event' | 'reply' | 'tombstone';

export interface Entry {
  readonly sequence: number;
  /** A heartbeat counts as a report. */
  readonly sort: Sort;
  /** The whole frame, as it is sent each time. */
  readonly bytes: Uint8Array;
  /** The sequences that a tombstone stands for, both ends included. */
  readonly covers?: readonly [first: number, last: number];
  /** The backend could not read it once already. */
  readonly wasUnreadable: boolean;
}

interface Chunk {
  readonly number: number;
  readonly entries: readonly Entry[];
  readonly counts: Readonly<Record<Sort, number>>;
  /** From the lowest to the highest sequence that its tombstones stand for. */
  readonly covers: readonly [first: number, last: number] | undefined;
}

export interface Shelf {
  readonly chunks: readonly Chunk[];
  readonly counts: Readonly<Record<Sort, number>>;
}

const CHUNK = 64;
const NONE: Readonly<Record<Sort, number>> = { report: 0, event: 0, reply: 0, tombstone: 0 };

export const emptyShelf: Shelf = { chunks: [], counts: NONE };

/** How many entries there are of all sorts. */
export function size(shelf: Shelf): number {
  const { report, event, reply, tombstone } = shelf.counts;
  return report + event + reply + tombstone;
}

/** Index of the first chunk whose number is `number` or more. */
function chunkIndex(shelf: Shelf, number: number): number {
  let low = 0;
  let high = shelf.chunks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const chunk = shelf.chunks[middle];
    if (chunk !== undefined && chunk.number < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

function chunkOf(number: number, entries: readonly Entry[], counts: Readonly<Record<Sort, number>>): Chunk {
  if (counts.tombstone === 0) return { number, entries, counts, covers: undefined };
  let first = Number.POSITIVE_INFINITY;
  let last = -1;
  for (const { covers } of entries) {
    if (covers === undefined) continue;
    first = Math.min(first, covers[0]);
    last = Math.max(last, covers[1]);
  }
  return { number, entries, counts, covers: [first, last] };
}

function add(counts: Readonly<Record<Sort, number>>, sort: Sort, by: number): Record<Sort, number> {
  return { ...counts, [sort]: counts[sort] + by };
}

/** The entry of that sequence. */
export function find(shelf: Shelf, sequence: number): Entry | undefined {
  const number = Math.floor(sequence / CHUNK);
  const chunk = shelf.chunks[chunkIndex(shelf, number)];
  if (chunk === undefined || chunk.number !== number) return undefined;
  return chunk.entries.find((entry) => entry.sequence === sequence);
}

/** The first entry at or after `from`, of one of `sorts` where they are given. */
export function following(shelf: Shelf, from: number, sorts?: readonly Sort[]): Entry | undefined {
  for (let index = chunkIndex(shelf, Math.floor(from / CHUNK)); index < shelf.chunks.length; index++) {
    const chunk = shelf.chunks[index];
    if (chunk === undefined) break;
    if (sorts !== undefined && !sorts.some((sort) => chunk.counts[sort] > 0)) continue;
    for (const entry of chunk.entries) {
      if (entry.sequence >= from && (sorts === undefined || sorts.includes(entry.sort))) return entry;
    }
  }
  return undefined;
}

/** The first tombstone that stands for that sequence. */
export function covering(shelf: Shelf, sequence: number): Entry | undefined {
  for (const chunk of shelf.chunks) {
    if (chunk.covers === undefined || sequence < chunk.covers[0] || sequence > chunk.covers[1]) continue;
    for (const entry of chunk.entries) {
      const { covers } = entry;
      if (covers !== undefined && covers[0] <= sequence && sequence <= covers[1]) return entry;
    }
  }
  return undefined;
}

/** The entry with the highest sequence. */
export function last(shelf: Shelf): Entry | undefined {
  return shelf.chunks.at(-1)?.entries.at(-1);
}

/** The shelf with this entry, in place of one of the same sequence where there was one. */
export function put(shelf: Shelf, entry: Entry): Shelf {
  const number = Math.floor(entry.sequence / CHUNK);
  const index = chunkIndex(shelf, number);
  const there = shelf.chunks[index];
  if (there === undefined || there.number !== number) {
    const fresh = chunkOf(number, [entry], add(NONE, entry.sort, 1));
    return { chunks: shelf.chunks.toSpliced(index, 0, fresh), counts: add(shelf.counts, entry.sort, 1) };
  }
  const replaced = there.entries.find((other) => other.sequence === entry.sequence);
  const others = there.entries.filter((other) => other !== replaced);
  const place = others.findIndex((other) => other.sequence > entry.sequence);
  const entries = others.toSpliced(place < 0 ? others.length : place, 0, entry);
  const without = replaced === undefined ? there.counts : add(there.counts, replaced.sort, -1);
  const total = replaced === undefined ? shelf.counts : add(shelf.counts, replaced.sort, -1);
  return {
    chunks: shelf.chunks.with(index, chunkOf(number, entries, add(without, entry.sort, 1))),
    counts: add(total, entry.sort, 1),
  };
}

/** The shelf without the sequences first to last, and what was taken off it, rising. */
export function take(
  shelf: Shelf,
  first: number,
  lastOne: number,
): { shelf: Shelf; taken: readonly Entry[] } {
  const from = chunkIndex(shelf, Math.floor(first / CHUNK));
  const to = chunkIndex(shelf, Math.floor(lastOne / CHUNK) + 1);
  const taken: Entry[] = [];
  const kept: Chunk[] = [];
  let counts = shelf.counts;
  for (const chunk of shelf.chunks.slice(from, to)) {
    const entries: Entry[] = [];
    let left = chunk.counts;
    for (const entry of chunk.entries) {
      if (entry.sequence < first || entry.sequence > lastOne) {
        entries.push(entry);
        continue;
      }
      taken.push(entry);
      left = add(left, entry.sort, -1);
      counts = add(counts, entry.sort, -1);
    }
    if (entries.length > 0) kept.push(chunkOf(chunk.number, entries, left));
  }
  if (taken.length === 0) return { shelf, taken };
  return { shelf: { chunks: shelf.chunks.toSpliced(from, to - from, ...kept), counts }, taken };
}

/** All entries, rising. For boot, tests and looks from outside. */
export function entriesOf(shelf: Shelf): readonly Entry[] {
  return shelf.chunks.flatMap((chunk) => chunk.entries);
}

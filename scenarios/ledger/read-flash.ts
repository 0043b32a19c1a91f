import { decodePayload } from '../../protocol/frame.ts';
import { countersKey, readCounters, readRecord } from '../../simulator/firmware/pages.ts';
import type { HeldRecord, JournalFacts } from './facts.ts';

/** Whether a page is one that `readJournal` reads. Others are not worth packing: the vehicle is the largest of them. */
export function isOfJournal(key: string): boolean {
  return key === countersKey || key.startsWith('j/');
}

/** A box's journal as the pages of its flash have it; undefined where the box never wrote any. */
export function readJournal(pages: ReadonlyMap<string, Uint8Array>): JournalFacts | undefined {
  const counters = readCounters(pages.get(countersKey));
  if (counters === undefined) return undefined;
  const held: HeldRecord[] = [];
  let next = counters.next;
  for (const [key, bytes] of pages) {
    const entry = readRecord(key, bytes);
    if (entry === undefined) continue;
    held.push({
      sequence: entry.sequence,
      clockMs: decodePayload(entry.bytes).frames[0]?.frame.clockMs,
      ...(entry.covers === undefined ? {} : { covers: entry.covers }),
    });
    next = Math.max(next, entry.sequence + 1);
  }
  return { epoch: counters.epoch, next, held: held.toSorted((a, b) => a.sequence - b.sequence) };
}

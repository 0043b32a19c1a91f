import { decodePayload } from '../../protocol/codec/frame.ts';
import { countersKey, isRecordKey, readCounters, readRecord } from '../../simulator/firmware/core/pages.ts';
import type { HeldRecord, JournalFacts } from './facts.ts';

/** Whether `readJournal` reads a page. Others need not be copied; the vehicle's page is the largest. */
export function isOfJournal(key: string): boolean {
  return key === countersKey || isRecordKey(key);
}

/** Reads a box's journal from the pages of its flash; undefined when the box never wrote one. */
export function readJournal(pages: ReadonlyMap<string, Uint8Array>): JournalFacts | undefined {
  const counters = readCounters(pages.get(countersKey));
  if (counters === undefined) return undefined;
  const held: HeldRecord[] = [];
  let next = counters.next;
  for (const [key, bytes] of pages) {
    const entry = readRecord(key, bytes);
    if (entry === undefined) continue;
    const { tombstone } = entry;
    held.push({
      sequence: entry.sequence,
      clockMs: decodePayload(entry.bytes).frames[0]?.frame.clockMs,
      ...(tombstone === undefined ? {} : { covers: [tombstone.first, tombstone.last] }),
    });
    next = Math.max(next, entry.sequence + 1);
  }
  return { epoch: counters.epoch, next, held: held.toSorted((a, b) => a.sequence - b.sequence) };
}

import type { EntryClass, JournalEntry } from '../../../simulator/firmware/journal/entry-index.ts';

/** An entry of a journal whose frame has so many bytes. */
export function journalEntry(sequence: number, entryClass: EntryClass = 'report', bytes = 1): JournalEntry {
  return { sequence, entryClass, bytes: new Uint8Array(bytes), wasUnreadable: false };
}

/** A tombstone with this sequence, which covers the reports from `first` to `last`. */
export function tombstoneOver(sequence: number, first: number, last: number): JournalEntry {
  const counts = { reports: last - first + 1, events: 0, replies: 0 };
  return {
    ...journalEntry(sequence, 'tombstone'),
    tombstone: { kind: 'tombstone', reason: 'overwritten', first, last, ...counts },
  };
}

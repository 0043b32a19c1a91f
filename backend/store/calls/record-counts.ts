import type { StoredRecord } from '../port/ingest-store.ts';

/** What records add to the counts of their box: their number, and how many its tombstones gave up. */
export interface RecordCounts {
  readonly records: number;
  readonly lost: number;
}

export const NO_RECORDS: RecordCounts = { records: 0, lost: 0 };

/** The counts of records by box id; a box without any is missing. */
export function countByBox(records: readonly StoredRecord[]): ReadonlyMap<string, RecordCounts> {
  const counts = new Map<string, { records: number; lost: number }>();
  for (const { boxId, lost } of records) {
    const there = counts.get(boxId);
    if (there === undefined) counts.set(boxId, { records: 1, lost });
    else {
      there.records += 1;
      there.lost += lost;
    }
  }
  return counts;
}

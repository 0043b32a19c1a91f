import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../../backend/base/limits.ts';
import type { Quarantined } from '../../../../../backend/store/port/ingest-store.ts';
import { beyondShare } from '../../../../../backend/store/sqlite/ingest/quarantine.ts';
import { openSqliteStore } from '../../../../../backend/store/sqlite/store.ts';
import { ingestBatch } from '../../../../support/store/store-rows.ts';

/** The rows of boxes, in the order in which they came. */
function rowsOf(boxes: readonly string[]): Map<string, number[]> {
  const rows = new Map<string, number[]>();
  for (const [id, box] of boxes.entries()) rows.set(box, [...(rows.get(box) ?? []), id]);
  return rows;
}

test('over the limit the box with most rows loses its oldest, and a box with fewer rows loses nothing', () => {
  const boxes = fc.array(fc.constantFrom('a', 'a', 'a', 'b', 'c', 'd', 'e'), { maxLength: 60 });
  fc.assert(
    fc.property(boxes, fc.integer({ min: 1, max: 40 }), (arrivals, most) => {
      const before = rowsOf(arrivals);
      const gone = new Set(beyondShare(before, most));
      const left = [...before].map(([box, ids]) => ({ box, ids, kept: ids.filter((id) => !gone.has(id)) }));
      expect(arrivals.length - gone.size).toBe(Math.min(arrivals.length, most));
      for (const { ids, kept } of left) {
        // The newest of a box are what it keeps.
        expect(kept).toEqual(ids.slice(ids.length - kept.length));
        const isWhole = kept.length === ids.length;
        if (!isWhole)
          for (const other of left) expect(other.kept.length).toBeLessThanOrEqual(kept.length + 1);
      }
    }),
  );
});

describe('the quarantine of the store', () => {
  const row = (boxId: string, offset: number): Quarantined => ({
    boxId,
    receivedMs: 1,
    fault: 'no-frame',
    offset,
    detail: '',
    bytes: Uint8Array.of(1),
  });
  const noise = (count: number): readonly Quarantined[] =>
    Array.from({ length: count }, (_, at) => row('noisy', at));
  const QUIET = [row('quiet-1', 1), row('quiet-2', 2), row('quiet-2', 3)];
  const ofQuiet = (all: readonly Quarantined[]) => all.filter(({ boxId }) => boxId !== 'noisy').reverse();

  test('keeps the rows of boxes with few faults, however many another one sends, even over a restart', async () => {
    const store = openSqliteStore(':memory:');
    await store.ingest.commit(ingestBatch({ quarantine: QUIET }));
    await store.ingest.commit(ingestBatch({ quarantine: noise(limits.quarantineRows) }));
    const again = openSqliteStore(store.serialize());
    await again.ingest.commit(ingestBatch({ quarantine: noise(500) }));
    const all = await again.ingest.quarantined({ limit: 2 * limits.quarantineRows });
    expect(all).toHaveLength(limits.quarantineRows);
    expect(ofQuiet(all)).toEqual(QUIET);
    expect(all[0]?.offset).toBe(499);
    await store.close();
    await again.close();
  });

  test('has the right count after a commit is rolled back', async () => {
    const store = openSqliteStore(':memory:');
    await store.ingest.commit(ingestBatch({ quarantine: [...QUIET, ...noise(limits.quarantineRows)] }));
    // What comes behind the quarantine in the same commit cannot be written.
    const broken = ingestBatch({ quarantine: noise(limits.quarantineRows), flashWipes: [null as never] });
    await expect(store.ingest.commit(broken)).rejects.toThrow();
    await store.ingest.commit(ingestBatch({ quarantine: noise(300) }));
    const all = await store.ingest.quarantined({ limit: 2 * limits.quarantineRows });
    expect(all).toHaveLength(limits.quarantineRows);
    expect(all[0]?.offset).toBe(299);
    expect(ofQuiet(all)).toEqual(QUIET);
    await store.close();
  });
});

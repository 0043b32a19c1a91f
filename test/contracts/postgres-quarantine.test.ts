import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { writeQuarantine } from '../../backend/store/postgres/ingest/quarantine.ts';
import { beyondShare } from '../../backend/store/sqlite/ingest/quarantine.ts';
import { postgres, withService } from '../support/run/external-services.ts';
import { openTestStore, testDatabases } from '../support/store/postgres-databases.ts';
import { openTransactions, type Transactions } from '../support/store/postgres-transactions.ts';
import { START_MS } from '../support/store/store-rows.ts';

const MOST = 7;

await withService(postgres, ({ url }) => {
  const databases = testDatabases(url);
  afterAll(() => databases.drop());

  describe('the quarantine in PostgreSQL', () => {
    let opened: Transactions | undefined;
    afterEach(() => opened?.close());

    test('whichever boxes fill it, each keeps its share, as the rule of the port says', async () => {
      const place = await databases.create();
      await (await openTestStore(place)).close();
      const transactions = openTransactions(place);
      opened = transactions;
      const boxes = fc.array(fc.constantFrom('a1', 'b2', 'c3', 'd4'), { minLength: 1, maxLength: 9 });
      await fc.assert(
        fc.asyncProperty(fc.array(boxes, { maxLength: 5 }), async (batches) => {
          await databases.query(place, 'truncate quarantine');
          let written = 0;
          let kept: readonly (readonly [place: number, boxId: string])[] = [];
          for (const batch of batches) {
            const rows = batch.map((boxId) => {
              written += 1;
              return [written, boxId] as const;
            });
            await transactions.run(() => writeQuarantine(rows.map(quarantined), MOST));
            const all = [...kept, ...rows];
            const byBox = Map.groupBy(all, ([, boxId]) => boxId);
            const places = new Map([...byBox].map(([boxId, of]) => [boxId, of.map(([place]) => place)]));
            const gone = new Set(beyondShare(places, MOST));
            kept = all.filter(([place]) => !gone.has(place));
          }
          const found = await databases.query(
            place,
            'select byte_offset, box_id from quarantine order by id',
          );
          expect(found.map((row) => [row['byte_offset'], row['box_id']])).toEqual(kept);
        }),
        { numRuns: 30 },
      );
    });
  });
});

function quarantined([place, boxId]: readonly [place: number, boxId: string]) {
  return {
    boxId,
    receivedMs: START_MS,
    fault: 'no-frame',
    offset: place,
    detail: '',
    bytes: Uint8Array.of(place),
  };
}

import { describe, expect, test } from 'vitest';
import type { QuotaWish } from '../../backend/store/port/quota-store.ts';
import type { TestStore } from '../support/store/store-rows.ts';

/** Longer than any test. */
const WINDOW_MS = 3_600_000;

/** The behaviour of a store for quotas that backends share. */
export function quotasContract(stage: TestStore): void {
  describe('quotas', () => {
    const wish = (change: Partial<QuotaWish> = {}): QuotaWish => ({
      limit: 100,
      windowMs: WINDOW_MS,
      wanted: 1,
      spent: undefined,
      ...change,
    });

    test('are given out to all backends together, and never beyond the limit', async () => {
      const backends = [stage.store, await stage.beside()];
      let given = 0;
      for (let count = 0; count < 200; count += 1) {
        const { calls, left } = (await backends[count % 2]?.quotas.take('one', wish())) ?? { calls: 0 };
        given += calls;
        expect(left).toBe(100 - given);
      }
      expect(given).toBe(100);
    });

    test('are given out once, also to those who ask at the same time', async () => {
      const backends = [stage.store, await stage.beside()];
      const asking = Array.from({ length: 40 }, (_, index) =>
        backends[index % 2]?.quotas.take('one', wish({ wanted: 3 })),
      );
      const given = (await Promise.all(asking)).map((allotment) => allotment?.calls ?? 0);
      expect(given.reduce((sum, calls) => sum + calls, 0)).toBe(100);
    });

    test('are of each client alone', async () => {
      expect((await stage.store.quotas.take('one', wish({ wanted: 100 }))).left).toBe(0);
      expect(await stage.store.quotas.take('other', wish())).toMatchObject({ calls: 5, left: 95 });
    });

    test('begin anew with the next window, by the clock of the store', async () => {
      const { quotas } = stage.store;
      const ended = await quotas.take('one', wish({ wanted: 100, windowMs: 0 }));
      expect(ended).toMatchObject({ calls: 100, left: 0, remainingMs: 0 });
      const next = await quotas.take('one', wish());
      expect(next).toMatchObject({ calls: 5, left: 95, remainingMs: WINDOW_MS });
      expect(next.endsMs).toBeGreaterThanOrEqual(ended.endsMs + WINDOW_MS);
    });

    test('give more to who has used what it had', async () => {
      const { quotas } = stage.store;
      const { endsMs, calls } = await quotas.take('one', wish());
      expect(calls).toBe(5);
      expect((await quotas.take('one', wish())).calls).toBe(2);
      expect((await quotas.take('one', wish({ spent: { endsMs, calls: 7 } }))).calls).toBe(5);
    });
  });
}

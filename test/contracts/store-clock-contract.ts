import { describe, expect, test } from 'vitest';
import type { TestStore } from '../support/store/store-rows.ts';

/** 2020, and 2100. */
const BOUNDS_MS = [1_577_836_800_000, 4_102_444_800_000] as const;

/** The clock of every store. */
export function clockContract(stage: TestStore): void {
  describe('the clock', () => {
    test('is one for all backends, in whole milliseconds since 1970, and does not go back', async () => {
      const backends = [stage.store, await stage.beside()];
      const told: number[] = [];
      for (let count = 0; count < 6; count += 1) told.push((await backends[count % 2]?.clock.nowMs()) ?? 0);
      for (const [at, nowMs] of told.entries()) {
        expect(Number.isInteger(nowMs)).toBe(true);
        expect(nowMs).toBeGreaterThan(BOUNDS_MS[0]);
        expect(nowMs).toBeLessThan(BOUNDS_MS[1]);
        expect(nowMs).toBeGreaterThanOrEqual(told[at - 1] ?? 0);
      }
    });
  });
}

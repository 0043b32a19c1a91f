import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeSharedQuota } from '../../backend/http/shared-quota.ts';
import { allot, type QuotaWindow } from '../../backend/store/calls/quotas.ts';
import type { QuotaStore } from '../../backend/store/port/quota-store.ts';
import { VirtualLoop } from '../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../world/loop/virtual-process-scope.ts';
import { sleep } from '../../world/time/time.ts';
import { virtualTime } from '../../world/time/virtual-time.ts';

const CLIENT = 'client';
/** Longer than a window, so that each round has windows of its own. */
const ROUND_MS = 200_000;

interface DrawnCall {
  readonly backend: number;
  readonly round: number;
  /** How many come at the same moment. */
  readonly burst: number;
  /** Within a round: all windows that begin in it end before the next. */
  readonly atMs: number;
}

const calls = (backends: number): fc.Arbitrary<DrawnCall[]> =>
  fc.array(
    fc.record({
      backend: fc.integer({ min: 0, max: backends - 1 }),
      round: fc.integer({ min: 0, max: 1 }),
      burst: fc.integer({ min: 1, max: 12 }),
      atMs: fc.integer({ min: 0, max: 50_000 }),
    }),
    { minLength: 1, maxLength: 60 },
  );

interface Window {
  readonly limit: number;
  passed: number;
  refused: number;
}

/** What came of calls to several backends, whose clocks differ, over a store that takes some milliseconds. */
async function carriedOut(
  drawn: readonly DrawnCall[],
  limit: number,
  offsetsMs: readonly number[],
  delaysMs: readonly number[],
): Promise<readonly Window[]> {
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new ProcessScope('backends'));
  let asked = 0;
  let known: QuotaWindow | undefined;
  const store: QuotaStore = {
    async take(_clientId, wish) {
      const delayMs = delaysMs[asked % delaysMs.length] ?? 0;
      asked += 1;
      await sleep(time, delayMs);
      const { window, allotment } = allot(known, wish, time.nowMs());
      known = window;
      await sleep(time, delayMs);
      return allotment;
    },
  };
  const backends = offsetsMs.map((offsetMs) =>
    makeSharedQuota({ nowMs: () => time.nowMs() + offsetMs }, store, limit),
  );
  const windows = new Map<number, Window>();
  const startMs = loop.nowMs;
  for (const { backend, round, burst, atMs } of drawn) {
    time.alarm(startMs + round * ROUND_MS + atMs, () => {
      for (let count = 0; count < burst; count += 1) {
        void Promise.resolve(backends[backend]?.(CLIENT)).then((result) => {
          const window = windows.get(round) ?? { limit, passed: 0, refused: 0 };
          windows.set(round, window);
          if (result?.refusal === undefined) window.passed += 1;
          else window.refused += 1;
        });
      }
    });
  }
  await loop.runUntil(startMs + 2 * ROUND_MS);
  return [...windows.values()];
}

describe('a quota that backends share', () => {
  test('lets no more through than the limit, and refuses nothing before nine tenths of it are used', async () => {
    const backends = fc.integer({ min: 1, max: 6 });
    await fc.assert(
      fc.asyncProperty(
        backends.chain((count) =>
          fc.record({
            drawn: calls(count),
            limit: fc.integer({ min: 1, max: 150 }),
            offsetsMs: fc.array(fc.integer({ min: -90_000, max: 90_000 }), {
              minLength: count,
              maxLength: count,
            }),
            delaysMs: fc.array(fc.integer({ min: 0, max: 10 }), { minLength: 1, maxLength: 7 }),
          }),
        ),
        async ({ drawn, limit, offsetsMs, delaysMs }) => {
          const wanted = [0, 1].map((round) =>
            drawn.filter((call) => call.round === round).reduce((sum, { burst }) => sum + burst, 0),
          );
          const windows = await carriedOut(drawn, limit, offsetsMs, delaysMs);
          expect(windows.reduce((sum, { passed, refused }) => sum + passed + refused, 0)).toBe(
            (wanted[0] ?? 0) + (wanted[1] ?? 0),
          );
          for (const { passed, refused } of windows) {
            expect(passed).toBeLessThanOrEqual(limit);
            if (refused > 0) expect(passed).toBeGreaterThanOrEqual(0.9 * limit);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  test('asks the store rarely where one backend has all the calls', async () => {
    const loop = new VirtualLoop();
    const time = virtualTime(loop, new ProcessScope('backend'));
    let known: QuotaWindow | undefined;
    let asked = 0;
    const quota = makeSharedQuota(time, {
      take(_clientId, wish) {
        asked += 1;
        const { window, allotment } = allot(known, wish, time.nowMs());
        known = window;
        return Promise.resolve(allotment);
      },
    });
    const results = [];
    for (let count = 0; count < 700; count += 1) results.push(await quota(CLIENT));
    expect(results.filter(({ refusal }) => refusal === undefined)).toHaveLength(600);
    expect(results.map(({ headers }) => headers['X-Rate-Limit-Remaining'])).toEqual([
      ...Array.from({ length: 600 }, (_, index) => String(599 - index)),
      ...Array.from({ length: 100 }, () => '0'),
    ]);
    // A twentieth of the limit at a time.
    expect(asked).toBe(20);
  });
});

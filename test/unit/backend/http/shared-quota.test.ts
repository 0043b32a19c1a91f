import { describe, expect, test } from 'vitest';
import type { QuotaResult } from '../../../../backend/http/quota.ts';
import { makeSharedQuota } from '../../../../backend/http/shared-quota.ts';
import { StoreFailed } from '../../../../backend/store/port/store.ts';
import { openSqliteStore } from '../../../../backend/store/sqlite/store.ts';

const LIMIT = 100;
const START_MS = 1_767_592_800_000;

function openQuota() {
  let nowMs = START_MS;
  const store = openSqliteStore(':memory:', { nowMs: () => nowMs });
  const fault = { isFailing: false, asked: 0 };
  const quota = makeSharedQuota(
    { nowMs: () => nowMs },
    {
      take(clientId, wish) {
        fault.asked += 1;
        return fault.isFailing ? Promise.reject(new StoreFailed('gone')) : store.quotas.take(clientId, wish);
      },
    },
    LIMIT,
  );
  const call = async (count: number): Promise<readonly QuotaResult[]> => {
    const results: QuotaResult[] = [];
    for (let made = 0; made < count; made += 1) results.push(await quota('one'));
    return results;
  };
  const pass = (durationMs: number): void => {
    nowMs += durationMs;
  };
  return { quota, call, pass, fault };
}

const passedOf = (results: readonly QuotaResult[]): number =>
  results.filter(({ refusal }) => refusal === undefined).length;

describe('a shared quota of a client', () => {
  test('is used up, and refuses until its window ends, without asking the store again', async () => {
    const { call, pass, fault } = openQuota();
    expect(passedOf(await call(LIMIT + 20))).toBe(LIMIT);
    const { asked } = fault;
    pass(20_500);
    const [refused] = await call(1);
    expect(refused).toMatchObject({
      headers: {
        'X-Rate-Limit-Limit': '100',
        'X-Rate-Limit-Remaining': '0',
        'X-Rate-Limit-Reset': String((START_MS + 60_000) / 1_000),
      },
      refusal: { refusal: { problem: 'too-many-requests' }, headers: { 'Retry-After': '40' } },
    });
    expect(fault.asked).toBe(asked);
    pass(39_500);
    expect(passedOf(await call(1))).toBe(1);
  });

  test('lets through what was taken while the store fails, and then what a backend alone would', async () => {
    const { call, pass, fault } = openQuota();
    await call(1);
    fault.isFailing = true;
    // Four were left of the block.
    expect(passedOf(await call(LIMIT + 10))).toBe(4 + LIMIT);
    fault.isFailing = false;
    expect(passedOf(await call(LIMIT))).toBe(LIMIT - 5);
    pass(60_000);
    expect(passedOf(await call(LIMIT + 1))).toBe(LIMIT);
  });

  test('asks once for all calls that come together', async () => {
    const { quota, fault } = openQuota();
    const together = await Promise.all(Array.from({ length: 5 }, () => quota('one')));
    expect([passedOf(together), fault.asked]).toEqual([5, 1]);
  });

  test('fails where the store does not keep its word', async () => {
    const quota = makeSharedQuota(
      { nowMs: () => START_MS },
      { take: () => Promise.reject(new TypeError('no such call')) },
    );
    await expect(Promise.resolve(quota('one'))).rejects.toThrow(TypeError);
  });
});

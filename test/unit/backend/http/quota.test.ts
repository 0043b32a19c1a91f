import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeCallWindow } from '../../../../backend/base/call-window.ts';
import { jsonObjectOf, openTestService, type TestService } from '../../../support/http/test-service.ts';

const numbersOf = (answer: Response) =>
  ['Limit', 'Remaining', 'Reset'].map((name) =>
    Number(answer.headers.get(`X-Rate-Limit-${name}`) ?? Number.NaN),
  );

async function useUp(stage: TestService, token: string, calls: number): Promise<void> {
  for (let n = 0; n < calls; n += 1) await stage.ask('GET', '/vehicles', { token });
}

describe('the quota of a client', () => {
  test('is given in every answer, successful or refused, and counts each call with a valid token', async () => {
    const stage = await openTestService({ requestsPerMinute: 10 });
    const token = await stage.token(['vehicles.ro']);
    const resetS = Math.ceil(stage.loop.nowMs / 1000) + 60;
    const seen = [];
    for (const [method, path] of [
      ['GET', '/vehicles'],
      ['GET', '/vehicles?limit=none'],
      ['GET', '/vehicles/NOBODY'],
      ['DELETE', '/vehicles/NOBODY'],
    ] as const) {
      const answer = await stage.ask(method, path, { token });
      seen.push([answer.status, ...numbersOf(answer)]);
    }
    expect(seen).toEqual([
      [200, 10, 9, resetS],
      [400, 10, 8, resetS],
      [404, 10, 7, resetS],
      [403, 10, 6, resetS],
    ]);
    const nobody = await stage.ask('GET', '/vehicles');
    expect(nobody.headers.has('X-Rate-Limit-Limit')).toBe(false);
  });

  test('used up is a 429 with the seconds to wait, until the window ends', async () => {
    const stage = await openTestService({ requestsPerMinute: 3 });
    const token = await stage.token();
    await useUp(stage, token, 3);
    await stage.loop.runUntil(stage.loop.nowMs + 20_500);
    const answer = await stage.ask('GET', '/vehicles', { token });
    expect(answer.status).toBe(429);
    expect(answer.headers.get('retry-after')).toBe('40');
    expect(numbersOf(answer).slice(0, 2)).toEqual([3, 0]);
    expect(await jsonObjectOf(answer)).toMatchObject({
      type: '/problems/too-many-requests',
      title: 'Too many requests.',
    });
    await stage.loop.runUntil(stage.loop.nowMs + 39_500);
    expect((await stage.ask('GET', '/vehicles', { token })).status).toBe(200);
  });

  test('is separate for each client, over all its tokens', async () => {
    const stage = await openTestService({ requestsPerMinute: 2 });
    const one = await stage.token();
    const other = await stage.token();
    await useUp(stage, one, 2);
    expect((await stage.ask('GET', '/vehicles', { token: one })).status).toBe(429);
    expect((await stage.ask('GET', '/vehicles', { token: other })).status).toBe(200);
  });

  test('comes after 401 and 403 and before 400 and 404', async () => {
    const stage = await openTestService({ requestsPerMinute: 1 });
    const token = await stage.token(['vehicles.ro']);
    await useUp(stage, token, 1);
    const ask = async (method: string, path: string, from: string | undefined) =>
      (await stage.ask(method, path, { token: from })).status;
    expect(await ask('GET', '/vehicles', 'a.b.c')).toBe(401);
    expect(await ask('DELETE', '/vehicles/NOBODY', token)).toBe(403);
    expect(await ask('GET', '/vehicles?limit=none', token)).toBe(429);
    expect(await ask('GET', '/vehicles/NOBODY', token)).toBe(429);
  });
});

describe('the token endpoint', () => {
  test('has its own limit, for each client and address', async () => {
    const stage = await openTestService();
    const ask = (client: string) =>
      stage.ask('POST', '/auth/oauth/token?grant_type=nothing', {
        headers: { authorization: `Basic ${btoa(`${client}:secret`)}`, 'x-forwarded-for': client },
      });
    let last = await ask('one');
    // A grant type that is wrong is refused before a client is read, so all of these are one client's.
    for (let n = 1; n < 301 && last.status !== 429; n += 1) last = await ask('one');
    expect(last.status).toBe(429);
    expect(last.headers.get('retry-after')).toBe('60');
    await stage.loop.runUntil(stage.loop.nowMs + 60_000);
    expect((await ask('one')).status).toBe(400);
  });
});

describe('a window of calls', () => {
  test('allows no key more calls than its limit in any window, and forgets keys over its capacity', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      waitMs: fc.integer({ min: 0, max: 40 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        let nowMs = 1;
        const window = makeCallWindow({ limit: 3, windowMs: 100, keys: 4 }, { nowMs: () => nowMs });
        const opened = new Map<string, { resetMs: number; passed: number }>();
        for (const { key, waitMs } of steps) {
          nowMs += waitMs;
          const counted = window.count(key);
          expect(counted.resetMs).toBeGreaterThan(nowMs);
          expect(counted.resetMs).toBeLessThanOrEqual(nowMs + 100);
          const known = opened.get(key);
          const own = known?.resetMs === counted.resetMs ? known : { resetMs: counted.resetMs, passed: 0 };
          opened.set(key, own);
          if (!counted.isOver) own.passed += 1;
          expect(own.passed).toBeLessThanOrEqual(3);
          expect(counted.remaining).toBe(3 - own.passed);
          expect(counted.isOver).toBe(counted.isOver && own.passed === 3);
        }
      }),
    );
  });

  test('forgets the key whose window began first', () => {
    const window = makeCallWindow({ limit: 1, windowMs: 100, keys: 2 }, { nowMs: () => 1 });
    window.count('a');
    window.count('b');
    expect(window.count('a').isOver).toBe(true);
    window.count('c');
    expect(window.count('b').isOver).toBe(true);
    expect(window.count('a').isOver).toBe(false);
  });
});

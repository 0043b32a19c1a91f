import { describe, expect, test } from 'vitest';
import { OWN_HEADER, observeApi } from '../../../../certify/client/api-observer.ts';
import { EventLog } from '../../../../certify/client/event-log.ts';

const URL_OF_API = 'http://127.0.0.1:1';

function observed() {
  const log = new EventLog({ nowMs: () => 7 });
  const observer = observeApi(log, 'mark');
  const ask = (path: string, answer: Response, init: RequestInit = {}) =>
    observer.beforeApi(new Request(`${URL_OF_API}${path}`, init), async () => answer);
  return { log, observer, ask };
}

describe('the observer of the API', () => {
  test('knows which token a request has, and passes the answer on as it is', async () => {
    const { log, ask } = observed();
    const body = { access_token: 'abc', token_type: 'bearer', expires_in: 20 };
    const path = '/auth/oauth/token?grant_type=client_credentials';
    const granted = await ask(path, Response.json(body), { method: 'POST' });
    expect(await granted.json()).toEqual(body);
    const headers = { authorization: 'Bearer abc' };
    await ask('/vehicles?limit=1', Response.json({ items: [] }), { headers });
    await ask('/vehicles', Response.json({}), { headers: { authorization: 'Bearer other' } });
    expect(log.events.map(({ atMs: _, ...event }) => event)).toEqual([
      { kind: 'request', id: 1, method: 'POST', path: '/auth/oauth/token' },
      { kind: 'answer', id: 1, status: 200, issued: { token: 1, lifeS: 20 } },
      { kind: 'request', id: 2, method: 'GET', path: '/vehicles', token: 1 },
      { kind: 'answer', id: 2, status: 200 },
      { kind: 'request', id: 3, method: 'GET', path: '/vehicles', token: 0 },
      { kind: 'answer', id: 3, status: 200 },
    ]);
  });

  test('notes the problem of a refusal, and what the quota says', async () => {
    const { log, observer, ask } = observed();
    const problem = { type: '/problems/too-many-requests', detail: 'Try again in 5 s.' };
    const headers = { 'retry-after': '5', 'x-rate-limit-reset': '100' };
    const answer = await ask('/vehicles/A', Response.json(problem, { status: 429, headers }));
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(await answer.json()).toEqual(problem);
    expect(log.events[1]).toMatchObject({
      status: 429,
      problem: 'too-many-requests',
      detail: 'Try again in 5 s.',
      retryAfterS: 5,
    });
    expect(observer.quotaResetMs()).toBe(100_000);
  });

  test('does not look at pages, nor at what the run asks for itself', async () => {
    const { log, ask } = observed();
    await ask('/docs', new Response('page'));
    await ask('/vehicles', new Response('{}'), { headers: { [OWN_HEADER]: 'mark' } });
    expect(log.events).toEqual([]);
    await ask('/vehicles', new Response('{}'), { headers: { [OWN_HEADER]: 'guessed' } });
    expect(log.events).toHaveLength(2);
  });

  test('notes that a client has hung up, and nothing once it was answered', async () => {
    const { log, observer } = observed();
    const leaving = new AbortController();
    const request = new Request(`${URL_OF_API}/vehicles`, { signal: leaving.signal });
    const { promise, resolve } = Promise.withResolvers<Response>();
    const answering = observer.beforeApi(request, () => promise);
    leaving.abort();
    resolve(new Response(null, { status: 204 }));
    await answering;
    expect(log.events.map(({ kind }) => kind)).toEqual(['request', 'abandoned', 'answer']);
  });
});

import { describe, expect, test } from 'vitest';
import { onboardByApi } from '../../../../deployment/fleet/api-onboarding.ts';
import { planFleet } from '../../../../simulator/fleet/fleet-plan.ts';
import { VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { realRandom } from '../../../../world/random/real-random.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';

const boxes = planFleet(realRandom(1), 5);

type Answer = (request: Request, body: unknown) => Response | undefined;

/** A service that knows vehicles for some boxes; `answer` may answer a request in its place. */
function setup(known: readonly string[], answer: Answer = () => undefined) {
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new ProcessScope('fleet'));
  const vehicles = new Map(known.map((boxId, index) => [boxId, `OLD${index}`]));
  const asked: string[] = [];
  const progress: number[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    const body = request.method === 'POST' && url.pathname === '/vehicles' ? await request.json() : undefined;
    asked.push(`${request.method} ${url.pathname}`);
    const other = answer(request, body);
    if (other !== undefined) return other;
    if (url.pathname === '/auth/oauth/token') return Response.json({ access_token: 'token' });
    if (request.method === 'GET') {
      const all = [...vehicles].map(([boxId, id]) => ({ id, telematics_unit: { id: boxId } }));
      const from = Number(url.searchParams.get('page_token') ?? 0);
      const more = from + 2 < all.length ? { next_page_token: String(from + 2) } : {};
      return Response.json({ items: all.slice(from, from + 2), ...more });
    }
    const id = `NEW${vehicles.size}`;
    vehicles.set((body as { telematics_unit: { id: string } }).telematics_unit.id, id);
    return Response.json({ id }, { status: 201 });
  };
  const onboarding = onboardByApi({
    api: { url: 'http://service.test', clientId: 'id', clientSecret: 'secret' },
    boxes,
    time,
    fetch,
    progress: (done) => progress.push(done),
  });
  onboarding.catch(() => undefined);
  return { loop, onboarding, asked, progress, vehicles };
}

describe('onboarding over the API', () => {
  test('leaves vehicles that are there, on whichever page, and makes the others', async () => {
    const known = boxes.slice(0, 3).map(({ boxId }) => boxId);
    const { loop, onboarding, asked, progress, vehicles } = setup(known);
    await loop.runUntil(loop.nowMs + 1_000);
    expect(await onboarding).toEqual(vehicles);
    expect(asked.filter((one) => one === 'POST /vehicles').length).toBe(2);
    expect(asked.filter((one) => one === 'GET /vehicles').length).toBe(2);
    expect(progress).toEqual([4, 5]);
  });

  test('waits as long as the service says where there were too many requests', async () => {
    let refused = 0;
    const { loop, onboarding } = setup([], ({ method, url }) => {
      if (method !== 'POST' || !url.endsWith('/vehicles') || refused > 0) return undefined;
      refused += 1;
      return new Response(null, { status: 429, headers: { 'retry-after': '40' } });
    });
    const beganMs = loop.nowMs;
    let endedMs = 0;
    void onboarding.then(() => {
      endedMs = loop.nowMs;
    });
    await loop.runUntil(beganMs + 120_000);
    expect(endedMs - beganMs).toBe(40_000);
  });

  test('asks for a new token once where the service takes the old one no more', async () => {
    let refused = 0;
    const { loop, onboarding, asked } = setup([], ({ method, url }) => {
      if (method !== 'POST' || !url.endsWith('/vehicles') || refused > 0) return undefined;
      refused += 1;
      return new Response(null, { status: 401 });
    });
    await loop.runUntil(loop.nowMs + 1_000);
    expect((await onboarding).size).toBe(5);
    expect(asked.filter((one) => one === 'POST /auth/oauth/token').length).toBe(2);
  });

  test('continues with a new token after the old one has expired during a wait', async () => {
    const refusals = [429, 401, 429, 429, 401];
    const { loop, onboarding, asked } = setup([], ({ method, url }) => {
      if (method !== 'POST' || !url.endsWith('/vehicles')) return undefined;
      const status = refusals.shift();
      if (status === undefined) return undefined;
      return new Response(null, { status, headers: status === 429 ? { 'retry-after': '60' } : {} });
    });
    await loop.runUntil(loop.nowMs + 600_000);
    expect((await onboarding).size).toBe(5);
    expect(asked.filter((one) => one === 'POST /auth/oauth/token').length).toBe(3);
  });

  test('waits where there are too many requests for tokens', async () => {
    let refused = 0;
    const { loop, onboarding } = setup([], ({ url }) => {
      if (!url.includes('/auth/oauth/token') || refused > 1) return undefined;
      refused += 1;
      return new Response(null, { status: 429, headers: { 'retry-after': '60' } });
    });
    await loop.runUntil(loop.nowMs + 600_000);
    expect((await onboarding).size).toBe(5);
    expect(refused).toBe(2);
  });

  test('ends where a new token is refused as well', async () => {
    const { loop, onboarding, asked } = setup([], ({ method, url }) =>
      method === 'POST' && url.endsWith('/vehicles') ? new Response(null, { status: 401 }) : undefined,
    );
    await loop.runUntil(loop.nowMs + 1_000);
    await expect(onboarding).rejects.toThrow(/refused POST \/vehicles with 401/);
    expect(asked.filter((one) => one === 'POST /auth/oauth/token').length).toBe(2);
  });

  test('ends with the answer of a service that refuses, and with what to look at', async () => {
    const { loop, onboarding } = setup([], ({ method, url }) =>
      method === 'POST' && url.endsWith('/vehicles')
        ? Response.json({ detail: 'There is no telematics unit "x" in the stock.' }, { status: 404 })
        : undefined,
    );
    await loop.runUntil(loop.nowMs + 1_000);
    await expect(onboarding).rejects.toThrow(
      /The API \(--url\) refused POST \/vehicles with 404: .*no telematics unit.*--stock/,
    );
  });
});

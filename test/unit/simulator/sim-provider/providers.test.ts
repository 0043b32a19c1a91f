import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SIM_PROVIDER_NAMES, type SimProviderName } from '../../../../simulator/box-plan.ts';
import { simProviderRoutes } from '../../../../simulator/control/sim-provider-routes.ts';
import { providerLimits } from '../../../../simulator/limits.ts';
import { SIM_PROVIDER_MODES } from '../../../../simulator/sim-provider/provider.ts';
import { simProviders } from '../../../../simulator/sim-provider/providers.ts';
import { VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';
import { fakeFleet } from '../../../support/simulator/fake-fleet.ts';

const KEYS = { meridian: 'key-m', harbour: 'key-h', tundra: 'key-t' };

/** How each provider is signed in to. */
const SIGNED_IN: Readonly<Record<SimProviderName, Readonly<Record<string, string>>>> = {
  meridian: { authorization: 'ApiKey key-m' },
  harbour: { 'x-harbour-key': 'key-h' },
  tundra: { authorization: `Basic ${btoa('key-t:')}` },
};

function stage() {
  const loop = new VirtualLoop();
  const fleet = fakeFleet(6);
  const time = virtualTime(loop, new ProcessScope('stage'));
  const providers = simProviders({ time, fleet: () => fleet, apiKeys: KEYS });
  const face = simProviderRoutes(providers);
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = SIGNED_IN[path.split('/')[1] as SimProviderName] ?? {},
  ) => {
    const asked = face.request(path, {
      method,
      headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const response = await loop.runWhile(Promise.resolve(asked), { withinMs: 120_000 });
    const text = await response.text();
    const said: unknown = text === '' ? undefined : JSON.parse(text);
    return { status: response.status, headers: response.headers, said };
  };
  const cardOf = (name: SimProviderName) => {
    const box = [...fleet.boxes.values()].find((one) => one.plan.sim.provider === name);
    if (box === undefined) throw new Error(`nobody has a card of ${name}`);
    return { box, iccid: box.plan.sim.iccid };
  };
  return { loop, ask, cardOf };
}

describe('the simulated SIM providers', () => {
  test('meridian suspends, activates and detaches its own cards', async () => {
    const { ask, cardOf } = stage();
    const { box, iccid } = cardOf('meridian');
    const path = `/meridian/v2/sims/${iccid}`;
    expect(await ask('PATCH', path, { status: 'SUSPENDED' })).toMatchObject({ status: 200 });
    expect((await ask('GET', path)).said).toEqual({ iccid, status: 'SUSPENDED' });
    expect(await ask('PATCH', path, { status: 'ACTIVE' })).toMatchObject({ status: 200 });
    expect(await ask('POST', `${path}/detachments`)).toMatchObject({ status: 202 });
    expect(box.calls).toEqual(['sim suspended', 'sim active', 'sim detached']);
  });

  test('harbour gives the outcome of a call in the body, and cannot detach', async () => {
    const { ask, cardOf } = stage();
    const { box, iccid } = cardOf('harbour');
    const call = (operation: string, card = iccid) => ask('POST', '/harbour/rpc', { operation, card });
    expect((await call('card.suspend')).said).toEqual({ ok: true, card: iccid, state: 'suspended' });
    expect((await call('card.read')).said).toEqual({ ok: true, card: iccid, state: 'suspended' });
    expect((await call('card.activate')).said).toMatchObject({ ok: true });
    expect(await call('card.detach')).toMatchObject({ status: 200, said: { ok: false } });
    expect((await call('card.suspend', '8988299000')).said).toMatchObject({
      ok: false,
      fault: { number: 1404 },
    });
    expect(box.calls).toEqual(['sim suspended', 'sim active']);
  });

  test('tundra can only detach', async () => {
    const { ask, cardOf } = stage();
    const { box, iccid } = cardOf('tundra');
    expect(await ask('DELETE', `/tundra/subscribers/${iccid}/location`)).toMatchObject({ status: 204 });
    expect((await ask('GET', `/tundra/subscribers/${iccid}`)).said).toEqual({
      data: { id: iccid, attributes: { state: 'detached' } },
    });
    expect(await ask('PATCH', `/tundra/subscribers/${iccid}`, {})).toMatchObject({ status: 404 });
    expect(box.calls).toEqual(['sim detached']);
  });

  test('none accepts a card of another', async () => {
    const { ask, cardOf } = stage();
    const { iccid } = cardOf('tundra');
    expect(await ask('GET', `/meridian/v2/sims/${iccid}`)).toMatchObject({
      status: 404,
      said: { error: { code: 'UNKNOWN_CARD' } },
    });
  });

  test('without its key none does anything, and each refuses in its own format', async () => {
    const { ask, cardOf } = stage();
    const { box, iccid } = cardOf('meridian');
    const wrong = { authorization: 'ApiKey another' };
    expect(await ask('PATCH', `/meridian/v2/sims/${iccid}`, { status: 'SUSPENDED' }, wrong)).toMatchObject({
      status: 401,
      said: { error: { code: 'UNAUTHORIZED' } },
    });
    expect(await ask('POST', '/harbour/rpc', {}, {})).toMatchObject({
      status: 200,
      said: { ok: false, fault: { number: 1401 } },
    });
    expect(await ask('GET', `/tundra/subscribers/${cardOf('tundra').iccid}`, undefined, {})).toMatchObject({
      status: 401,
      said: { errors: [{ status: '401' }] },
    });
    expect(box.calls).toEqual([]);
  });

  test('no card changes because of a body with an invalid format', async () => {
    const { ask, cardOf } = stage();
    const { box, iccid } = cardOf('meridian');
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (body) => {
        const answer = await ask('PATCH', `/meridian/v2/sims/${iccid}`, body);
        expect(answer.status).toBe(400);
        const call = await ask('POST', '/harbour/rpc', body);
        expect(call.said).toMatchObject({ ok: false });
      }),
      { numRuns: 50 },
    );
    expect(box.calls).toEqual([]);
  });

  test('misbehave on demand: with a delay, an error, a limit, or no answer within a minute', async () => {
    const { ask, cardOf, loop } = stage();
    const { box, iccid } = cardOf('meridian');
    const answer = () => ask('PATCH', `/meridian/v2/sims/${iccid}`, { status: 'SUSPENDED' });
    const behave = (mode: string) => ask('PUT', '/meridian/behaviour', { mode }, {});
    expect(await behave('error')).toMatchObject({ status: 200, said: { name: 'meridian', mode: 'error' } });
    expect(await answer()).toMatchObject({ status: 503, said: { error: { code: 'UNAVAILABLE' } } });
    await behave('rate-limited');
    const limited = await answer();
    expect(limited.status).toBe(429);
    expect(limited.headers.get('retry-after')).toBe(String(providerLimits.retryAfterS));
    await behave('silent');
    const silentFrom = loop.nowMs;
    expect((await answer()).status).toBe(503);
    expect(loop.nowMs - silentFrom).toBe(providerLimits.silentMs);
    expect(box.calls).toEqual([]);
    await behave('slow');
    const slowFrom = loop.nowMs;
    expect((await answer()).status).toBe(200);
    expect(loop.nowMs - slowFrom).toBe(providerLimits.slowMs);
    expect(box.calls).toEqual(['sim suspended']);
  });

  test('their control actions are listed, and unknown ones are refused', async () => {
    const { ask } = stage();
    expect((await ask('GET', '/')).said).toEqual({
      items: SIM_PROVIDER_NAMES.map((name) => ({ name, mode: 'works' })),
    });
    expect(await ask('PUT', '/nobody/behaviour', { mode: 'error' }, {})).toMatchObject({ status: 404 });
    expect(await ask('PUT', '/tundra/behaviour', { mode: 'moody' }, {})).toMatchObject({ status: 400 });
    expect(await ask('POST', '/tundra/behaviour', { mode: 'error' }, {})).toMatchObject({ status: 405 });
    expect(await ask('DELETE', '/', undefined, {})).toMatchObject({ status: 405 });
    for (const mode of SIM_PROVIDER_MODES)
      expect(await ask('PUT', '/tundra/behaviour', { mode }, {})).toMatchObject({ status: 200 });
  });
});

import { describe, expect, test } from 'vitest';
import type { BoxChange } from '../../../../../backend/store/port/ingest-store.ts';
import type { NewVehicle } from '../../../../../backend/store/port/vehicle-store.ts';
import { CONNECTIVITY_COMMANDS } from '../../../../../contract/sim-providers.ts';
import type { SimProviderName } from '../../../../../simulator/box-plan.ts';
import type { SimState } from '../../../../../simulator/firmware/core/box-hardware.ts';
import type { Fleet } from '../../../../../simulator/fleet/fleet.ts';
import { type SimProviders, simProviders } from '../../../../../simulator/sim-provider/providers.ts';
import { type Http, HttpUnreachable } from '../../../../../world/http/http.ts';
import { ProcessScope } from '../../../../../world/loop/virtual-process-scope.ts';
import { sleep, type Time } from '../../../../../world/time/time.ts';
import { virtualTime } from '../../../../../world/time/virtual-time.ts';
import { CONNECTED_BOX, jsonObjectOf, openTestService } from '../../../../support/http/test-service.ts';
import { type FakeBox, fakeFleet } from '../../../../support/simulator/fake-fleet.ts';
import { linkMakerVehicle } from '../../../../support/store/store-rows.ts';

/**
 * The simulated providers as an external HTTP service at `http://sims.test`, with a fleet whose boxes are fakes.
 */
function startSimProviders(time: Time): {
  readonly providers: SimProviders;
  readonly call: Http['call'];
  cardOf(provider: string): { readonly provider: string; readonly iccid: string };
  stateOf(provider: string): SimState;
} {
  const fleet = fakeFleet(6);
  const apiKeys: Record<SimProviderName, string> = {
    meridian: 'key-meridian',
    harbour: 'key-harbour',
    tundra: 'key-tundra',
  };
  const known: Pick<Fleet, 'boxes'> = fleet;
  const providers = simProviders({ time, fleet: () => known, apiKeys });
  const boxOf = (provider: string): FakeBox => {
    const box = [...fleet.boxes.values()].find((one) => one.plan.sim.provider === provider);
    if (box === undefined) throw new Error(`nobody has a card of ${provider}`);
    return box;
  };
  return {
    providers,
    cardOf: (provider) => boxOf(provider).plan.sim,
    stateOf: (provider) => boxOf(provider).sim(),
    async call({ method, url, headers, body, timeoutMs, maxBodyBytes }) {
      const asked = providers.app.request(url.replace('http://sims.test', ''), {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      const response = await Promise.race([asked, sleep(time, timeoutMs)]);
      if (!(response instanceof Response)) throw new HttpUnreachable(`${method} ${url}: no answer in time`);
      const text = await response.text();
      if (text.length > maxBodyBytes) throw new HttpUnreachable(`${method} ${url}: the body is too long`);
      return { status: response.status, headers: Object.fromEntries(response.headers), body: text };
    },
  };
}

const OFFLINE = { ...CONNECTED_BOX, connection: { counter: 1, open: false } };

async function stageWith(
  provider: string | undefined,
  change: { vehicle?: Partial<NewVehicle>; box?: Omit<BoxChange, 'boxId' | 'version'> } = {},
) {
  const stage = await openTestService();
  const sims = startSimProviders(virtualTime(stage.loop, new ProcessScope('sims')));
  stage.http = sims.call;
  await stage.addVehicle(
    { ...(provider === undefined ? {} : { sim: sims.cardOf(provider) }), ...change.vehicle },
    change.box ?? CONNECTED_BOX,
  );
  const tokens = new Map<string, string>();
  const ask = async (command: string, fleetId = 'FLEET1') => {
    const token = tokens.get(fleetId) ?? (await stage.token(['connectivity-commands'], fleetId));
    tokens.set(fleetId, token);
    return stage.ask('POST', `/vehicles/VEH01/box-connectivity-commands/${command}`, { token });
  };
  const share = (partner: string) =>
    stage.store.vehicles.change('VEH01', { sharedWith: partner }, undefined, 1);
  return { ...stage, stage, sims, ask, share };
}

describe('connectivity commands', () => {
  test('act on the card at its provider, without a body, also while the box is offline', async () => {
    const { ask, sims, complaints } = await stageWith('meridian', { box: OFFLINE });
    const answer = await ask('request-sim-suspension');
    expect(answer.status, JSON.stringify(complaints)).toBe(204);
    expect(await answer.text()).toBe('');
    expect(sims.stateOf('meridian')).toBe('suspended');
    expect((await ask('request-sim-activation')).status).toBe(204);
    expect(sims.stateOf('meridian')).toBe('active');
    expect((await ask('network-detach')).status).toBe(204);
    expect(sims.stateOf('meridian')).toBe('detached');
  });

  test('make a vehicle offline when its card is suspended, and no longer offline once it is active', async () => {
    const { ask, stage, loop } = await stageWith('meridian');
    const startMs = loop.nowMs;
    const told = {
      ...CONNECTED_BOX,
      life: { value: 'ONLINE', sinceMs: startMs },
      lastContactMs: startMs,
    } as const;
    await stage.tell('00000000000000a1', told);
    const life = async () => {
      const vehicle = await stage.ask('GET', '/vehicles/VEH01', { token: await stage.token() });
      return (await jsonObjectOf(vehicle))['life_status'];
    };
    await loop.runUntil(startMs + 60_000);
    expect((await ask('request-sim-suspension')).status).toBe(204);
    await loop.runUntil(startMs + 3 * 60_000);
    // Suspended once more it is so since the first time.
    expect((await ask('request-sim-suspension')).status).toBe(204);
    expect(await life()).toEqual({ value: 'OFFLINE', modified_at: '2026-01-05T06:01:00Z' });
    await stage.tell('00000000000000a1', { connection: { counter: 1, open: false } });
    await loop.runUntil(startMs + 5 * 60_000);
    expect((await ask('request-sim-activation')).status).toBe(204);
    await loop.runUntil(startMs + 6 * 60_000);
    expect(await life()).toEqual({ value: 'STANDBY', modified_at: '2026-01-05T06:05:00Z' });
  });

  test('can be repeated: an active card is activated, a suspended one suspended', async () => {
    const { ask, sims } = await stageWith('harbour');
    expect((await ask('request-sim-activation')).status).toBe(204);
    expect((await ask('request-sim-suspension')).status).toBe(204);
    expect((await ask('request-sim-suspension')).status).toBe(204);
    expect(sims.stateOf('harbour')).toBe('suspended');
  });

  test.each([
    ['harbour', 'network-detach', 'resource-conflict', /SIM provider/],
    ['tundra', 'request-sim-activation', 'vehicle/command-not-supported', /REQUEST_SIM_ACTIVATION/],
    ['tundra', 'request-sim-suspension', 'vehicle/command-not-supported', /REQUEST_SIM_SUSPENSION/],
    [undefined, 'network-detach', 'vehicle/command-not-supported', /NETWORK_DETACH/],
    [undefined, 'request-sim-activation', 'vehicle/command-not-supported', /REQUEST_SIM_ACTIVATION/],
  ])('a card of %s knows no %s: %s', async (provider, command, type, detail) => {
    const { ask } = await stageWith(provider);
    const answer = await ask(command);
    expect(answer.status).toBe(409);
    const body = await jsonObjectOf(answer);
    expect(body['type']).toBe(`/problems/${type}`);
    expect(body['detail']).toMatch(detail);
  });

  test.each(CONNECTIVITY_COMMANDS)(
    '%s is refused by setup status, readiness, and for unknown vehicles',
    async (name) => {
      const running = await stageWith('meridian', { vehicle: { setupStatus: 'RUNNING' } });
      expect(await jsonObjectOf(await running.ask(name))).toMatchObject({
        type: '/problems/vehicle/conflicting-setup-status',
      });
      const starting = await stageWith('meridian', { box: { ...CONNECTED_BOX, notReadyUntilMs: 9e15 } });
      expect(await jsonObjectOf(await starting.ask(name))).toMatchObject({
        type: '/problems/conflicting-resource',
      });
      const foreign = await stageWith('meridian');
      expect((await foreign.ask(name, 'OTHER1')).status).toBe(404);
    },
  );

  test('a partner can detach a shared vehicle from its network, only the owner can suspend and activate its SIM', async () => {
    const { ask, share, sims, stage } = await stageWith('meridian');
    expect((await ask('network-detach', 'FLEET2')).status).toBe(404);
    await share('FLEET2');
    const detail = async (command: string, fleetId: string) => {
      const answer = await ask(command, fleetId);
      if (answer.status === 204) return 'done';
      const body = await jsonObjectOf(answer);
      expect(body['type']).toBe('/problems/vehicle/shared-with-partner');
      return body['detail'];
    };
    expect(await detail('network-detach', 'FLEET1')).toMatch(/Only the partner/);
    expect(await detail('network-detach', 'FLEET2')).toBe('done');
    // The box is back.
    await stage.tell('00000000000000a1', { ...CONNECTED_BOX, connection: { counter: 2, open: true } });
    for (const command of ['request-sim-activation', 'request-sim-suspension']) {
      expect(await detail(command, 'FLEET2')).toMatch(/Only the owner/);
      expect(await detail(command, 'FLEET1')).toBe('done');
    }
    expect(sims.stateOf('meridian')).toBe('suspended');
  });

  test("are not available for a maker's vehicle", async () => {
    const { stage, store } = await stageWith('meridian');
    await linkMakerVehicle(store.vehicles, {
      id: 'MAKER1',
      fleetId: 'FLEET1',
      telematics: { maker: { name: 'some', vehicleId: '1' } },
      model: 'petrol-compact',
      setupStatus: 'SUCCEEDED',
      masterData: {},
      customFields: {},
      tags: [],
      atMs: 1,
    });
    const token = await stage.token(['connectivity-commands']);
    for (const command of CONNECTIVITY_COMMANDS) {
      const answer = await stage.ask('POST', `/vehicles/MAKER1/box-connectivity-commands/${command}`, {
        token,
      });
      expect(await jsonObjectOf(answer)).toMatchObject({ type: '/problems/vehicle/command-not-supported' });
    }
  });

  test.each(['error', 'silent', 'rate-limited'] as const)(
    'a provider with the manner "%s" is a 500 that says who failed, and only the operator reads its words',
    async (mode) => {
      const { ask, sims, complaints } = await stageWith('meridian');
      sims.providers.setMode('meridian', mode);
      const answer = await ask('request-sim-suspension');
      expect(answer.status).toBe(500);
      const body = await jsonObjectOf(answer);
      expect(body).toMatchObject({
        type: '/problems/internal-server-error',
        detail: expect.stringMatching(/SIM provider .* may have been done/),
      });
      expect(JSON.stringify(body)).not.toMatch(/meridian|sims/i);
      expect(sims.stateOf('meridian')).toBe('active');
      const [complaint] = complaints;
      expect(complaint?.level).toBe('error');
      expect(complaint?.fields['flowId']).toBe(body['flow_id']);
      expect(complaint?.fields['error']).toMatch(/SimProviderFailed: SIM provider meridian/);
      expect(JSON.stringify(complaint)).not.toMatch(/key-meridian/);
    },
  );

  test('wait for a slow provider', async () => {
    const { ask, sims } = await stageWith('meridian');
    sims.providers.setMode('meridian', 'slow');
    expect((await ask('request-sim-suspension')).status).toBe(204);
  });

  test('need their own permission, and accept neither body nor parameters', async () => {
    const { stage } = await stageWith('meridian');
    const path = '/vehicles/VEH01/box-connectivity-commands/network-detach';
    const commands = await stage.token(['vehicle-commands']);
    expect(await jsonObjectOf(await stage.ask('POST', path, { token: commands }))).toMatchObject({
      type: '/problems/missing-permissions',
    });
    const token = await stage.token(['connectivity-commands']);
    expect((await stage.ask('POST', `${path}?now=1`, { token })).status).toBe(400);
    const json = { 'content-type': 'application/json' };
    expect((await stage.ask('POST', path, { token, headers: json, body: '{"a":1}' })).status).toBe(400);
    expect((await stage.ask('POST', path, { token, headers: json, body: '' })).status).toBe(204);
    const wrong = await stage.ask('GET', path, { token });
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toBe('POST');
  });
});

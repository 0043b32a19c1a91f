import { describe, expect, test } from 'vitest';
import { type ServiceControlPort, serviceRoutes } from '../../../../simulator/control/service.ts';

function face() {
  const clients = new Map<string, readonly string[]>();
  const state = { storeWorks: true, tokenLifetimeS: 3600 };
  const controls: ServiceControlPort = {
    read: () => ({
      ...state,
      fleetId: 'OWN01',
      partnerFleetId: 'PART1',
      strangerFleetId: 'STRA1',
      permissions: ['vehicles', 'vehicles.ro'],
    }),
    setStoreWorks: (works) => {
      state.storeWorks = works;
    },
    setTokenLifetimeS: (seconds) => {
      state.tokenLifetimeS = seconds;
    },
    makeClient: ({ fleet, permissions, redirectUris, isPublic }) => {
      const wrong = redirectUris.find((uri) => uri.startsWith('http://192.'));
      if (wrong !== undefined) return Promise.resolve({ fault: `${wrong} is no loopback address.` });
      clients.set('c1', permissions);
      const fleetId = fleet === 'own' ? 'OWN01' : 'PART1';
      return Promise.resolve({ clientId: 'c1', clientSecret: isPublic ? '' : 's1', fleetId });
    },
    setPermissions: (id, permissions) => {
      const isKnown = clients.has(id);
      if (isKnown) clients.set(id, permissions);
      return Promise.resolve(isKnown);
    },
    deleteClient: (id) => Promise.resolve(clients.delete(id)),
  };
  const app = serviceRoutes(controls);
  const call = (method: string, path: string, body?: unknown) =>
    app.request(path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return { call, state, clients };
}

describe('the service in the control API', () => {
  test('the store can be made to fail and to work again', async () => {
    const { call, state } = face();
    const answer = await call('PUT', '/store', { works: false });
    expect(await answer.json()).toMatchObject({ store: { works: false } });
    expect(state.storeWorks).toBe(false);
    await call('PUT', '/store', { works: true });
    expect(state.storeWorks).toBe(true);
  });

  test('the lifetime of tokens can be changed', async () => {
    const { call, state } = face();
    expect((await call('PUT', '/token-lifetime', { seconds: 2 })).status).toBe(200);
    expect(state.tokenLifetimeS).toBe(2);
  });

  test('a client can be created for an unrelated fleet', async () => {
    const { call, clients } = face();
    expect((await call('POST', '/clients', { fleet: 'stranger' })).status).toBe(201);
    expect(clients.size).toBe(1);
    expect(await (await call('GET', '/')).json()).toMatchObject({ stranger_fleet_id: 'STRA1' });
  });

  test('a client can be created for the partner, with every permission by default', async () => {
    const { call, clients } = face();
    const answer = await call('POST', '/clients', { fleet: 'partner' });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toEqual({ client_id: 'c1', client_secret: 's1', fleet_id: 'PART1' });
    expect(clients.get('c1')).toEqual(['vehicles', 'vehicles.ro']);
  });

  test('a client without a secret can be created for a page, with the addresses that it signs people in for', async () => {
    const { call } = face();
    const page = { public: true, redirect_uris: ['http://127.0.0.1:3000/'] };
    const answer = await call('POST', '/clients', page);
    expect(await answer.json()).toEqual({ client_id: 'c1', client_secret: null, fleet_id: 'OWN01' });
  });

  test("a client's permissions can be removed, and it can be deleted, once", async () => {
    const { call, clients } = face();
    await call('POST', '/clients', { permissions: ['vehicles'] });
    expect((await call('PUT', '/clients/c1', { permissions: [] })).status).toBe(204);
    expect(clients.get('c1')).toEqual([]);
    expect((await call('DELETE', '/clients/c1')).status).toBe(204);
    expect((await call('DELETE', '/clients/c1')).status).toBe(404);
    expect((await call('PUT', '/clients/c1', { permissions: [] })).status).toBe(404);
  });

  test.each([
    ['PUT', '/store', {}, /works/],
    ['PUT', '/store', { works: 'no' }, /works/],
    ['PUT', '/token-lifetime', { seconds: 0 }, /seconds/],
    ['POST', '/clients', { permissions: ['vehicle'] }, /there is no "vehicle"/],
    ['POST', '/clients', { public: true }, /redirect_uris/],
    ['POST', '/clients', { redirect_uris: ['http://192.0.2.1/'] }, /no loopback address/],
    ['PUT', '/clients/c1', { permissions: ['everything'] }, /there is no "everything"/],
  ])('%s %s with %j is refused with what is wrong', async (method, path, body, detail) => {
    const { call, state } = face();
    const answer = await call(method, path, body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ detail: expect.stringMatching(detail) as unknown });
    expect(state).toEqual({ storeWorks: true, tokenLifetimeS: 3600 });
  });
});

import { describe, expect, test } from 'vitest';
import { rememberClients } from '../../../../backend/access/client-memory.ts';
import { makeGate } from '../../../../backend/access/gate.ts';
import { holdsPermission, PERMISSIONS, SCOPES, scopesOf } from '../../../../backend/access/permissions.ts';
import { BASE_URL, EVERY_PERMISSION, FLEET, objectOf, openStage } from '../http/stage.ts';

describe('a bearer token', () => {
  test('is demanded with a challenge where there is none', async () => {
    const stage = await openStage();
    const answer = await stage.ask('GET', '/vehicles');
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="service"');
    expect(await objectOf(answer)).toMatchObject({ type: '/problems/missing-credentials' });
  });

  test.each(['Bearer', 'Bearer ', 'Bearer a b', 'Basic YTpi', 'Bearer a.b.c', 'nonsense'])(
    '%j is invalid',
    async (authorization) => {
      const stage = await openStage();
      const answer = await stage.ask('GET', '/vehicles', { headers: { authorization } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
      expect(await objectOf(answer)).toMatchObject({ type: '/problems/invalid-credentials' });
    },
  );

  test('is taken under the scheme in any case', async () => {
    const stage = await openStage();
    const token = await stage.token();
    const headers = { authorization: `bEARER ${token}` };
    expect((await stage.ask('GET', '/vehicles', { headers })).status).toBe(200);
  });

  test('ends after an hour', async () => {
    const stage = await openStage();
    const token = await stage.token();
    await stage.loop.runUntil(stage.loop.nowMs + 3_599_000);
    expect((await stage.ask('GET', '/vehicles', { token })).status).toBe(200);
    await stage.loop.runUntil(stage.loop.nowMs + 1_000);
    expect((await stage.ask('GET', '/vehicles', { token })).status).toBe(401);
  });

  test('of another issuer is invalid', async () => {
    const stage = await openStage();
    const nowS = Math.floor(stage.loop.nowMs / 1000);
    await stage.token();
    const claims = {
      sub: 'x',
      aud: BASE_URL,
      iat: nowS,
      exp: nowS + 60,
      jti: 'j',
      client_id: 'x',
      fleet_id: FLEET,
      scope: 'VEHICLES_RO',
    };
    const token = await stage.seal.signToken({ ...claims, iss: `${BASE_URL}.evil` });
    expect((await stage.ask('GET', '/vehicles', { token })).status).toBe(401);
  });

  test('of a deleted client is invalid 5 s later at most', async () => {
    const stage = await openStage();
    const token = await stage.token();
    expect((await stage.ask('GET', '/vehicles', { token })).status).toBe(200);
    const verdict = await stage.seal.verifyToken(token, { issuer: BASE_URL, nowMs: stage.loop.nowMs });
    if (!verdict.ok) throw new Error('the token is not right');
    await stage.store.access.deleteClient(verdict.claims.client_id);
    await stage.loop.runUntil(stage.loop.nowMs + 5_000);
    const answer = await stage.ask('GET', '/vehicles', { token });
    expect(answer.status).toBe(401);
    expect(await objectOf(answer)).toMatchObject({ type: '/problems/invalid-credentials' });
  });

  test('needs the scope first and the permission then', async () => {
    const stage = await openStage();
    await stage.addVehicle();
    const path = '/vehicles/VEH01/box-commands/ble-reset';
    const typeFor = async (permissions: readonly string[]) =>
      (await objectOf(await stage.ask('POST', path, { token: await stage.token(permissions) })))['type'];
    expect(await typeFor(['vehicles', 'vehicle-configuration'])).toBe('/problems/forbidden-resource');
    expect(await typeFor(['connectivity-commands'])).toBe('/problems/missing-permissions');
    expect(await typeFor(['vehicle-commands'])).toBe('/problems/vehicle/no-connection');
  });
});

describe('permissions', () => {
  test.each([
    ['vehicle-commands', ['VEHICLE_COMMANDS']],
    ['connectivity-commands', ['VEHICLE_COMMANDS']],
    ['vehicles', ['VEHICLES', 'VEHICLES_RO']],
    ['vehicles.ro', ['VEHICLES_RO']],
    ['vehicle-configuration', ['VEHICLE_CONFIGURATION', 'VEHICLE_CONFIGURATION_RO']],
    ['vehicle-configuration.ro', ['VEHICLE_CONFIGURATION_RO']],
    ['message-subscriptions', ['MESSAGE_SUBSCRIPTIONS']],
    ['no-such-permission', []],
  ])('%s brings %j', (permission, scopes) => {
    expect(scopesOf([permission])).toEqual(scopes);
  });

  test('together bring every scope once', () => {
    expect(scopesOf(PERMISSIONS.map((row) => row.name))).toEqual(SCOPES);
    expect(new Set(SCOPES).size).toBe(SCOPES.length);
  });

  test('the full one holds the read-only one, not the other way round', () => {
    expect(holdsPermission(['vehicles'], 'vehicles.ro')).toBe(true);
    expect(holdsPermission(['vehicles.ro'], 'vehicles')).toBe(false);
    expect(holdsPermission(['connectivity-commands'], 'vehicle-commands')).toBe(false);
    expect(holdsPermission([], 'vehicles.ro')).toBe(false);
  });
});

describe('the memory of clients', () => {
  test('asks the store once in 5 s for a client that exists, and each time for one that does not', async () => {
    let nowMs = 1_000_000;
    const asked: string[] = [];
    const client = { id: 'a', fleetId: FLEET, secretHash: '', permissions: EVERY_PERMISSION, createdMs: 0 };
    const store = {
      findClient: (id: string) => {
        asked.push(id);
        return Promise.resolve(id === 'a' ? client : undefined);
      },
    };
    const find = rememberClients(store, { nowMs: () => nowMs });
    await find('a');
    nowMs += 4_999;
    expect(await find('a')).toBe(client);
    expect(asked).toEqual(['a']);
    nowMs += 1;
    await find('a');
    expect(asked).toEqual(['a', 'a']);
    await find('b');
    expect(await find('b')).toBeUndefined();
    expect(asked).toEqual(['a', 'a', 'b', 'b']);
  });
});

describe('the gate', () => {
  test('lets no more run than it may, in order, and turns away who finds no place', async () => {
    const gate = makeGate(2, 3);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const work = (n: number) =>
      gate.pass(async () => {
        begun.push(n);
        await new Promise<void>((resolve) => ends.push(resolve));
        return n;
      });
    const passes = [0, 1, 2, 3, 4, 5].map(work);
    expect(await passes[5]).toBe('full');
    expect(begun).toEqual([0, 1]);
    for (let n = 0; n < 5; n += 1) {
      ends[n]?.();
      await passes[n];
      await Promise.resolve();
    }
    expect(begun).toEqual([0, 1, 2, 3, 4]);
    expect(await gate.pass(() => Promise.resolve('after'))).toBe('after');
  });

  test('is left by a work that fails', async () => {
    const gate = makeGate(1, 1);
    await expect(gate.pass(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await gate.pass(() => Promise.resolve(1))).toBe(1);
  });
});

import { describe, expect, test } from 'vitest';
import { makeConcurrencyLimit } from '../../../../backend/access/bounded-concurrency.ts';
import { rememberClients, rememberTokens } from '../../../../backend/access/client-memory.ts';
import { accessLimits } from '../../../../backend/base/limits.ts';
import { holdsPermission, PERMISSIONS, SCOPES, scopesOf } from '../../../../contract/permissions.ts';
import {
  BASE_URL,
  EVERY_PERMISSION,
  FLEET_ID,
  jsonObjectOf,
  openTestService,
} from '../../../support/http/test-service.ts';

describe('a bearer token', () => {
  test('is requested with a challenge if it is missing', async () => {
    const stage = await openTestService();
    const answer = await stage.ask('GET', '/vehicles');
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="service"');
    expect(await jsonObjectOf(answer)).toMatchObject({ type: '/problems/missing-credentials' });
  });

  test.each(['Bearer', 'Bearer ', 'Bearer a b', 'Basic YTpi', 'Bearer a.b.c', 'nonsense'])(
    '%j is invalid',
    async (authorization) => {
      const stage = await openTestService();
      const answer = await stage.ask('GET', '/vehicles', { headers: { authorization } });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
      expect(await jsonObjectOf(answer)).toMatchObject({ type: '/problems/invalid-credentials' });
    },
  );

  test('is accepted with the scheme in any case', async () => {
    const stage = await openTestService();
    const token = await stage.token();
    const headers = { authorization: `bEARER ${token}` };
    expect((await stage.ask('GET', '/vehicles', { headers })).status).toBe(200);
  });

  test('ends after an hour', async () => {
    const stage = await openTestService();
    const token = await stage.token();
    await stage.loop.runUntil(stage.loop.nowMs + 3_599_000);
    expect((await stage.ask('GET', '/vehicles', { token })).status).toBe(200);
    await stage.loop.runUntil(stage.loop.nowMs + 1_000);
    expect((await stage.ask('GET', '/vehicles', { token })).status).toBe(401);
  });

  test('of another issuer is invalid', async () => {
    const stage = await openTestService();
    const nowS = Math.floor(stage.loop.nowMs / 1000);
    await stage.token();
    const claims = {
      sub: 'x',
      aud: BASE_URL,
      iat: nowS,
      exp: nowS + 60,
      jti: 'j',
      client_id: 'x',
      fleet_id: FLEET_ID,
      scope: 'VEHICLES_RO',
    };
    const token = await stage.crypto.signToken({ ...claims, iss: `${BASE_URL}.evil` });
    expect((await stage.ask('GET', '/vehicles', { token })).status).toBe(401);
  });

  test('of a deleted client is invalid 5 s later at most', async () => {
    const stage = await openTestService();
    const token = await stage.token();
    expect((await stage.ask('GET', '/vehicles', { token })).status).toBe(200);
    const verdict = await stage.crypto.verifyToken(token, { issuer: BASE_URL, nowMs: stage.loop.nowMs });
    if (!verdict.ok) throw new Error('the token is not right');
    await stage.store.access.deleteClient(verdict.claims.client_id);
    await stage.loop.runUntil(stage.loop.nowMs + 5_000);
    const answer = await stage.ask('GET', '/vehicles', { token });
    expect(answer.status).toBe(401);
    expect(await jsonObjectOf(answer)).toMatchObject({ type: '/problems/invalid-credentials' });
  });

  test('needs the scope first and then the permission', async () => {
    const stage = await openTestService();
    await stage.addVehicle();
    const path = '/vehicles/VEH01/box-commands/ble-reset';
    const typeFor = async (permissions: readonly string[]) =>
      (await jsonObjectOf(await stage.ask('POST', path, { token: await stage.token(permissions) })))['type'];
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

  test('together give every scope once', () => {
    expect(scopesOf(PERMISSIONS.map((row) => row.name))).toEqual(SCOPES);
    expect(new Set(SCOPES).size).toBe(SCOPES.length);
  });

  test('the full one includes the read-only one, not vice versa', () => {
    expect(holdsPermission(['vehicles'], 'vehicles.ro')).toBe(true);
    expect(holdsPermission(['vehicles.ro'], 'vehicles')).toBe(false);
    expect(holdsPermission(['connectivity-commands'], 'vehicle-commands')).toBe(false);
    expect(holdsPermission([], 'vehicles.ro')).toBe(false);
  });
});

describe('the cache of clients', () => {
  test('reads the store once in 5 s for a client that exists, and each time for one that does not', async () => {
    let nowMs = 1_000_000;
    const asked: string[] = [];
    const client = {
      id: 'a',
      fleetId: FLEET_ID,
      secretHash: '',
      permissions: EVERY_PERMISSION,
      createdMs: 0,
    };
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

describe('the memory of tokens', () => {
  const claims = {
    iss: BASE_URL,
    sub: 'a',
    aud: BASE_URL,
    iat: 1_000,
    exp: 1_060,
    jti: 'j',
    client_id: 'a',
    fleet_id: FLEET_ID,
    scope: '',
  };
  function counted() {
    const asked: string[] = [];
    const verifyToken = rememberTokens({
      verifyToken: (token, { nowMs }) => {
        asked.push(token);
        if (!token.startsWith('right')) return Promise.resolve({ ok: false, reason: 'wrong-signature' });
        const isOver = nowMs >= claims.exp * 1_000;
        return Promise.resolve(isOver ? { ok: false, reason: 'expired' } : { ok: true, claims });
      },
    });
    return { asked, ask: (token: string, nowMs: number) => verifyToken(token, { issuer: BASE_URL, nowMs }) };
  }

  test('checks one that was right once until it expires, and one that was wrong each time', async () => {
    const { asked, ask } = counted();
    for (const nowMs of [1_000_000, 1_000_001, 1_059_999])
      expect(await ask('right', nowMs)).toEqual({ ok: true, claims });
    expect(asked).toEqual(['right']);
    expect(await ask('right', 1_060_000)).toEqual({ ok: false, reason: 'expired' });
    for (const _ of [1, 2]) expect(await ask('wrong', 1_000_000)).toMatchObject({ ok: false });
    expect(asked).toEqual(['right', 'right', 'wrong', 'wrong']);
  });

  test('checks it again if the clock was set back', async () => {
    const { asked, ask } = counted();
    await ask('right', 1_010_000);
    await ask('right', 1_009_999);
    expect(asked).toHaveLength(2);
  });

  test('keeps the latest, within its bound', async () => {
    const { asked, ask } = counted();
    for (let n = 0; n <= accessLimits.rememberedTokens; n += 1) await ask(`right ${n}`, 1_000_000);
    const before = asked.length;
    await ask('right 1', 1_000_000);
    expect(asked).toHaveLength(before);
    await ask('right 0', 1_000_000);
    expect(asked).toHaveLength(before + 1);
  });
});

describe('the gate', () => {
  test('runs no more than its limit, in order, and refuses those over the queue limit', async () => {
    const gate = makeConcurrencyLimit(2, 3);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const work = (n: number) =>
      gate.run(async () => {
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
    expect(await gate.run(() => Promise.resolve('after'))).toBe('after');
  });

  test('is released by a task that fails', async () => {
    const gate = makeConcurrencyLimit(1, 1);
    await expect(gate.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await gate.run(() => Promise.resolve(1))).toBe(1);
  });
});

import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { TokenClaims } from '../../world/crypto/crypto.ts';
import { FLEET_ID } from '../support/http/test-service.ts';
import { type SignInServer, startSignInServer } from '../support/sockets/sign-in-server.ts';

/** Attempts to get access without permission. */
let sockets: SignInServer;
beforeAll(async () => {
  sockets = await startSignInServer();
});
afterAll(() => sockets.close());

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function claims(change: Partial<TokenClaims> = {}): TokenClaims {
  const nowS = Math.floor(sockets.scene.stage.loop.nowMs / 1000);
  return {
    iss: sockets.baseUrl,
    sub: 'machine',
    aud: sockets.baseUrl,
    iat: nowS,
    exp: nowS + 60,
    jti: 'j',
    client_id: 'machine',
    fleet_id: FLEET_ID,
    scope: 'VEHICLES_RO',
    ...change,
  };
}

async function own(change: Partial<TokenClaims> = {}): Promise<string> {
  return sockets.scene.stage.crypto.signToken(claims(change));
}

/** Status and problem of GET /vehicles. */
async function tried(token: string): Promise<string> {
  const response = await fetch(`${sockets.baseUrl}/vehicles`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const body = (await response.json()) as { readonly type?: string };
  return `${response.status} ${body.type ?? ''}`;
}

const INVALID = '401 /problems/invalid-credentials';

describe('a token', () => {
  test('that is valid is accepted; all others below are derived from it', async () => {
    expect(await tried(await own())).toBe('200 ');
  });

  test('that has expired is invalid', async () => {
    const nowS = Math.floor(sockets.scene.stage.loop.nowMs / 1000);
    expect(await tried(await own({ exp: nowS }))).toBe(INVALID);
  });

  test.each(['http://evil.test', ''])('of the issuer %j is invalid', async (iss) => {
    expect(await tried(await own({ iss }))).toBe(INVALID);
  });

  test('that says it was issued more than a minute ahead is invalid', async () => {
    const nowS = Math.floor(sockets.scene.stage.loop.nowMs / 1000);
    expect(await tried(await own({ iat: nowS + 60, exp: nowS + 120 }))).toBe('200 ');
    expect(await tried(await own({ iat: nowS + 61, exp: nowS + 120 }))).toBe(INVALID);
  });

  test.each(['machine', 'http://evil.test', ''])('for the audience %j is invalid', async (aud) => {
    expect(await tried(await own({ aud }))).toBe(INVALID);
  });

  test('of another kind is invalid, whatever its claims: id tokens are not access tokens', async () => {
    const { crypto } = sockets.scene.stage;
    expect(await tried(await crypto.signIdToken({ ...claims(), auth_time: 0 }))).toBe(INVALID);
    const [, payload] = (await own()).split('.');
    const [header, , signature] = (await crypto.signIdToken({ ...claims(), auth_time: 0 })).split('.');
    expect(await tried(`${header}.${payload}.${signature}`)).toBe(INVALID);
    const code = await sockets.scene.code({ scope: 'openid VEHICLES_RO' });
    const { body } = await sockets.scene.exchange(code);
    expect(await tried(String(body['access_token']))).toBe('200 ');
    for (const name of ['id_token', 'refresh_token']) expect(await tried(String(body[name]))).toBe(INVALID);
  });

  test('of the algorithm none is invalid, in any spelling', async () => {
    for (const alg of ['none', 'None', 'NONE', ''])
      for (const signature of ['', 'AAAA'])
        expect(await tried(`${part({ alg, typ: 'at+jwt' })}.${part(claims())}.${signature}`)).toBe(INVALID);
  });

  test('signed by HMAC with the public key as its secret is invalid', async () => {
    const [key] = sockets.scene.stage.crypto.publicKeys().keys;
    for (const secret of [JSON.stringify(key), String(key?.['n'])]) {
      const signed = `${part({ alg: 'HS256', typ: 'at+jwt', kid: key?.['kid'] })}.${part(claims())}`;
      expect(
        await tried(`${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`),
      ).toBe(INVALID);
    }
  });

  test('signed by an unknown key is invalid, even if it contains that key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const [known] = sockets.scene.stage.crypto.publicKeys().keys;
    for (const extra of [{ kid: known?.['kid'] }, { jwk: publicKey.export({ format: 'jwk' }) }]) {
      const signed = `${part({ alg: 'RS256', typ: 'at+jwt', ...extra })}.${part(claims())}`;
      expect(
        await tried(`${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`),
      ).toBe(INVALID);
    }
  });

  test('that was modified is invalid', async () => {
    const [header = '', , signature = ''] = (await own()).split('.');
    expect(
      await tried(`${header}.${part(claims({ scope: 'VEHICLES', fleet_id: 'FLEET2' }))}.${signature}`),
    ).toBe(INVALID);
    const token = await own();
    expect(await tried(`${token.slice(0, -2)}AA`)).toBe(INVALID);
  });

  test('of a client that is deleted is invalid 5 s later', async () => {
    const { loop, store } = sockets.scene.stage;
    const machine = await store.access.findClient('machine');
    if (machine === undefined) throw new Error('machine is gone');
    await store.access.saveClient({ ...machine, id: 'leaving' });
    const token = await own({ client_id: 'leaving', sub: 'leaving' });
    expect(await tried(token)).toBe('200 ');
    await store.access.deleteClient('leaving');
    await loop.runUntil(loop.nowMs + 5_000);
    expect(await tried(token)).toBe(INVALID);
  });

  test('cannot read another fleet', async () => {
    await sockets.scene.stage.addVehicle({ id: 'VEH02', fleetId: 'FLEET2', boxId: '00000000000000b2' });
    const headers = { authorization: `Bearer ${await own()}` };
    expect((await fetch(`${sockets.baseUrl}/vehicles/VEH02`, { headers })).status).toBe(404);
    const listed = await (await fetch(`${sockets.baseUrl}/vehicles`, { headers })).json();
    expect(JSON.stringify(listed)).not.toContain('VEH02');
    expect(await tried(await own({ fleet_id: 'FLEET2' }))).toBe(INVALID);
  });

  test('with a scope that its client has no permission for is refused', async () => {
    const { store } = sockets.scene.stage;
    const machine = await store.access.findClient('machine');
    if (machine === undefined) throw new Error('machine is gone');
    await store.access.saveClient({ ...machine, id: 'small', permissions: ['message-subscriptions'] });
    expect(await tried(await own({ client_id: 'small', sub: 'small' }))).toBe(
      '403 /problems/missing-permissions',
    );
  });

  test('of a grant that does not exist is invalid', async () => {
    expect(await tried(await own({ grant_id: 'guess' }))).toBe(INVALID);
  });
});

describe('the code flow', () => {
  test('exchanges a code neither for another client, nor with another verifier, nor twice', async () => {
    const { loop } = sockets.scene.stage;
    const { scene } = sockets;
    const code = await scene.code();
    expect((await scene.exchange(code, {}, 'other')).body['error']).toBe('invalid_grant');
    const { body } = await scene.exchange(code);
    expect(body['access_token']).toEqual(expect.any(String));
    await loop.runUntil(loop.nowMs + 10_000);
    expect((await scene.exchange(code)).body['error']).toBe('invalid_grant');
    const second = await scene.code();
    expect((await scene.exchange(second, { code_verifier: 'x'.repeat(43) })).body['error']).toBe(
      'invalid_grant',
    );
  });

  test('revokes a token family whose refresh token is used twice', async () => {
    const { scene } = sockets;
    const { body: first } = await scene.exchange(await scene.code());
    const refresh = (token: unknown) =>
      scene.post('/auth/oauth/token', { grant_type: 'refresh_token', refresh_token: String(token) });
    const { body: second } = await refresh(first['refresh_token']);
    const { loop } = scene.stage;
    await loop.runUntil(loop.nowMs + 10_000);
    expect((await refresh(first['refresh_token'])).body['error']).toBe('invalid_grant');
    expect((await refresh(second['refresh_token'])).body['error']).toBe('invalid_grant');
    await loop.runUntil(loop.nowMs + 5_000);
    expect(await tried(String(second['access_token']))).toBe(INVALID);
  });

  test.each([
    'https://evil.test/',
    '//evil.test',
    'http://127.0.0.1@evil.test/callback',
    'http://127.0.0.1/other',
  ])('does not redirect to %s', async (redirect_uri) => {
    const shown = await sockets.browser().open(sockets.scene.asking({ redirect_uri }));
    expect([shown.status, shown.isElsewhere]).toEqual([400, false]);
  });

  test('sets no cookie and no form without its own page', async () => {
    const response = await fetch(sockets.scene.asking(), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: 'session=guess' },
      body: 'deed=consent&decision=allow&form_token=guess',
      redirect: 'manual',
    });
    expect(response.status).toBe(403);
    expect(response.headers.get('location')).toBeNull();
    await response.text();
  });
});

describe('a web page of another origin', () => {
  test('gets no CORS headers for answers or preflights, with a valid token or without', async () => {
    const bearer = { authorization: `Bearer ${await own()}` };
    const asking = {
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    };
    const paths = [
      '/vehicles',
      '/auth/oauth/token',
      '/auth/oauth/authorize',
      '/auth/oauth/jwks',
      '/openapi.json',
    ];
    for (const origin of ['http://localhost:3000', sockets.baseUrl, 'null', 'https://evil.test'])
      for (const path of paths)
        for (const method of ['GET', 'OPTIONS']) {
          const headers = { origin, ...bearer, ...(method === 'GET' ? {} : asking) };
          const answer = await fetch(`${sockets.baseUrl}${path}`, { method, headers });
          const told = [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));
          expect(told, `${method} ${path} from ${origin}`).toEqual([]);
          if (method === 'OPTIONS') expect(answer.status).toBe(405);
          await answer.text();
        }
  });
});

describe('a crafted request', () => {
  async function raw(lines: readonly string[]): Promise<string> {
    const socket = connect(Number(new URL(sockets.baseUrl).port), '127.0.0.1');
    socket.end(`${lines.join('\r\n')}\r\n\r\n`);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return text;
  }

  test.each(['evil.test', 'evil.test:99999', '', 'a b', "'><script>", '[::1', 'evil.test\\@x'])(
    'with the Host %j is harmless: no URL in an answer uses it',
    async (host) => {
      for (const path of [
        '/vehicles',
        '/.well-known/openid-configuration',
        '/auth/oauth/authorize?client_id=x',
      ]) {
        const answer = await raw([`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Connection: close']);
        expect(answer).toMatch(/^HTTP\/1\.1 (200|400|401) /);
        expect(answer).not.toMatch(/evil|script|\bat .+:\d+:\d+|node_modules/);
      }
    },
  );

  test('accepts a flow id only if it is a UUID', async () => {
    const flow = async (value: string) =>
      (await fetch(`${sockets.baseUrl}/vehicles`, { headers: { 'x-service-flow-id': value } })).headers.get(
        'x-service-flow-id',
      );
    const uuid = '0b7c9f0e-6a55-4a4e-9d28-6f1f5e3c2a10';
    expect(await flow(uuid)).toBe(uuid);
    for (const value of ['mine', `${uuid}x`, '<script>'])
      expect(await flow(value)).toMatch(/^[0-9a-f-]{36}$/);
    expect(await flow(`${uuid}0`)).not.toContain(uuid);
  });

  test('gets the security headers on every kind of answer', async () => {
    for (const path of [
      '/vehicles',
      '/nowhere',
      '/auth/oauth/jwks',
      '/auth/oauth/authorize',
      '/auth/oauth/token',
    ]) {
      const { headers } = await fetch(`${sockets.baseUrl}${path}`);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('x-service-flow-id')).toMatch(/^[0-9a-f-]{36}$/);
      expect(headers.get('cache-control')).toBe(path.endsWith('jwks') ? 'public, max-age=300' : 'no-store');
    }
  });
});

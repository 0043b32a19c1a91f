import { beforeEach, describe, expect, test } from 'vitest';
import { openSignInService, type SignInService } from '../../../support/http/sign-in-service.ts';

let scene: SignInService;
beforeEach(async () => {
  scene = await openSignInService();
});

const later = (ms: number) => scene.stage.loop.runUntil(scene.stage.loop.nowMs + ms);
const refresh = (token: unknown, change: Readonly<Record<string, string>> = {}, client?: string) =>
  scene.post(
    '/auth/oauth/token',
    { grant_type: 'refresh_token', refresh_token: String(token), ...change },
    client,
  );
const GRANT_MEMORY_MS = 5_000;
const ANSWER_AGAIN_MS = 10_000;

describe('a code', () => {
  test('is exchanged for an access token of the person and a refresh token', async () => {
    const { status, body } = await scene.exchange(await scene.code());
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'VEHICLE_COMMANDS VEHICLES_RO'.split(' ').reverse().join(' '),
      refresh_token: expect.any(String),
    });
    const { crypto, loop } = scene.stage;
    const verdict = await crypto.verifyToken(String(body['access_token']), {
      issuer: scene.baseUrl,
      nowMs: loop.nowMs,
    });
    expect(verdict).toMatchObject({ ok: true, claims: { client_id: 'app', fleet_id: 'FLEET1' } });
    expect(verdict.ok && verdict.claims.sub).toMatch(/^user-/);
    expect(await scene.look(body['access_token'])).toBe(200);
  });

  test('gives an id token if OPENID was requested, by either name', async () => {
    for (const scope of ['OPENID', 'openid VEHICLES_RO']) {
      const { body } = await scene.exchange(await scene.code({ scope, nonce: 'n-1' }));
      const [, payload = ''] = String(body['id_token']).split('.');
      expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toMatchObject({
        iss: scene.baseUrl,
        aud: 'app',
        nonce: 'n-1',
        sub: expect.stringMatching(/^user-/),
      });
      // An id token opens nothing.
      expect(await scene.look(body['id_token'])).toBe(401);
    }
  });

  test.each([
    ['OPENID', 'OPENID VEHICLES_RO', 'OPENID VEHICLES_RO'],
    ['openid', 'openid VEHICLES_RO', 'openid VEHICLES_RO'],
    [
      'openid without what the service does not have of OpenID Connect',
      'openid profile email address phone offline_access VEHICLES_RO',
      'openid VEHICLES_RO',
    ],
  ])('is answered with the scope %s as it was requested', async (_, scope, granted) => {
    const { body } = await scene.exchange(await scene.code({ scope }));
    expect(body['scope']).toBe(granted);
    expect(body['id_token']).toEqual(expect.any(String));
    const again = await refresh(body['refresh_token']);
    expect(again.body['scope']).toBe(granted);
    const spelled = await refresh(again.body['refresh_token'], { scope });
    expect(spelled.body['scope']).toBe(granted);
  });

  test('granted as OPENID can be refreshed as openid, and the other way round', async () => {
    for (const [one, other] of [
      ['OPENID', 'openid'],
      ['openid', 'OPENID'],
    ] as const) {
      const { body } = await scene.exchange(await scene.code({ scope: one }));
      expect((await refresh(body['refresh_token'], { scope: other })).body['scope']).toBe(other);
    }
  });

  test.each([
    ['profile without openid', 'profile VEHICLES_RO'],
    ['another unknown scope beside openid', 'openid profiles VEHICLES_RO'],
  ])('is not issued for %s', async (_, scope) => {
    expect((await scene.stage.app.request(scene.asking({ scope }).href)).headers.get('location')).toContain(
      'error=invalid_scope',
    );
  });

  test('is exchanged by a public client that sends an empty secret, and by no other', async () => {
    const empty = { client_secret: '' };
    const phone = await scene.exchange(await scene.code({ client_id: 'phone' }), empty, 'phone');
    expect(phone.status).toBe(200);
    const form = { grant_type: 'client_credentials', client_id: 'machine', ...empty };
    const answer = await scene.send(
      new Request(`${scene.baseUrl}/auth/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      }),
    );
    expect(answer.status).toBe(401);
  });

  test('is exchanged by a public client without a secret', async () => {
    const { status, body } = await scene.exchange(await scene.code({ client_id: 'phone' }), {}, 'phone');
    expect(status).toBe(200);
    expect((await refresh(body['refresh_token'], {}, 'phone')).status).toBe(200);
    expect(
      (await scene.post('/auth/oauth/token', { grant_type: 'client_credentials' }, 'phone')).status,
    ).not.toBe(200);
  });

  test.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_grant'],
    ['another redirect URI', { redirect_uri: 'http://127.0.0.1:4712/callback' }, 'invalid_grant'],
    ['another code', { code: 'guess' }, 'invalid_grant'],
  ])('with %s brings nothing, and is used up by the attempt', async (_case, change, error) => {
    const code = await scene.code();
    expect(await scene.exchange(code, change)).toMatchObject({ status: 400, body: { error } });
    const again = await scene.exchange(code);
    expect(again.status).toBe('code' in change ? 200 : 400);
  });

  test('of another client is refused', async () => {
    const code = await scene.code();
    expect(await scene.exchange(code, {}, 'other')).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect((await scene.exchange(code)).status).toBe(200);
  });

  test('without the secret of its client is refused', async () => {
    const code = await scene.code();
    const answer = await scene.exchange(code, { client_id: 'app' }, 'phone');
    expect(answer.status).toBe(400);
    const form = { grant_type: 'authorization_code', code, client_id: 'app', code_verifier: 'x'.repeat(43) };
    const bare = await scene.send(
      new Request(`${scene.baseUrl}/auth/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      }),
    );
    expect(bare.status).toBe(401);
  });

  test('is valid for a minute', async () => {
    const code = await scene.code();
    await later(59_999);
    expect((await scene.exchange(code)).status).toBe(200);
    const late = await scene.code();
    await later(60_000);
    expect(await scene.exchange(late)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test('that is used again ten seconds later revokes its tokens', async () => {
    const code = await scene.code();
    const { body } = await scene.exchange(code);
    expect(await scene.look(body['access_token'])).toBe(200);
    await later(ANSWER_AGAIN_MS);
    expect(await scene.exchange(code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    await later(GRANT_MEMORY_MS);
    expect(await scene.look(body['access_token'])).toBe(401);
    expect((await refresh(body['refresh_token'])).status).toBe(400);
  });
});

describe('a refresh token', () => {
  test('gives a new one and a new access token, and the old access token stays valid', async () => {
    const { body: first } = await scene.exchange(await scene.code());
    await later(1_000);
    const { status, body } = await refresh(first['refresh_token']);
    expect(status).toBe(200);
    expect(body['refresh_token']).not.toBe(first['refresh_token']);
    expect(await scene.look(first['access_token'])).toBe(200);
    expect(await scene.look(body['access_token'])).toBe(200);
  });

  test('that is used again ten seconds later revokes the whole family', async () => {
    const { body: first } = await scene.exchange(await scene.code());
    const { body: second } = await refresh(first['refresh_token']);
    await later(ANSWER_AGAIN_MS);
    expect(await refresh(first['refresh_token'])).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    expect((await refresh(second['refresh_token'])).status).toBe(400);
    await later(GRANT_MEMORY_MS);
    expect(await scene.look(second['access_token'])).toBe(401);
  });

  test('of two concurrent requests is used once, and both get the same answer', async () => {
    const { body } = await scene.exchange(await scene.code());
    const [one, other] = await Promise.all([1, 2].map(() => refreshUnwatched(body['refresh_token'])));
    expect(one?.status).toBe(200);
    expect(other).toEqual(one);
    expect((await refresh(one?.body['refresh_token'])).status).toBe(200);
  });

  test('is refused for another client, and may narrow the scopes but not widen them', async () => {
    const { body } = await scene.exchange(await scene.code());
    expect((await refresh(body['refresh_token'], {}, 'other')).status).toBe(400);
    expect(await refresh(body['refresh_token'], { scope: 'VEHICLES' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope' },
    });
    const { body: narrow } = await refresh(body['refresh_token'], { scope: 'VEHICLES_RO' });
    expect(narrow['scope']).toBe('VEHICLES_RO');
    const { body: wide } = await refresh(narrow['refresh_token']);
    expect(String(wide['scope']).split(' ').sort()).toEqual(['VEHICLES_RO', 'VEHICLE_COMMANDS']);
  });

  test('is valid for two weeks from its issue', async () => {
    const { body } = await scene.exchange(await scene.code());
    await later(14 * 24 * 3_600_000 - 1);
    const { status, body: next } = await refresh(body['refresh_token']);
    expect(status).toBe(200);
    await later(14 * 24 * 3_600_000);
    expect((await refresh(next['refresh_token'])).status).toBe(400);
  });
});

describe('the grant of a person', () => {
  test.each(['refresh_token', 'access_token'])('ends when the client gives back its %s', async (name) => {
    const { body } = await scene.exchange(await scene.code());
    const token = String(body[name]);
    expect((await scene.post('/auth/oauth/revoke', { token }, 'other')).status).toBe(200);
    expect(await scene.look(body['access_token'])).toBe(200);
    expect((await scene.post('/auth/oauth/revoke', { token })).status).toBe(200);
    await later(GRANT_MEMORY_MS);
    expect(await scene.look(body['access_token'])).toBe(401);
    expect((await refresh(body['refresh_token'])).status).toBe(400);
  });

  test('cannot be revoked by a client with a wrong secret', async () => {
    expect(
      (await scene.post('/auth/oauth/revoke', { token: 'x', client_id: 'app' }, 'nobody')).status,
    ).not.toBe(200);
    expect((await scene.post('/auth/oauth/revoke', { token: 'anything' })).status).toBe(200);
    expect(await scene.post('/auth/oauth/revoke', {})).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });

  test('ends with the person, and is limited by the permissions of the person', async () => {
    const { body } = await scene.exchange(await scene.code());
    const { grants } = scene.stage.store;
    const user = await grants.findUserByName('ada');
    if (user === undefined) throw new Error('ada is gone');
    await grants.saveUser({ ...user, permissions: ['vehicle-commands'] });
    await later(GRANT_MEMORY_MS);
    expect(await scene.look(body['access_token'])).toBe(403);
    expect((await refresh(body['refresh_token'])).body['scope']).toBe('VEHICLE_COMMANDS');
    await grants.deleteUser(user.id);
    await later(GRANT_MEMORY_MS);
    expect(await scene.look(body['access_token'])).toBe(401);
  });

  test('gives only permissions of the person, whatever the client has', async () => {
    const { body } = await scene.exchange(await scene.code());
    await scene.stage.addVehicle();
    const answer = await scene.send(
      new Request(`${scene.baseUrl}/vehicles/VEH01`, {
        method: 'DELETE',
        headers: { authorization: `Bearer ${String(body['access_token'])}` },
      }),
    );
    expect(answer.status).toBe(403);
  });
});

async function refreshUnwatched(
  token: unknown,
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const answer = await scene.stage.app.fetch(
    new Request(`${scene.baseUrl}/auth/oauth/token`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        authorization: `Basic ${btoa('app:secret-of-app')}`,
      },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: String(token) }).toString(),
    }),
  );
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

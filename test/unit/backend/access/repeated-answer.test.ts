import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import type { TokenFields } from '../../../../backend/access/oauth/token-request.ts';
import { encryptAnswer, repeatedAnswer } from '../../../../backend/access/repeated-answer.ts';
import { buildApp } from '../../../../backend/http/app.ts';
import { oauthRoutes } from '../../../../backend/http/routes/oauth-routes.ts';
import { StoreFailed } from '../../../../backend/store/port/store.ts';
import { virtualCrypto } from '../../../../world/crypto/virtual-crypto.ts';
import { seededRandom } from '../../../../world/random/seeded-random.ts';
import { openSignInService, type SignInService } from '../../../support/http/sign-in-service.ts';

const AGAIN_MS = 10_000;
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
const INVALID = { status: 400, body: { error: 'invalid_grant' } };

describe('a request whose answer was lost', () => {
  test.each(['app', 'phone'])(
    'has the same answer for ten seconds, as often as it comes (%s)',
    async (id) => {
      const code = await scene.code({ client_id: id, scope: 'openid VEHICLES_RO' });
      const first = await scene.exchange(code, {}, id);
      expect(first.body['id_token']).toEqual(expect.any(String));
      await later(AGAIN_MS - 1);
      expect(await scene.exchange(code, {}, id)).toEqual(first);
      expect(await scene.exchange(code, {}, id)).toEqual(first);
      const { refresh_token } = first.body;
      const second = await refresh(refresh_token, {}, id);
      await later(AGAIN_MS - 1);
      expect(await refresh(refresh_token, {}, id)).toEqual(second);
      expect(await scene.look(second.body['access_token'])).toBe(200);
      expect((await refresh(second.body['refresh_token'], {}, id)).status).toBe(200);
    },
  );

  test('gets it from a service that was killed and restarted meanwhile', async () => {
    const code = await scene.code();
    const first = await scene.exchange(code);
    const { world, store } = scene.stage;
    const app = buildApp({
      world,
      operator: { failed: () => undefined },
      baseUrl: scene.baseUrl,
      alsoTaken: { '/auth/oauth/token': ['application/x-www-form-urlencoded'] },
    });
    // The same key, as a data directory keeps it, and nothing else of the first one.
    const crypto = virtualCrypto(seededRandom(1).stream('seal'));
    oauthRoutes(app, {
      world: { ...world, crypto },
      store,
      baseUrl: scene.baseUrl,
      accessTokenS: () => 3_600,
    });
    scene.stage.app.fetch = app.fetch;
    expect(await scene.exchange(code)).toEqual(first);
  });

  test('has had no effect if the service failed before its commit', async () => {
    const { grants } = scene.stage.store;
    const { exchangeSecret } = grants;
    const code = await scene.code();
    grants.exchangeSecret = () => Promise.reject(new StoreFailed('the disk is full'));
    expect((await scene.exchange(code)).status).toBe(500);
    grants.exchangeSecret = exchangeSecret;
    expect((await scene.exchange(code)).status).toBe(200);
  });
});

describe('the grant ends if a used code or refresh token is sent again', () => {
  const used = async () => {
    const { body: first } = await scene.exchange(await scene.code());
    const { body: second } = await refresh(first['refresh_token']);
    return { spent: first['refresh_token'], next: second['refresh_token'] };
  };

  test('later', async () => {
    const { spent, next } = await used();
    await later(AGAIN_MS);
    expect(await refresh(spent)).toMatchObject(INVALID);
    expect(await refresh(next)).toMatchObject(INVALID);
  });

  test('from another client', async () => {
    const { spent, next } = await used();
    expect(await refresh(spent, {}, 'other')).toMatchObject(INVALID);
    expect(await refresh(next)).toMatchObject(INVALID);
  });

  test('with another scope, which is another request', async () => {
    const { spent, next } = await used();
    expect(await refresh(spent, { scope: 'VEHICLES_RO' })).toMatchObject(INVALID);
    expect(await refresh(next)).toMatchObject(INVALID);
  });

  test.each([
    ['another verifier', { code_verifier: 'x'.repeat(43) }],
    ['no verifier', { code_verifier: '' }],
    ['another redirect URI', { redirect_uri: 'http://127.0.0.1:4712/callback' }],
  ])('with %s', async (_case, change) => {
    const code = await scene.code();
    const { body } = await scene.exchange(code);
    expect(await scene.exchange(code, change)).toMatchObject(INVALID);
    expect(await refresh(body['refresh_token'])).toMatchObject(INVALID);
  });

  test('after its result has been used: its answer cannot have been lost', async () => {
    const { spent, next } = await used();
    const { body: third } = await refresh(next);
    expect(await refresh(spent)).toMatchObject(INVALID);
    expect(await refresh(third['refresh_token'])).toMatchObject(INVALID);
  });

  test('and never without the secret of its client', async () => {
    const { spent } = await used();
    const fields = { grant_type: 'refresh_token', refresh_token: String(spent), client_id: 'app' };
    const answer = await scene.send(
      new Request(`${scene.baseUrl}/auth/oauth/token`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(fields).toString(),
      }),
    );
    expect(answer.status).toBe(401);
    expect((await refresh(spent)).status).toBe(200);
  });

  test('and gets no answer once the client has revoked it', async () => {
    const { spent, next } = await used();
    await scene.post('/auth/oauth/revoke', { token: String(next) });
    expect(await refresh(spent)).toMatchObject(INVALID);
  });
});

describe('a stored answer', () => {
  const grant = {
    id: 'g',
    clientId: 'app',
    userId: 'u',
    scopes: [],
    redirectUri: 'https://app.test/',
    codeChallenge: 'c',
    nonce: undefined,
    signedInMs: 0,
  };
  const tokens = { accessToken: 'AAAA.BBBB.CCCC', expiresInS: 3600, scope: 'VEHICLES', refreshToken: 'RRRR' };
  const names = [
    'grant_type',
    'client_id',
    'code',
    'code_verifier',
    'redirect_uri',
    'refresh_token',
    'scope',
  ] as const;
  const field = fc.option(fc.string(), { nil: undefined });
  const request = fc.record(
    Object.fromEntries(names.map((name) => [name, field])),
  ) as fc.Arbitrary<TokenFields>;

  test('is encrypted, and can be read only with the same request', () => {
    const crypto = virtualCrypto(seededRandom(1).stream('seal'));
    const stranger = virtualCrypto(seededRandom(2).stream('seal'));
    fc.assert(
      fc.property(request, request, (asked, other) => {
        const text = encryptAnswer(crypto, asked, tokens);
        for (const secret of [tokens.accessToken, tokens.refreshToken]) expect(text).not.toContain(secret);
        const kept = {
          grant,
          kind: 'refresh' as const,
          expiresMs: 0,
          isSpent: true,
          answer: { text, untilMs: 10 },
        };
        const now = { clientId: 'app', nowMs: 9 };
        expect(repeatedAnswer(crypto, asked, kept, now)).toEqual(tokens);
        expect(repeatedAnswer(stranger, asked, kept, now)).toBeUndefined();
        expect(repeatedAnswer(crypto, asked, kept, { ...now, nowMs: 10 })).toBeUndefined();
        expect(repeatedAnswer(crypto, asked, kept, { ...now, clientId: 'other' })).toBeUndefined();
        const isSame = names.every((name) => asked[name] === other[name]);
        expect(repeatedAnswer(crypto, other, kept, now) !== undefined).toBe(isSame);
      }),
    );
  });

  test('contains no token in the store', async () => {
    const { body } = await scene.exchange(await scene.code());
    const { body: next } = await refresh(body['refresh_token']);
    const { crypto, store } = scene.stage;
    const digest = crypto.digest(`grant\n${String(body['refresh_token'])}`);
    const found = await store.grants.findSecret(digest);
    expect(found?.answer?.text.length).toBeGreaterThan(100);
    for (const name of ['access_token', 'refresh_token'])
      expect(found?.answer?.text).not.toContain(String(next[name]));
  });
});

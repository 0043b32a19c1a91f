import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readBasic, readTokenRequest } from '../../../../../backend/access/oauth/token-request.ts';
import { openServiceWithClient } from '../../../../support/http/service-with-client.ts';
import {
  BASE_URL,
  FLEET_ID,
  jsonObjectOf,
  openTestService,
  type TestService,
} from '../../../../support/http/test-service.ts';
import { anyCharacter } from '../../../../support/run/any-character.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const PATH = '/auth/oauth/token';
const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` });

async function claimsOf(stage: TestService, token: unknown) {
  const verdict = await stage.crypto.verifyToken(String(token), {
    issuer: BASE_URL,
    nowMs: stage.loop.nowMs,
  });
  return verdict.ok ? verdict.claims : undefined;
}

describe('a token', () => {
  test('is given to a client by Basic authentication and grant_type in the query', async () => {
    const stage = await openServiceWithClient();
    const headers = { ...basic('demo', 's3cret~._-'), 'content-type': 'application/json' };
    const answer = await stage.ask('POST', `${PATH}?grant_type=client_credentials`, { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('pragma')).toBe('no-cache');
    const body = await jsonObjectOf(answer);
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'VEHICLE_COMMANDS VEHICLES_RO',
    });
    expect(await claimsOf(stage, body['access_token'])).toMatchObject({
      iss: BASE_URL,
      sub: 'demo',
      client_id: 'demo',
      fleet_id: FLEET_ID,
      scope: 'VEHICLE_COMMANDS VEHICLES_RO',
    });
  });

  test.each([
    ['Basic and a form', basic('demo', 's3cret~._-'), 'grant_type=client_credentials'],
    ['the form alone', {}, 'grant_type=client_credentials&client_id=demo&client_secret=s3cret~._-'],
    [
      'a form with parameters that nobody knows',
      basic('demo', 's3cret~._-'),
      'grant_type=client_credentials&audience=x',
    ],
  ])('is given by %s', async (_name, headers, body) => {
    const stage = await openServiceWithClient();
    expect((await stage.ask('POST', PATH, { headers: { ...FORM, ...headers }, body })).status).toBe(200);
  });

  test('has the requested scopes and no others', async () => {
    const stage = await openServiceWithClient();
    const path = `${PATH}?grant_type=client_credentials&scope=VEHICLES_RO`;
    const body = await jsonObjectOf(await stage.ask('POST', path, { headers: basic('demo', 's3cret~._-') }));
    expect(body['scope']).toBe('VEHICLES_RO');
    expect((await claimsOf(stage, body['access_token']))?.scope).toBe('VEHICLES_RO');
  });

  test('leaves older tokens of the client valid', async () => {
    const stage = await openTestService();
    const first = await stage.token();
    await stage.token();
    expect((await stage.ask('GET', '/vehicles', { token: first })).status).toBe(200);
  });
});

describe('a token request is refused', () => {
  const right = basic('demo', 's3cret~._-');
  const GRANT = '?grant_type=client_credentials';
  test.each([
    ['without credentials', GRANT, {}, undefined, 401, 'invalid_client'],
    ['with a wrong secret', GRANT, basic('demo', 'guess'), undefined, 401, 'invalid_client'],
    ['for an unknown client', GRANT, basic('nobody', 's3cret~._-'), undefined, 401, 'invalid_client'],
    [
      'with a secret beyond the bound',
      GRANT,
      basic('demo', 'x'.repeat(5000)),
      undefined,
      401,
      'invalid_client',
    ],
    [
      'with a header that is not Basic',
      GRANT,
      { authorization: 'Bearer x' },
      undefined,
      401,
      'invalid_client',
    ],
    [
      'with Basic that is not base64',
      GRANT,
      { authorization: 'Basic ???' },
      undefined,
      401,
      'invalid_client',
    ],
    ['without a grant type', '', right, undefined, 400, 'invalid_request'],
    ['for another grant', '?grant_type=password', right, undefined, 400, 'unsupported_grant_type'],
    ['for a grant given twice', `${GRANT}&grant_type=password`, right, undefined, 400, 'invalid_request'],
    [
      'for a grant given in query and body, even the same',
      GRANT,
      { ...FORM, ...right },
      'grant_type=client_credentials',
      400,
      'invalid_request',
    ],
    [
      'for a grant given twice in the body',
      '',
      { ...FORM, ...right },
      'grant_type=client_credentials&grant_type=client_credentials',
      400,
      'invalid_request',
    ],
    ['for a scope that the client lacks', `${GRANT}&scope=VEHICLES`, right, undefined, 400, 'invalid_scope'],
    ['for a scope that nobody knows', `${GRANT}&scope=EVERYTHING`, right, undefined, 400, 'invalid_scope'],
    [
      'with the secret in the query',
      `${GRANT}&client_id=demo&client_secret=x`,
      {},
      undefined,
      400,
      'invalid_request',
    ],
    [
      'with two authentications',
      GRANT,
      { ...FORM, ...right },
      'client_secret=x&client_id=demo',
      400,
      'invalid_request',
    ],
    [
      'with parameters as JSON',
      GRANT,
      { ...right, 'content-type': 'application/json' },
      '{"scope":"A"}',
      400,
      'invalid_request',
    ],
    [
      'with a form that is not UTF-8',
      GRANT,
      { ...FORM, ...right },
      Uint8Array.of(0xff),
      400,
      'invalid_request',
    ],
  ])('%s', async (_name, query, headers, body, status, error) => {
    const stage = await openServiceWithClient();
    const init = { headers, ...(body === undefined ? {} : { body }) };
    const answer = await stage.ask('POST', PATH + query, init);
    expect(answer.status).toBe(status);
    expect(await jsonObjectOf(answer)).toEqual({ error, error_description: expect.any(String) });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('www-authenticate')?.startsWith('Basic ') ?? false).toBe(status === 401);
    expect(answer.headers.has('x-service-flow-id')).toBe(true);
  });

  test('as busy when too many secrets are being checked', async () => {
    const stage = await openServiceWithClient();
    const never = () => new Promise<boolean>(() => undefined);
    stage.crypto.verifySecret = never;
    const ask = (n: number) =>
      stage.app.request(`${PATH}?grant_type=client_credentials`, {
        method: 'POST',
        headers: basic(`demo${n}`, 'guess'),
      });
    const answers = Array.from({ length: 80 }, (_, n) => ask(n));
    const busy = await Promise.any(answers);
    expect(busy.status).toBe(429);
    expect(busy.headers.get('retry-after')).toBe('1');
    expect(await jsonObjectOf(busy)).toMatchObject({ type: '/problems/too-many-requests' });
  });
});

describe('a wrong secret', () => {
  const status = (answer: Response) => answer.status;

  test('causes a delay from the tenth on, only for this client from this address', async () => {
    const stage = await openServiceWithClient();
    const send = (id: string, secret: string, address = '198.51.100.7') =>
      stage.loop.runWhile(
        Promise.resolve(
          stage.app.fetch(
            new Request(`${BASE_URL}${PATH}?grant_type=client_credentials`, {
              method: 'POST',
              headers: basic(id, secret),
            }),
            { address },
          ),
        ),
        { withinMs: 60_000 },
      );
    for (let n = 0; n < 10; n += 1) expect(status(await send('demo', `guess${n}`))).toBe(401);
    const right = 's3cret~._-';
    for (const secret of ['guess', right]) {
      const turned = await send('demo', secret);
      expect([turned.status, turned.headers.get('retry-after')]).toEqual([429, '1']);
      expect(await jsonObjectOf(turned)).toMatchObject({
        type: '/problems/too-many-requests',
        detail: "There were too many wrong secrets for the client 'demo'. Try again in 1 s.",
      });
    }
    expect(status(await send('demo', right, '192.0.2.1'))).toBe(200);
    expect(status(await send('nobody', 'guess'))).toBe(401);
    await stage.loop.runUntil(stage.loop.nowMs + 1_000);
    expect(status(await send('demo', right))).toBe(200);
    expect(status(await send('demo', 'guess'))).toBe(401);
  });

  test('is delayed even if the right secret was verified just before: a guess never uses the cache', async () => {
    const stage = await openServiceWithClient();
    const ask = async (secret: string) =>
      status(
        await stage.ask('POST', `${PATH}?grant_type=client_credentials`, { headers: basic('demo', secret) }),
      );
    expect(await ask('s3cret~._-')).toBe(200);
    for (let n = 0; n < 10; n += 1) await ask(`guess${n}`);
    expect(await ask('s3cret~._-')).toBe(429);
  });

  test('that is sent many times at once counts as one guess, and a right one as none', async () => {
    const stage = await openServiceWithClient();
    const ask = (secret: string) =>
      stage.app.request(`${PATH}?grant_type=client_credentials`, {
        method: 'POST',
        headers: basic('demo', secret),
      });
    const all = (secret: string) =>
      Promise.all(Array.from({ length: 40 }, async () => status(await ask(secret))));
    expect(new Set(await all('guess'))).toEqual(new Set([401]));
    expect(new Set(await all('s3cret~._-'))).toEqual(new Set([200]));
  });
});

describe('a verified secret', () => {
  test('needs no slow hash for a while, a wrong one always does', async () => {
    const stage = await openServiceWithClient();
    const verify = stage.crypto.verifySecret;
    let count = 0;
    stage.crypto.verifySecret = (secret, hash) => {
      count += 1;
      return verify(secret, hash);
    };
    const ask = async (secret: string) =>
      (await stage.ask('POST', `${PATH}?grant_type=client_credentials`, { headers: basic('demo', secret) }))
        .status;
    expect([await ask('s3cret~._-'), await ask('s3cret~._-'), count]).toEqual([200, 200, 1]);
    expect([await ask('wrong'), await ask('wrong'), count]).toEqual([401, 401, 3]);
    await stage.loop.runUntil(stage.loop.nowMs + 60_000);
    expect([await ask('s3cret~._-'), count]).toEqual([200, 4]);
    await stage.store.access.deleteClient('demo');
    expect(await ask('s3cret~._-')).toBe(401);
  });
});

describe('reading a token request', () => {
  test('never throws, whatever query, body and header', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('grant_type=client_credentials', '%', '%zz=%', 'a=b&a=b'),
    );
    const header = fc.option(
      fc.oneof(
        text,
        text.map((t) => `Basic ${Buffer.from(t).toString('base64')}`),
      ),
      { nil: undefined },
    );
    const mediaType = fc.constantFrom('', 'application/json', 'application/x-www-form-urlencoded');
    fc.assert(
      fc.property(text, fc.uint8Array(), mediaType, header, (query, bytes, type, authorization) => {
        const read = readTokenRequest(new URLSearchParams(query), { bytes, mediaType: type }, authorization);
        expect(typeof read.ok).toBe('boolean');
      }),
    );
  });

  test('Basic returns id and secret, form-encoded or of unreserved characters', () => {
    const word = fc.stringMatching(/^[A-Za-z0-9._~-]{1,64}$/);
    fc.assert(
      fc.property(word, word, (clientId, clientSecret) => {
        const header = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;
        expect(readBasic(header)).toEqual({ clientId, clientSecret });
      }),
    );
    fc.assert(
      fc.property(word, fc.string({ minLength: 1 }), (clientId, clientSecret) => {
        const encoded = new URLSearchParams([['', clientSecret]]).toString().slice(1);
        expect(readBasic(`basic ${btoa(`${clientId}:${encoded}`)}`)).toEqual({ clientId, clientSecret });
      }),
    );
  });
});

describe('discovery', () => {
  test('names existing endpoints, and only supported features', async () => {
    const stage = await openTestService();
    const found = await jsonObjectOf(await stage.ask('GET', '/.well-known/openid-configuration'));
    expect(found).toMatchObject({
      issuer: BASE_URL,
      grant_types_supported: ['client_credentials', 'authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
    });
    for (const name of ['authorization_endpoint', 'revocation_endpoint'])
      expect((await stage.ask('PUT', String(found[name]).slice(BASE_URL.length))).status).toBe(405);
    const keys = await stage.ask('GET', String(found['jwks_uri']).slice(BASE_URL.length));
    expect(await jsonObjectOf(keys)).toEqual(stage.crypto.publicKeys());
    expect((await stage.ask('GET', String(found['token_endpoint']).slice(BASE_URL.length))).status).toBe(405);
  });
});

import { createHmac, createPublicKey } from 'node:crypto';
import fc from 'fast-check';
import { importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { registerClient } from '../../backend/access/clients.ts';
import { makeSigningKey, realCrypto } from '../../world/crypto/real-crypto.ts';
import { PARTNER_FLEET_ID } from '../support/http/right-bodies.ts';
import {
  expectRefused,
  type FilledService,
  openFilledService,
} from '../support/http/service-at-every-path.ts';
import { BASE_URL, FLEET_ID } from '../support/http/test-service.ts';

/** Signed with real keys, as tokens are outside of virtual time: only there public and private key differ. */
const key = await makeSigningKey();
const crypto = await realCrypto(key);
const scene: FilledService = await openFilledService({ crypto });
const { stage } = scene;
const secured = scene.operations.filter(({ isSecured }) => isSecured);
const publicJwk = crypto.publicKeys().keys[0] as JWK;
const kid = String(publicJwk['kid']);
const nowS = Math.floor(stage.loop.nowMs / 1000);

const client = await registerClient(stage.store.access, stage.world, {
  fleetId: FLEET_ID,
  permissions: ['vehicles', 'vehicle-commands', 'connectivity-commands', 'vehicle-configuration'],
});
const claims = {
  iss: BASE_URL,
  sub: client.clientId,
  aud: BASE_URL,
  iat: nowS,
  exp: nowS + 3_600,
  jti: 'j',
  client_id: client.clientId,
  fleet_id: FLEET_ID,
  scope: 'VEHICLES VEHICLES_RO VEHICLE_COMMANDS VEHICLE_CONFIGURATION VEHICLE_CONFIGURATION_RO',
};
const good = await crypto.signToken(claims);
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const [header = '', payload = '', signature = ''] = good.split('.');

/** Signed with our own key, whatever it claims. */
async function ours(
  change: Readonly<Record<string, unknown>>,
  type: Readonly<Record<string, string>> = { typ: 'at+jwt' },
): Promise<string> {
  return new SignJWT({ ...claims, ...change } as JWTPayload)
    .setProtectedHeader({ alg: 'RS256', ...type, kid })
    .sign(await importJWK(key, 'RS256'));
}

function send(operation: (typeof secured)[number], authorization: string): Promise<Response> {
  const { method, body } = operation;
  const request = new Request(`${BASE_URL}${scene.pathOf(operation)}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(method === 'GET' || body === undefined ? {} : { body: JSON.stringify(body.right) }),
  });
  return Promise.resolve(stage.app.fetch(request));
}

/** HMAC with the public key in place of a secret (RFC 8725 section 2.1). */
function confused(secret: string | Buffer, bits: 256 | 512): string {
  const signed = `${part({ alg: `HS${bits}`, typ: 'at+jwt', kid })}.${payload}`;
  return `${signed}.${createHmac(`sha${bits}`, secret).update(signed).digest('base64url')}`;
}
const publicKey = createPublicKey({ key: publicJwk as Record<string, string>, format: 'jwk' });
const pem = publicKey.export({ type: 'spki', format: 'pem' });
const otherKey = await makeSigningKey();
const otherPublic = { kty: otherKey.kty, n: otherKey.n, e: otherKey.e };
const foreign = (protectedHeader: Readonly<Record<string, unknown>>) =>
  importJWK(otherKey, 'RS256').then((imported) =>
    new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', ...protectedHeader })
      .sign(imported),
  );
const gone = await registerClient(stage.store.access, stage.world, {
  fleetId: FLEET_ID,
  permissions: ['vehicles'],
});
await stage.store.access.deleteClient(gone.clientId);

const WRONG: Readonly<Record<string, string>> = {
  'that has expired': await ours({ exp: nowS }),
  'that expired long ago': await ours({ iat: 0, exp: 1 }),
  'that is not valid yet': await ours({ nbf: nowS + 600 }),
  'that says it was issued in an hour': await ours({ iat: nowS + 3_600, exp: nowS + 7_200 }),
  'that says it was issued more than 60 s from now': await ours({ iat: nowS + 61 }),
  'of the type of id tokens, which is that of access tokens before the upgrade': await ours(
    {},
    { typ: 'JWT' },
  ),
  'of no type': await ours({}, {}),
  'of another type': await ours({}, { typ: 'logout+jwt' }),
  'for nobody': await ours({ aud: undefined }),
  'for its client': await ours({ aud: client.clientId }),
  'for another service': await ours({ aud: 'https://elsewhere.test' }),
  "for the service's name with a slash": await ours({ aud: `${BASE_URL}/` }),
  'for a list of services': await ours({ aud: [BASE_URL, 'https://elsewhere.test'] }),
  'of another issuer': await ours({ iss: 'https://elsewhere.test' }),
  "of the issuer's name with a slash": await ours({ iss: `${BASE_URL}/` }),
  'of two issuers': await ours({ iss: [BASE_URL] }),
  'of the algorithm none': `${part({ alg: 'none' })}.${payload}.`,
  'of the algorithm None, with a signature': `${part({ alg: 'None' })}.${payload}.${signature}`,
  'that is signed with the public key as PEM': confused(String(pem), 256),
  'that is signed with the public key as DER': confused(
    publicKey.export({ type: 'spki', format: 'der' }),
    256,
  ),
  'that is signed with the modulus': confused(Buffer.from(String(publicJwk.n), 'base64url'), 512),
  'that is signed with an empty secret': confused('', 256),
  'with the same key under another algorithm': `${part({ alg: 'RS512', kid })}.${payload}.${signature}`,
  'of another key': await foreign({ kid }),
  'of another key that it brings along': await foreign({ jwk: otherPublic }),
  'of another key that it says where to find': await foreign({ jku: 'http://elsewhere.test/jwks' }),
  'of another key whose name leads out of a folder': await foreign({ kid: '../../dev/null' }),
  'without a signature': `${header}.${payload}.`,
  'of two parts': `${header}.${payload}`,
  'of four parts': `${good}.${signature}`,
  'with an extension that must be understood': `${part({ alg: 'RS256', crit: ['x'], x: 1 })}.${payload}.${signature}`,
  'of a deleted client': await ours({ client_id: gone.clientId }),
  'of a client that never was': await ours({ client_id: 'nobody' }),
  'whose client is of another fleet': await ours({ fleet_id: PARTNER_FLEET_ID }),
  'whose client has the name of what every object has': await ours({ client_id: '__proto__' }),
  'without a client': await ours({ client_id: undefined }),
  'without an end': await ours({ exp: undefined }),
  'whose scope is a list': await ours({ scope: ['VEHICLES'] }),
  'whose subject is a list': await ours({ sub: [] }),
  'of a grant that is not there': await ours({ grant_id: 'none' }),
  'whose grant is a number': await ours({ grant_id: 1 }),
  'of 100,000 characters': `${header}.${payload}.${'A'.repeat(100_000)}`,
  'of 100,000 dots': '.'.repeat(100_000),
};

describe('the token from which the invalid ones are derived', () => {
  test('is valid', async () => {
    const list = secured.find(({ name }) => name === 'GET /vehicles');
    expect(list === undefined ? 0 : (await send(list, `Bearer ${good}`)).status).toBe(200);
  });
});

describe('an invalid token', () => {
  test.each(Object.entries(WRONG))('%s is a 401 of every operation', async (_name, token) => {
    for (const operation of secured) {
      const ask = () => send(operation, `Bearer ${token}`);
      const body = await expectRefused(scene, { statuses: [401], ask });
      expect(body['type']).toBe('/problems/invalid-credentials');
    }
  });

  test('with anything in it changed is a 401', async () => {
    const operations = fc.constantFrom(...secured);
    const changed = fc.oneof(
      // Not the last character: some of its bits do not belong to the signature.
      fc
        .tuple(fc.nat(good.length - 2), fc.constantFrom(...'AZaz09-_.'))
        .map(([index, sign]) => good.slice(0, index) + sign + good.slice(index + 1)),
      fc.nat(good.length - 1).map((length) => good.slice(0, length)),
      fc
        .tuple(fc.constantFrom(...Object.keys(claims), 'nbf', 'aud', '__proto__'), fc.jsonValue())
        .map(([name, value]) => `${header}.${part({ ...claims, [name]: value })}.${signature}`),
      fc.jsonValue().map((value) => `${part(value)}.${payload}.${signature}`),
      fc.jsonValue().map((value) => `${header}.${part(value)}.${signature}`),
      fc.base64String().map((text) => `${text}.${payload}.${signature}`),
    );
    await fc.assert(
      fc.asyncProperty(operations, changed, async (operation, token) => {
        fc.pre(token !== good);
        await expectRefused(scene, { statuses: [401], ask: () => send(operation, `Bearer ${token}`) });
      }),
      { numRuns: 500 },
    );
  });

  test('with claims of any type is a 401, although it is signed with our own key', async () => {
    // The claims that every token must have.
    const needed = fc.constantFrom(
      'iss',
      'sub',
      'aud',
      'exp',
      'iat',
      'jti',
      'client_id',
      'fleet_id',
      'scope',
      'nbf',
    );
    const noText = fc.oneof(fc.constantFrom(null, true, {}, [], ['x'], '', 'x', 1e300, -1), fc.jsonValue());
    const list = secured.filter(({ name }) => name === 'PATCH /vehicles/{id}');
    await fc.assert(
      fc.asyncProperty(needed, noText, fc.constantFrom(...list), async (name, value, operation) => {
        // Any text is valid here, and so is a time in the past.
        fc.pre(!(['sub', 'jti', 'scope'].includes(name) && typeof value === 'string'));
        fc.pre(!(['iat', 'exp', 'nbf'].includes(name) && typeof value === 'number'));
        const token = await ours({ [name]: value });
        await expectRefused(scene, { statuses: [401], ask: () => send(operation, `Bearer ${token}`) });
      }),
      { numRuns: 200 },
    );
  });

  test('in the wrong place or format is a 401', async () => {
    const authorization = fc.oneof(
      fc.constantFrom(
        '',
        'Bearer',
        'Bearer ',
        'bearer',
        `Basic ${good}`,
        good,
        `Bearer${good}`,
        `Bearer ${good} x`,
      ),
      fc.constantFrom(
        `Bearer "${good}"`,
        `Bearer ${good},`,
        `Bearer ${good}, Bearer ${good}`,
        `Token ${good}`,
      ),
      fc.stringMatching(/^[ -~]{0,200}$/),
      fc.stringMatching(/^[ -~]{0,200}$/).map((text) => `Bearer ${text}`),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...secured), authorization, async (operation, text) => {
        await expectRefused(scene, { statuses: [401], ask: () => send(operation, text) });
      }),
      { numRuns: 300 },
    );
  });
});

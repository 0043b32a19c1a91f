import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openSignInService, type SignInService } from '../support/http/sign-in-service.ts';
import { anyCharacter } from '../support/run/any-character.ts';

const base64 = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('base64url'));
const json = fc.json().map((text) => Buffer.from(text).toString('base64url'));
const jwt = fc.tuple(fc.oneof(json, base64), fc.oneof(json, base64), base64).map((parts) => parts.join('.'));
const visible = fc.stringMatching(/^[ -~]{0,200}$/);
const header = fc.oneof(
  visible,
  jwt.map((token) => `Bearer ${token}`),
  visible.map((text) => `Bearer ${text}`),
  visible.map((text) => `Basic ${Buffer.from(text).toString('base64')}`),
  fc.constantFrom('Bearer', 'Bearer ..', `Bearer ${'.'.repeat(1000)}`, `Bearer ${'a'.repeat(4000)}`),
);
const value = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.constantFrom(
    'app',
    'phone',
    'code',
    'S256',
    'VEHICLES_RO',
    'openid',
    '__proto__',
    'constructor',
    'none',
  ),
  fc.constantFrom(
    'http://127.0.0.1:1/callback',
    'http://[',
    'authorization_code',
    'refresh_token',
    'x'.repeat(2000),
  ),
);
const name = fc.constantFrom(
  ...[
    'client_id',
    'redirect_uri',
    'response_type',
    'scope',
    'state',
    'code_challenge',
    'code_challenge_method',
  ],
  ...['prompt', 'nonce', 'grant_type', 'code', 'code_verifier', 'refresh_token', 'client_secret', 'token'],
  ...['form_token', 'deed', 'decision', 'name', 'password', '__proto__', 'toString'],
);
const pairs = fc.array(fc.tuple(name, value), { maxLength: 8 });
const NO_INSIDE = /\bat .+:\d+:\d+|node_modules|\.ts\b/;

async function settled(scene: SignInService, request: Request, statuses: readonly number[]): Promise<void> {
  const answer = await scene.send(request);
  expect(statuses).toContain(answer.status);
  expect(await answer.text()).not.toMatch(NO_INSIDE);
  expect(answer.headers.get('x-service-flow-id')).toMatch(/^[0-9a-f-]{36}$/);
}

/** Authorization headers, authorization requests and token requests of every wrong shape. */
describe('authorization', () => {
  test('answers any Authorization header with 401, never with a failure', async () => {
    const scene = await openSignInService();
    await fc.assert(
      fc.asyncProperty(header, (authorization) =>
        settled(scene, new Request(`${scene.baseUrl}/vehicles`, { headers: { authorization } }), [401]),
      ),
      { numRuns: 500 },
    );
  });

  test('answers any authorization request with a page or a redirect to a registered address', async () => {
    const scene = await openSignInService();
    await fc.assert(
      fc.asyncProperty(pairs, fc.boolean(), async (parameters, isPost) => {
        const address = scene.asking();
        for (const [key, text] of parameters) address.searchParams.set(key, text);
        const init = isPost
          ? {
              method: 'POST',
              headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: 'session=x' },
              body: new URLSearchParams(parameters).toString(),
            }
          : {};
        const answer = await scene.send(new Request(address, init));
        expect([200, 302, 303, 400, 403, 429]).toContain(answer.status);
        const location = answer.headers.get('location');
        if (location !== null)
          expect(location).toMatch(/^(http:\/\/127\.0\.0\.1(:\d+)?\/callback\?|\/auth\/oauth\/authorize\?)/);
        expect(await answer.text()).not.toMatch(NO_INSIDE);
      }),
      { numRuns: 500 },
    );
  });

  test('answers any form to the token and the revocation endpoint with a declared answer', async () => {
    const scene = await openSignInService();
    let client = 0;
    await fc.assert(
      fc.asyncProperty(
        pairs,
        header,
        fc.constantFrom('token', 'revoke'),
        async (parameters, authorization, path) => {
          client += 1;
          const request = new Request(`${scene.baseUrl}/auth/oauth/${path}`, {
            method: 'POST',
            headers: {
              'content-type': 'application/x-www-form-urlencoded',
              ...(client % 2 === 0 ? {} : { authorization }),
            },
            body: new URLSearchParams(parameters).toString(),
          });
          await settled(scene, request, path === 'token' ? [400, 401, 429] : [200, 400, 401, 429]);
        },
      ),
      { numRuns: 500 },
    );
    expect(scene.stage.complaints.filter((line) => line.level === 'error')).toEqual([]);
  });
});

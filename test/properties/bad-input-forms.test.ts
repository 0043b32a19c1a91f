import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { registerClient } from '../../backend/access/clients.ts';
import { type FilledService, openFilledService } from '../support/http/service-at-every-path.ts';
import { FLEET_ID } from '../support/http/test-service.ts';
import { anyCharacter } from '../support/run/any-character.ts';

/** Sign-in and tokens: they take forms, and answer as in RFC 6749 or with a page. */
const scene: FilledService = await openFilledService();
const { stage } = scene;
const REDIRECT = 'https://app.test/back';
const client = await registerClient(stage.store.access, stage.world, {
  fleetId: FLEET_ID,
  permissions: ['vehicles'],
  redirectUris: [REDIRECT],
});
const basic = `Basic ${btoa(`${client.clientId}:${client.clientSecret}`)}`;
const open = scene.operations.filter(({ isSecured }) => !isSecured);
const posts = open.filter(({ method }) => method === 'POST');

const text = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 60 }),
  fc.constantFrom(
    '',
    'x',
    client.clientId,
    REDIRECT,
    '../..',
    '\u0000',
    '__proto__',
    'a'.repeat(3_000),
    '<script>',
  ),
);
/** What parameters are seldom without, so that more than their absence is met. */
const SEEMLY = new Map<string, readonly string[]>([
  [
    'grant_type',
    ['authorization_code', 'refresh_token', 'password', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
  ],
  ['response_type', ['code', 'token', 'code token', 'id_token']],
  ['code_challenge_method', ['S256', 'plain']],
  ['code_challenge', ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM']],
  ['scope', ['VEHICLES', 'openid', 'VEHICLES VEHICLES', 'ROOT']],
  ['redirect_uri', [REDIRECT, `${REDIRECT}/`, 'javascript:alert(1)', 'https://app.test@evil.test/back']],
  ['client_id', [client.clientId]],
  ['prompt', ['none', 'login', 'none login']],
  ['deed', ['sign-in', 'consent', 'x']],
  ['decision', ['allow', 'deny']],
]);
const value = (name: string) => fc.oneof(text, fc.constantFrom(...(SEEMLY.get(name) ?? ['x'])));
const NAMES = [
  ...[
    'grant_type',
    'scope',
    'code',
    'redirect_uri',
    'code_verifier',
    'refresh_token',
    'client_id',
    'client_secret',
  ],
  ...[
    'token',
    'token_type_hint',
    'response_type',
    'code_challenge',
    'code_challenge_method',
    'state',
    'nonce',
  ],
  ...['prompt', 'form_token', 'deed', 'name', 'password', 'decision', '__proto__', 'x', ''],
];
const pairs = fc.array(
  fc.constantFrom(...NAMES).chain((name) => value(name).map((one) => [name, one] as const)),
  { maxLength: 8 },
);
const encoded = (made: readonly (readonly [string, string])[]) =>
  made
    .map(([name, one]) => `${encodeURIComponent(name)}=${encodeURIComponent(one.toWellFormed())}`)
    .join('&');
const form = fc.oneof(
  { weight: 5, arbitrary: pairs.map(encoded) },
  fc.stringMatching(/^[&=%+;A-Za-z0-9]{0,80}$/),
  fc.json(),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Uint8Array.from(bytes)),
  fc.constantFrom('%', '%zz', '%ff%fe', '&'.repeat(60_000), `a=${'%00'.repeat(1_000)}`),
);
const mediaType = fc.oneof(
  { weight: 8, arbitrary: fc.constant('application/x-www-form-urlencoded') },
  fc.constantFrom(
    'application/json',
    'text/plain',
    'multipart/form-data',
    'application/x-www-form-urlencoded; charset=x',
  ),
);
const authorization = fc.oneof(
  fc.constantFrom(
    basic,
    'Basic',
    'Basic Og==',
    'Basic %%%',
    `${basic}x`,
    `Bearer ${scene.token}`,
    'Basic /w==',
  ),
  fc.string({ unit: anyCharacter }).map((one) => `Basic ${Buffer.from(one).toString('base64')}`),
  fc.stringMatching(/^[ -~]{0,60}$/),
);

/** Words of the inside of the service, which no page and no error has. */
const INSIDE = /\bat .+:\d+:\d+|node_modules|node:internal|\b(Type|Range|Syntax|Sqlite)Error\b|\[object /i;

async function expectHarmless(ask: () => Promise<Response>): Promise<Response> {
  // The windows in which tokens and sign-ins are counted.
  await stage.loop.runUntil(stage.loop.nowMs + 60_000);
  const before = scene.digest();
  const answer = await ask();
  expect(await answer.clone().text()).not.toMatch(INSIDE);
  expect(answer.status).not.toBe(500);
  expect(scene.digest(), 'the state stays as it was').toBe(before);
  expect(stage.complaints.filter(({ level }) => level === 'error')).toEqual([]);
  return answer;
}

describe('a wrong form', () => {
  test.each(posts)(
    'for $name is refused in the format of the endpoint, and nothing changes',
    async ({ method, path }) => {
      const query = fc.oneof(fc.constant(''), pairs.map(encoded));
      await fc.assert(
        fc.asyncProperty(
          form,
          query,
          mediaType,
          fc.option(authorization),
          async (body, asked, type, credentials) => {
            const headers = {
              'content-type': type,
              ...(credentials === null ? {} : { authorization: credentials }),
            };
            const answer = await expectHarmless(() =>
              stage.ask(method, `${path}?${asked}`, { headers, body }),
            );
            // Revoking an invalid token is a success (RFC 7009 section 2.2).
            const isRevoked = path.endsWith('/revoke') && answer.status === 200;
            // Once client and redirect URI are known, an error goes back to the client (RFC 6749 section 4.1.2.1).
            const location = answer.headers.get('location');
            if (answer.status === 303 && path.endsWith('/authorize')) {
              expect(location?.startsWith(`${REDIRECT}?`)).toBe(true);
              expect(new URL(location ?? '').searchParams.get('error')).not.toBeNull();
            } else if (!isRevoked) expect([400, 401, 403, 413, 415]).toContain(answer.status);
          },
        ),
        { numRuns: 300 },
      );
    },
  );
});

describe('a wrong query', () => {
  test.each(open.filter(({ method }) => method === 'GET'))('for $name changes nothing', async ({ path }) => {
    await fc.assert(
      fc.asyncProperty(pairs, async (made) => {
        const answer = await expectHarmless(() => stage.ask('GET', `${path}?${encoded(made)}`));
        const location = answer.headers.get('location');
        expect([200, 302, 400]).toContain(answer.status);
        if (location !== null && !location.startsWith('/'))
          expect(location.startsWith(`${REDIRECT}?`)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });
});

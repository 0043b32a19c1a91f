import { beforeEach, describe, expect, test } from 'vitest';
import { missingAccess } from '../../../../backend/access/bearer.ts';
import { libraryErrorText } from '../../../../backend/access/oauth/library-errors.ts';
import { SCOPES, scopesCovering } from '../../../../contract/permissions.ts';
import { openSignInService, type SignInService } from '../../../support/http/sign-in-service.ts';

let scene: SignInService;
beforeEach(async () => {
  scene = await openSignInService();
});

describe('a refused token request says in our own text', () => {
  const said = async (fields: Readonly<Record<string, string>>, client?: string) =>
    String((await scene.post('/auth/oauth/token', fields, client)).body['error_description']);
  const CODE = { grant_type: 'authorization_code', redirect_uri: 'http://127.0.0.1:4711/callback' };

  test.each([
    [
      'which scope the client may not have',
      { scope: 'VEHICLES_RO VEHICLE_CONFIGURATION' },
      /not have the scope VEHICLE_CONFIGURATION\.$/,
    ],
    [
      'which scope there is not',
      { scope: 'EVERYTHING' },
      /^There is no scope EVERYTHING; there are: VEHICLE_COMMANDS, /,
    ],
    ['that a scope has a wrong character', { scope: 'A"B' }, /^scope contains a character/],
    ['that the code is missing', CODE, /^code is missing\.$/],
    ['that a code is not right', { ...CODE, code: 'guess' }, /^The code is unknown, already used/],
    ['that a refresh token is missing', { grant_type: 'refresh_token' }, /^refresh_token is missing\.$/],
    [
      'that a refresh token is not right',
      { grant_type: 'refresh_token', refresh_token: 'x' },
      /^The refresh token is unknown/,
    ],
  ])('%s', async (_case, fields, sentence) => {
    expect(await said({ grant_type: 'client_credentials', ...fields })).toMatch(sentence);
  });

  test('that a grant is not for the client, or needs a secret', async () => {
    const refresh = { grant_type: 'refresh_token', refresh_token: 'x' };
    expect(await said(refresh, 'machine')).toMatch(/^The client may not use this grant/);
    expect(await said({ grant_type: 'client_credentials' }, 'phone')).toBe(
      'The secret of the client is missing.',
    );
  });

  test('that the verifier is missing or wrong', async () => {
    const exchanged = async (verifier: string) =>
      (await scene.exchange(await scene.code(), { code_verifier: verifier })).body['error_description'];
    expect(await exchanged('')).toBe('code_verifier is missing.');
    expect(await exchanged('x'.repeat(43))).toMatch(/^code_verifier does not match/);
  });

  test('any other error of the library', () => {
    expect(libraryErrorText({ name: 'invalid_request', message: 'Something New: `x` is odd' })).toMatch(
      /^A parameter /,
    );
    expect(libraryErrorText({ name: 'something_new', message: 'Odd' })).toBe('The request was refused.');
  });
});

describe('an authorization request', () => {
  test('that is refused at the redirect URI names the scope', async () => {
    const wrong = await scene.browser.open(scene.asking({ scope: 'VEHICLE_CONFIGURATION' }));
    expect(wrong.at.searchParams.get('error_description')).toBe(
      'The client may not have the scope VEHICLE_CONFIGURATION.',
    );
    const type = await scene.browser.open(scene.asking({ response_type: 'token' }));
    expect(type.at.searchParams.get('error_description')).toBe('response_type must be code.');
  });

  test.each([
    [
      'plain',
      { code_challenge_method: 'plain' },
      /^The code_challenge_method plain, .* is not supported: use S256\.$/,
    ],
    ['none, which means plain', { code_challenge_method: undefined }, /plain, which is the default/],
    ['another', { code_challenge_method: 'S512' }, /with code_challenge_method S256/],
    [
      'none, and no challenge',
      { code_challenge_method: undefined, code_challenge: undefined },
      /PKCE is required/,
    ],
  ])('is told what to use in place of the PKCE method: %s', async (_case, change, sentence) => {
    const { at } = await scene.browser.open(scene.asking(change));
    expect(at.searchParams.get('error')).toBe('invalid_request');
    expect(at.searchParams.get('error_description')).toMatch(sentence);
  });

  test('with a redirect URI that is not registered shows what to do and which forms are accepted', async () => {
    const { html } = await scene.browser.open(scene.asking({ redirect_uri: 'https://evil.test/callback' }));
    expect(html).toContain('have this one registered');
    expect(html).toContain('http://127.0.0.1 and http://[::1] on any port');
    // Those of the client are nobody else's affair.
    expect(html).not.toContain('app.test');
    const { html: none } = await scene.browser.open(scene.asking({ client_id: 'machine' }));
    expect(none).toContain('Have one registered.');
  });
});

describe('a full scope', () => {
  test('allows what its read-only scope allows, and not vice versa', async () => {
    expect(scopesCovering('VEHICLES_RO')).toEqual(['VEHICLES_RO', 'VEHICLES']);
    expect(scopesCovering('VEHICLE_CONFIGURATION_RO')).toEqual([
      'VEHICLE_CONFIGURATION_RO',
      'VEHICLE_CONFIGURATION',
    ]);
    for (const scope of SCOPES)
      if (!scope.endsWith('_RO')) expect(scopesCovering(scope), scope).toEqual([scope]);

    const fields = { grant_type: 'client_credentials', scope: 'VEHICLES' };
    const { body } = await scene.post('/auth/oauth/token', fields);
    expect(body['scope']).toBe('VEHICLES');
    expect(await scene.look(body['access_token'])).toBe(200);
  });

  test('is declared in the document as an alternative', async () => {
    const answer = await scene.send(new Request(`${scene.baseUrl}/openapi.json`));
    const { paths } = (await answer.json()) as {
      paths: Record<string, Record<string, { security: unknown }>>;
    };
    expect(paths['/vehicles']?.['get']?.security).toEqual([
      { oauth: ['VEHICLES_RO'] },
      { oauth: ['VEHICLES'] },
    ]);
    expect(paths['/vehicles']?.['post']?.security).toEqual([{ oauth: ['VEHICLES'] }]);
  });
});

test('a 403 says whether the client or the person lacks the permission', () => {
  const demand = { scope: 'VEHICLES', permission: 'vehicles' } as const;
  const caller = { clientId: 'app', fleetId: 'FLEET1', scopes: new Set(['VEHICLES']), permissions: [] };
  expect(missingAccess(caller, demand)?.refusal.detail).toBe('The client lacks the permission vehicles.');
  expect(missingAccess({ ...caller, clientPermissions: [] }, demand)?.refusal.detail).toBe(
    'The client lacks the permission vehicles.',
  );
  expect(missingAccess({ ...caller, clientPermissions: ['vehicles'] }, demand)?.refusal.detail).toBe(
    'The person for whom the client acts lacks the permission vehicles.',
  );
});

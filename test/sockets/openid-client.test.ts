import * as client from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIn } from '../support/http/sign-in-service.ts';
import { type SignInServer, startSignInServer } from '../support/sockets/sign-in-server.ts';

/** The client library that people use, against our discovery document. */
let sockets: SignInServer;
beforeAll(async () => {
  sockets = await startSignInServer();
});
afterAll(() => sockets.close());

const REDIRECT = 'http://127.0.0.1:53682/callback';

async function configured(
  clientId: string,
  authentication: client.ClientAuth,
): Promise<client.Configuration> {
  const options = { execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks] };
  return client.discovery(new URL(sockets.baseUrl), clientId, undefined, authentication, options);
}

async function vehiclesWith(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${sockets.baseUrl}/vehicles`, { headers })).status;
}

describe('openid-client', () => {
  test.each([
    ['client_secret_basic', client.ClientSecretBasic('secret-of-machine')],
    ['client_secret_post', client.ClientSecretPost('secret-of-machine')],
  ])('fetches a token with client credentials by %s', async (_name, authentication) => {
    const config = await configured('machine', authentication);
    const tokens = await client.clientCredentialsGrant(config, { scope: 'VEHICLES_RO' });
    expect(tokens.token_type).toBe('bearer');
    expect(tokens.expires_in).toBe(3600);
    expect(await vehiclesWith(tokens.access_token)).toBe(200);
  });

  test.each([
    ['a client with a secret', 'app', client.ClientSecretBasic('secret-of-app')],
    ['a public client', 'phone', client.None()],
  ])(
    'takes a person of %s through sign-in and consent, refreshes and revokes',
    async (_name, clientId, auth) => {
      const config = await configured(clientId, auth);
      const verifier = client.randomPKCECodeVerifier();
      const [state, nonce] = [client.randomState(), client.randomNonce()];
      const start = client.buildAuthorizationUrl(config, {
        redirect_uri: REDIRECT,
        scope: 'openid VEHICLES_RO',
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      });
      const browser = sockets.browser();
      const consent = await signIn(browser, await browser.open(start));
      const back = await browser.submit(consent, 'consent', { decision: 'allow' });
      expect(back.at.href.startsWith(REDIRECT)).toBe(true);

      const tokens = await client.authorizationCodeGrant(config, back.at, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      expect(tokens.scope).toBe('openid VEHICLES_RO');
      expect(tokens.claims()?.sub).toMatch(/^user-/);
      expect(await vehiclesWith(tokens.access_token)).toBe(200);

      const fresh = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
      expect(await vehiclesWith(fresh.access_token)).toBe(200);
      await client.tokenRevocation(config, fresh.refresh_token ?? '');
      await expect(client.refreshTokenGrant(config, fresh.refresh_token ?? '')).rejects.toMatchObject({
        error: 'invalid_grant',
      });
    },
  );

  test('gets an error when the person denies access', async () => {
    const config = await configured('app', client.ClientSecretBasic('secret-of-app'));
    const verifier = client.randomPKCECodeVerifier();
    const start = client.buildAuthorizationUrl(config, {
      redirect_uri: REDIRECT,
      scope: 'openid',
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    });
    const browser = sockets.browser();
    const consent = await signIn(browser, await browser.open(start));
    const back = await browser.submit(consent, 'consent', { decision: 'deny' });
    await expect(
      client.authorizationCodeGrant(config, back.at, { pkceCodeVerifier: verifier }),
    ).rejects.toMatchObject({ error: 'access_denied' });
  });
});

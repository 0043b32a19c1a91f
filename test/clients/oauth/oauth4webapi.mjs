// node oauth4webapi.mjs API CLIENT_ID CLIENT_SECRET REDIRECT_URI
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import * as oauth from 'oauth4webapi';

const [api, client_id, secret, redirectUri] = process.argv.slice(2);
const options = { [oauth.allowInsecureRequests]: true };
const say = (...words) => process.stdout.write(`${words.join(' ')}\n`);

const issuer = new URL(api);
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, options));
const client = { client_id };
const authentication = oauth.ClientSecretPost(secret);

const machine = await oauth.clientCredentialsGrantRequest(
  server,
  client,
  authentication,
  { scope: 'VEHICLES_RO' },
  options,
);
say('machine', (await oauth.processClientCredentialsResponse(server, client, machine)).scope);

const verifier = oauth.generateRandomCodeVerifier();
const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
const url = new URL(server.authorization_endpoint);
url.search = new URLSearchParams({
  client_id,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'openid VEHICLES_RO',
  code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
  nonce,
});
say('open', url);
const [answer] = await once(createInterface(process.stdin), 'line');
const parameters = oauth.validateAuthResponse(server, client, new URL(answer), state);
const exchange = await oauth.authorizationCodeGrantRequest(
  server,
  client,
  authentication,
  parameters,
  redirectUri,
  verifier,
  options,
);
const tokens = await oauth.processAuthorizationCodeResponse(server, client, exchange, {
  expectedNonce: nonce,
  requireIdToken: true,
});
say('person', tokens.scope);
const refresh = await oauth.refreshTokenGrantRequest(
  server,
  client,
  authentication,
  tokens.refresh_token,
  options,
);
const refreshed = await oauth.processRefreshTokenResponse(server, client, refresh);
say('refreshed', refreshed.scope);
const vehicles = await oauth.protectedResourceRequest(
  refreshed.access_token,
  'GET',
  new URL(`${api}/vehicles`),
  new Headers(),
  undefined,
  options,
);
say('vehicles', vehicles.status);
process.exit();

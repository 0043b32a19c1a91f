import { createRoute, z } from '@hono/zod-openapi';
import type { World } from '../../world/world.ts';
import type { App } from '../http/app.ts';
import { refuse } from '../http/environment.ts';
import { problem } from '../http/problem.ts';
import type { AccessStore } from '../store/store.ts';
import { SCOPES } from './permissions.ts';
import { makeSecretCheck } from './secret-check.ts';
import { grantToken } from './token.ts';
import { GRANT_TYPES, readTokenRequest } from './token-request.ts';

export const TOKEN_PATH = '/auth/oauth/token';
export const KEYS_PATH = '/auth/oauth/jwks';
export const DISCOVERY_PATH = '/.well-known/openid-configuration';

export interface AccessRoutesParts {
  readonly world: Pick<World, 'seal' | 'mint' | 'time'>;
  readonly store: Pick<AccessStore, 'findClient'>;
  readonly baseUrl: string;
}

/** Keys and discovery change with a release or a new key at most. */
const SHORT_CACHE = { 'Cache-Control': 'public, max-age=300' };
/** RFC 6749 section 5.1 */
const NO_CACHE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** The token endpoint and what a client needs to check tokens itself. */
export function accessRoutes(app: App, parts: AccessRoutesParts): void {
  const { world, store, baseUrl } = parts;
  const checkSecret = makeSecretCheck(store, world);

  app.openapi(tokenRoute, async (c) => {
    const query = new URL(c.req.url).searchParams;
    const read = readTokenRequest(query, c.get('body'), c.req.header('authorization'));
    const answer = await grantToken({ world, issuer: baseUrl, checkSecret }, read);
    switch (answer.kind) {
      case 'token': {
        const { accessToken, expiresInS, scope } = answer;
        const body = { access_token: accessToken, token_type: 'bearer', expires_in: expiresInS, scope };
        return c.json(body, 200, NO_CACHE);
      }
      case 'error': {
        const { error, description } = answer.error;
        const body = { error, error_description: description };
        return error === 'invalid_client'
          ? c.json(body, 401, { ...NO_CACHE, 'WWW-Authenticate': 'Basic realm="service", charset="UTF-8"' })
          : c.json(body, 400, NO_CACHE);
      }
      case 'busy': {
        const refusal = problem('too-many-requests', 'Too many clients ask for tokens at this moment.');
        return refuse(c, refusal, { 'Retry-After': '1' });
      }
      default:
        return answer satisfies never;
    }
  });
  app.openapi(keysRoute, (c) => c.json(world.seal.publicKeys(), 200, SHORT_CACHE));
  app.openapi(discoveryRoute, (c) => c.json(discovery(baseUrl), 200, SHORT_CACHE));
}

/** OpenID Connect Discovery 1.0 and RFC 8414, with what the service can do today. */
export function discovery(issuer: string): Readonly<Record<string, string | readonly string[]>> {
  return {
    issuer,
    token_endpoint: `${issuer}${TOKEN_PATH}`,
    jwks_uri: `${issuer}${KEYS_PATH}`,
    grant_types_supported: GRANT_TYPES,
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    scopes_supported: SCOPES,
    response_types_supported: [],
  };
}

const tokenRoute = createRoute({
  method: 'post',
  path: TOKEN_PATH,
  tags: ['Authentication'],
  summary: 'Gives an access token to a client.',
  responses: {
    200: {
      description: 'The token.',
      content: {
        'application/json': {
          schema: z.object({
            access_token: z.string(),
            token_type: z.literal('bearer'),
            expires_in: z.int(),
            scope: z.string(),
          }),
        },
      },
    },
    400: { description: 'An error of RFC 6749 section 5.2.' },
    401: { description: 'The client is unknown or its secret wrong.' },
    429: { description: 'Too many token requests at this moment.' },
  },
});

const keysRoute = createRoute({
  method: 'get',
  path: KEYS_PATH,
  tags: ['Authentication'],
  summary: 'The public keys that tokens are signed with, as a JWK set.',
  responses: { 200: { description: 'The keys.' } },
});

const discoveryRoute = createRoute({
  method: 'get',
  path: DISCOVERY_PATH,
  tags: ['Authentication'],
  summary: 'What the authorization server can do, and where.',
  responses: { 200: { description: 'The document.' } },
});

import { createRoute, z } from '@hono/zod-openapi';
import { LIMITS } from '../../../contract/limits.ts';
import { OPENID_NAMES, SCOPES } from '../../../contract/permissions.ts';
import { problem } from '../../../contract/problems.ts';
import type { World } from '../../../world/world.ts';
import {
  AUTHORIZE_PATH,
  DISCOVERY_PATH,
  KEYS_PATH,
  REVOKE_PATH,
  TOKEN_PATH,
} from '../../access/oauth/paths.ts';
import { revoke } from '../../access/oauth/revoke.ts';
import { answerTokenRequest } from '../../access/oauth/token.ts';
import {
  GRANT_TYPES,
  readClientRequest,
  readTokenRequest,
  type TokenError,
} from '../../access/oauth/token-request.ts';
import { makeSecretCheck, type TryLater } from '../../access/secret-check.ts';
import { type CallCount, makeCallWindow, retryAfterS } from '../../base/call-window.ts';
import { accessLimits } from '../../base/limits.ts';
import type { Store } from '../../store/port/store.ts';
import type { App } from '../app.ts';
import { type AppContext, addressOf, refuse } from '../environment.ts';
import { documentedProblems } from '../openapi/documented.ts';
import { authorizeRoutes } from './authorize-routes.ts';
import { type DocumentedField, formFields, queryField } from './oauth-fields.ts';

export interface OAuthRoutesParts {
  readonly world: Pick<World, 'crypto' | 'ids' | 'time'>;
  readonly store: Pick<Store, 'access' | 'grants'>;
  readonly baseUrl: string;
  /** How long an access token issued now is valid, in seconds. */
  readonly accessTokenS: () => number;
}

/** Keys and discovery change with a release or a new key at most. */
const SHORT_CACHE = { 'Cache-Control': 'public, max-age=300' };
/** RFC 6749 section 5.1 */
const NO_CACHE = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** The authorization server: tokens, sign-in, and what a client needs to check tokens itself. */
export function oauthRoutes(app: App, parts: OAuthRoutesParts): void {
  const { world, store, baseUrl, accessTokenS } = parts;
  const { time } = world;
  const check = makeSecretCheck(store.access, world);
  const checkFrom = (c: AppContext) => (clientId: string, secret: string) =>
    check(clientId, secret, addressOf(c));
  const window = { windowMs: LIMITS.quota.windowMs, keys: accessLimits.countedKeys };
  const ofClient = makeCallWindow({ ...window, limit: LIMITS.quota.tokenRequests }, time);
  const ofAddress = makeCallWindow({ ...window, limit: accessLimits.tokensOfAddress }, time);
  const issuer = { world, issuer: baseUrl };

  // Counted by client and address, so that a caller cannot exhaust the quota of another client by sending its id.
  const overrun = (c: AppContext, clientId: string): CallCount | undefined => {
    const address = addressOf(c);
    const counted = [ofAddress.count(address), ofClient.count(`${clientId}\n${address}`)];
    return counted.find((one) => one.isOver);
  };
  const tooMany = (c: AppContext, over: CallCount): Response =>
    notNow(c, {
      reason: `There were ${over.limit} token requests in this minute.`,
      retryAfterS: retryAfterS(over, time.nowMs()),
    });

  app.openapi(tokenRoute, async (c) => {
    const query = new URL(c.req.url).searchParams;
    const read = readTokenRequest(query, c.get('body'), c.req.header('authorization'));
    const over = overrun(c, read.ok ? (read.fields.client_id ?? '') : '');
    if (over !== undefined) return tooMany(c, over);
    const checkSecret = checkFrom(c);
    const tokens = { ...issuer, store: store.access, grants: store.grants, checkSecret, accessTokenS };
    const answer = await answerTokenRequest(tokens, read);
    switch (answer.kind) {
      case 'token': {
        const { accessToken, expiresInS, scope, refreshToken, idToken } = answer.tokens;
        const body = {
          access_token: accessToken,
          token_type: 'bearer' as const,
          expires_in: expiresInS,
          scope,
          ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
          ...(idToken === undefined ? {} : { id_token: idToken }),
        };
        return c.json(body, 200, NO_CACHE);
      }
      case 'error':
        return errorAnswer(c, answer.error);
      case 'later':
        return notNow(c, answer);
      default:
        return answer satisfies never;
    }
  });

  app.openapi(revokeRoute, async (c) => {
    const query = new URL(c.req.url).searchParams;
    const read = readClientRequest(query, c.get('body'), c.req.header('authorization'));
    const over = overrun(c, read.ok ? (read.fields.client_id ?? '') : '');
    if (over !== undefined) return tooMany(c, over);
    const findPublicClient = async (clientId: string) => {
      const client = await store.access.findClient(clientId);
      return client?.secretHash === '' ? client : undefined;
    };
    const checkSecret = checkFrom(c);
    const answer = await revoke({ ...issuer, grants: store.grants, checkSecret, findPublicClient }, read);
    switch (answer.kind) {
      case 'done':
        return c.body(null, 200, NO_CACHE);
      case 'error':
        return errorAnswer(c, answer.error);
      case 'later':
        return notNow(c, answer);
      default:
        return answer satisfies never;
    }
  });

  authorizeRoutes(app, { ...issuer, store });
  app.openapi(keysRoute, (c) => c.json({ keys: [...world.crypto.publicKeys().keys] }, 200, SHORT_CACHE));
  app.openapi(discoveryRoute, (c) => {
    const algorithms = world.crypto.publicKeys().keys.map((key) => String(key['alg']));
    return c.json(discovery(baseUrl, algorithms), 200, SHORT_CACHE);
  });
}

/** A refusal after which the client may retry later. */
function notNow(c: AppContext, later: Pick<TryLater, 'reason' | 'retryAfterS'>): Response {
  return refuse(c, problem('too-many-requests', later.reason), { 'Retry-After': String(later.retryAfterS) });
}

/** An error of RFC 6749 section 5.2. */
function errorAnswer(c: AppContext, { error, description }: TokenError) {
  const body = { error, error_description: description };
  return error === 'invalid_client'
    ? c.json(body, 401, { ...NO_CACHE, 'WWW-Authenticate': 'Basic realm="service", charset="UTF-8"' })
    : c.json(body, 400, NO_CACHE);
}

const errorSchema = z
  .object({
    error: z.string().describe('The code of the error: invalid_client.'),
    error_description: z.string().describe('What is wrong, in a sentence.'),
  })
  .describe('An error of the authorization server (RFC 6749 section 5.2).')
  .openapi('OAuthError');
const noCacheHeaders = z.object({
  Pragma: z.string().optional().describe('no-cache, as RFC 6749 section 5.1 requires.'),
});
const errorAnswers = {
  ...documentedProblems(['payload-too-large', 'unsupported-media-type', 'too-many-requests']),
  400: {
    description: 'An error of RFC 6749 section 5.2.',
    content: { 'application/json': { schema: errorSchema } },
    headers: noCacheHeaders,
  },
  401: {
    description: 'The client is unknown or its secret wrong (RFC 6749 section 5.2).',
    content: { 'application/json': { schema: errorSchema } },
    headers: noCacheHeaders.extend({
      'WWW-Authenticate': z.string().describe('How a client authenticates here (RFC 7617).'),
    }),
  },
};

/** Credentials and parameters, as they are documented; backend/access/oauth/token-request.ts reads them. */
const formBody = (description: string, names: readonly DocumentedField[]) => ({
  required: false,
  content: {
    'application/x-www-form-urlencoded': {
      schema: formFields(description, [...names, 'client_id', 'client_secret']),
    },
  },
});

const tokenRoute = createRoute({
  method: 'post',
  path: TOKEN_PATH,
  tags: ['Authentication'],
  summary: 'Issues tokens to a client.',
  description:
    'Grants: client_credentials, authorization_code, refresh_token. The client authenticates by Basic authentication ' +
    'or in the form body. grant_type and scope may also be given in the query.',
  parameters: [queryField('grant_type', false), queryField('scope', false)],
  requestBody: formBody('The token request.', [
    'grant_type',
    'scope',
    'code',
    'redirect_uri',
    'code_verifier',
    'refresh_token',
  ]),
  responses: {
    200: {
      description: 'The tokens.',
      headers: noCacheHeaders,
      content: {
        'application/json': {
          schema: z
            .object({
              access_token: z.string().describe('Send it in the Authorization header of each request.'),
              token_type: z.literal('bearer').describe('The type of the token (RFC 6750).'),
              expires_in: z.int().openapi({ description: 'How long it is valid. In s.', 'x-unit': 's' }),
              scope: z.string().describe('Its scopes, separated by spaces.'),
              refresh_token: z
                .string()
                .optional()
                .describe('With the code flow: for the next tokens, valid for one use.'),
              id_token: z.string().optional().describe('With the scope OPENID: who signed in, as a JWT.'),
            })
            .describe('The tokens (RFC 6749 section 5.1).')
            .openapi('Tokens'),
        },
      },
    },
    ...errorAnswers,
  },
});

const revokeRoute = createRoute({
  method: 'post',
  path: REVOKE_PATH,
  tags: ['Authentication'],
  summary: 'Revokes what a person granted, with all tokens of that grant (RFC 7009).',
  description:
    'The client authenticates as at the token endpoint. An unknown token is answered like a revoked one.',
  requestBody: formBody('The token whose grant is to be revoked.', ['token', 'token_type_hint']),
  responses: {
    200: { description: 'It is revoked, or was not a token of this client.', headers: noCacheHeaders },
    ...errorAnswers,
  },
});

const keySetSchema = z
  .object({
    keys: z.array(z.record(z.string(), z.unknown())).describe('The keys; `kid` in a token names its key.'),
  })
  .describe('A JWK set (RFC 7517).');

const keysRoute = createRoute({
  method: 'get',
  path: KEYS_PATH,
  tags: ['Authentication'],
  summary: 'The public keys that tokens are signed with, as a JWK set.',
  description: 'For checking tokens without a request to the service.',
  responses: {
    200: {
      description: 'The keys.',
      content: {
        'application/json': { schema: keySetSchema },
      },
    },
  },
});

const discoveryRoute = createRoute({
  method: 'get',
  path: DISCOVERY_PATH,
  tags: ['Authentication'],
  summary: 'What the authorization server can do, and where.',
  description: 'OpenID Connect Discovery 1.0 and RFC 8414.',
  responses: {
    200: {
      description: 'The document.',
      content: {
        'application/json': {
          schema: z.record(z.string(), z.unknown()).describe('The discovery document (RFC 8414).'),
        },
      },
    },
  },
});

/** Capabilities and endpoints of the server (OpenID Connect Discovery 1.0, RFC 8414, RFC 9207). */
export function discovery(
  issuer: string,
  signingAlgorithms: readonly string[],
): Record<string, string | boolean | string[]> {
  const authentication = ['client_secret_basic', 'client_secret_post', 'none'];
  return {
    issuer,
    authorization_endpoint: `${issuer}${AUTHORIZE_PATH}`,
    token_endpoint: `${issuer}${TOKEN_PATH}`,
    revocation_endpoint: `${issuer}${REVOKE_PATH}`,
    jwks_uri: `${issuer}${KEYS_PATH}`,
    grant_types_supported: [...GRANT_TYPES],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: authentication,
    revocation_endpoint_auth_methods_supported: authentication,
    scopes_supported: [...SCOPES, ...OPENID_NAMES],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...signingAlgorithms],
    claims_supported: ['iss', 'sub', 'aud', 'iat', 'exp', 'auth_time', 'nonce'],
    prompt_values_supported: ['none', 'login', 'consent'],
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
  };
}

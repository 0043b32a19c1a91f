import OAuth2Server from '@node-oauth/oauth2-server';
import type { AccessStore, Client } from '../store/access-store.ts';
import type { GrantsStore, User } from '../store/grants-store.ts';
import { type AuthorizationExtras, readExtras, stateOf } from './authorization-request.ts';
import { grantDigest, type Issuer } from './issue.ts';
import { inOurWords, scopeFault } from './library-words.ts';
import { accessLimits } from './limits.ts';
import { innerOf } from './oauth-token.ts';
import { OPENID, scopeNamed, scopesOf, sharedPermissions } from './permissions.ts';
import { isRegistered, REDIRECT_URI_FORMS, withParameters } from './redirect-uri.ts';
import type { SignedInUser } from './sessions.ts';

export interface AuthorizeParts extends Issuer {
  readonly store: Pick<AccessStore, 'findClient'>;
  readonly grants: Pick<GrantsStore, 'openGrant'>;
}

/** What becomes of an authorization request. */
export type Judgement =
  /** Client or redirect URI are wrong: the browser is led nowhere, a person reads why. */
  | { readonly kind: 'refused-here'; readonly reason: string }
  /** The browser is led back to the client: with an error, or with a code. */
  | { readonly kind: 'led-back'; readonly location: string }
  /** A person may be asked. */
  | ({ readonly kind: 'right'; readonly redirectUri: string; readonly client: Client } & Asked);

export interface Asked extends AuthorizationExtras {
  /** What the client would be given. */
  readonly scopes: readonly string[];
}

/** What is done with a request: nobody is signed in, or somebody is asked, or has decided. */
export type Deed =
  | { readonly kind: 'look'; readonly user: User | undefined }
  | { readonly kind: 'allow' | 'deny'; readonly by: SignedInUser };

/**
 * Carries one authorization request (RFC 6749 section 4.1). The library judges it whether or not somebody has
 * decided: before, nothing is written down. Its own redirects are not used: they lose the query of a redirect URI.
 * Rejects where the store fails.
 */
export async function carryAuthorization(
  parts: AuthorizeParts,
  query: URLSearchParams,
  deed: Deed,
): Promise<Judgement> {
  // The library would take an empty one for none, and lead to the first that is registered.
  const redirectUri = query.get('redirect_uri') ?? '';
  const isTwice = ['client_id', 'redirect_uri'].some((name) => query.getAll(name).length > 1);
  if (isTwice) return refusedHere('client_id or redirect_uri is given more than once.');
  if (redirectUri === '') return refusedHere(`redirect_uri is missing. ${REDIRECT_URI_FORMS}`);
  const extras = readExtras(query);
  const work = makeWork(parts, deed, extras);
  const server = new OAuth2Server({ model: work.model });
  const response = new OAuth2Server.Response();
  const leadBack = (parameters: Readonly<Record<string, string>>): Judgement => ({
    kind: 'led-back',
    location: withParameters(redirectUri, { ...parameters, state: stateOf(query), iss: parts.issuer }),
  });
  try {
    const code = await server.authorize(requestOf(query, deed), response, {
      allowEmptyState: true,
      authenticateHandler: { handle: () => work.user },
    });
    if ('error' in extras) return leadBack({ error: extras.error, error_description: extras.description });
    if (deed.kind !== 'look') return leadBack({ code: code.authorizationCode });
    return { kind: 'right', redirectUri, client: work.client(), scopes: code.scope ?? [], ...extras };
  } catch (error) {
    const reason = innerOf(error);
    if (!(reason instanceof OAuth2Server.OAuthError)) throw reason;
    // The library says where to lead only once client and redirect URI are right.
    return response.get('location') === undefined
      ? refusedHere(reasonForPeople(reason))
      : leadBack({ error: reason.name, error_description: inOurWords(reason) });
  }
}

/** What the page says: the client's developer reads it, and has to know what can be mended. */
function reasonForPeople(error: OAuth2Server.OAuthError): string {
  if (error.name === 'unauthorized_client')
    return 'The client has no redirect URI, so that nobody can sign in for it. Have one registered.';
  return error.message === OTHER_REDIRECT_URI
    ? `redirect_uri is not one that is registered for the client. Use one that is, character by character, or have this one registered. ${REDIRECT_URI_FORMS}`
    : inOurWords(error);
}

/** The library's word for a redirect URI that the client has not registered. */
const OTHER_REDIRECT_URI = 'Invalid client: `redirect_uri` does not match client value';

function refusedHere(reason: string): Judgement {
  return { kind: 'refused-here', reason };
}

/**
 * The parameters as the library takes them. It must not see those that end in a decision: only a deed decides. Nor those
 * of PKCE, which it would refuse in its own words: authorization-request.ts judges them, and the grant keeps them.
 */
function requestOf(query: URLSearchParams, deed: Deed): OAuth2Server.Request {
  const names = ['client_id', 'redirect_uri', 'response_type', 'state'];
  const parameters: Record<string, string> = {};
  for (const name of names) {
    const value = query.get(name);
    if (value !== null) parameters[name] = value;
  }
  const scopes = (query.get('scope') ?? '').split(' ').filter((name) => name !== '');
  if (scopes.length > 0) parameters['scope'] = scopes.map(scopeNamed).join(' ');
  return new OAuth2Server.Request({
    method: 'GET',
    headers: {},
    query: parameters,
    body: deed.kind === 'deny' ? { allowed: 'false' } : {},
  });
}

/** What the library asks while it carries one authorization request. */
function makeWork(
  parts: AuthorizeParts,
  deed: Deed,
  extras: ReturnType<typeof readExtras>,
): {
  readonly model: OAuth2Server.AuthorizationCodeModel;
  readonly user: OAuth2Server.User;
  client(): Client;
} {
  const { world, store, grants } = parts;
  const person = deed.kind === 'look' ? deed.user : deed.by.user;
  let client: Client | undefined;
  const found = (): Client => {
    if (client === undefined) throw new Error('The library judged a request before it asked for the client.');
    return client;
  };

  const model: OAuth2Server.AuthorizationCodeModel = {
    async getClient(clientId) {
      client = await store.findClient(clientId);
      if (client === undefined) throw new OAuth2Server.InvalidClientError('There is no such client.');
      const redirectUris = [...(client.redirectUris ?? [])];
      return { id: clientId, grants: redirectUris.length === 0 ? [] : ['authorization_code'], redirectUris };
    },
    validateRedirectUri: (uri) => Promise.resolve(isRegistered(found().redirectUris ?? [], uri)),
    // What the client may not have is refused; what only the person may not have is left out.
    validateScope(_user, _client, scope) {
      const { permissions } = found();
      const ofClient: readonly string[] = [...scopesOf(permissions), OPENID];
      if (scope?.every((name) => ofClient.includes(name)) === false)
        throw new OAuth2Server.InvalidScopeError(scopeFault(scope, ofClient));
      const ofBoth = person === undefined ? permissions : sharedPermissions(permissions, person.permissions);
      const possible: readonly string[] = scopesOf(ofBoth);
      const granted =
        scope === undefined
          ? [...possible]
          : [...new Set(scope)].filter((name) => name === OPENID || possible.includes(name));
      if (granted.length === 0)
        throw new OAuth2Server.InvalidScopeError(
          'The person may have none of the scopes that the client asks for.',
        );
      return Promise.resolve(granted);
    },
    generateAuthorizationCode: () => Promise.resolve(world.mint.secret(accessLimits.mintedSecretBytes)),
    async saveAuthorizationCode(code, forClient, user) {
      if (deed.kind === 'allow' && !('error' in extras)) {
        const nowMs = world.time.nowMs();
        const grant = {
          id: world.mint.ulid(),
          clientId: found().id,
          userId: deed.by.user.id,
          scopes: code.scope ?? [],
          redirectUri: code.redirectUri,
          codeChallenge: extras.codeChallenge,
          nonce: extras.nonce,
          signedInMs: deed.by.signedInMs,
        };
        const secret = {
          digest: grantDigest(world.seal, code.authorizationCode),
          expiresMs: nowMs + accessLimits.codeLifeMs,
        };
        await grants.openGrant(grant, secret, nowMs);
      }
      return { ...code, client: forClient, user };
    },
    // The types demand these; codes and tokens are asked for at the token endpoint.
    getAuthorizationCode: () => Promise.resolve(undefined),
    revokeAuthorizationCode: () => Promise.resolve(false),
    saveToken: () => Promise.resolve(undefined),
    getAccessToken: () => Promise.resolve(undefined),
  };
  return { model, user: { person }, client: found };
}

import OAuth2Server from '@node-oauth/oauth2-server';
import { LIMITS } from '../../../contract/limits.ts';
import {
  isOpenId,
  OPENID_NAMES,
  requestedScopes,
  scopesOf,
  sharedPermissions,
} from '../../../contract/permissions.ts';
import { accessLimits } from '../../base/limits.ts';
import type { AccessStore, Client } from '../../store/port/access-store.ts';
import type { GrantsStore, User } from '../../store/port/grants-store.ts';
import type { SignedInUser } from '../sessions.ts';
import { type AuthorizationExtras, readExtras, stateOf } from './authorization-request.ts';
import { grantDigest, type Issuer } from './issue-tokens.ts';
import { libraryErrorText, scopeFault } from './library-errors.ts';
import { isRegistered, REDIRECT_URI_FORMS, withParameters } from './redirect-uri.ts';
import { innerOf } from './token.ts';

export interface AuthorizeParts extends Issuer {
  readonly store: Pick<AccessStore, 'findClient'>;
  readonly grants: Pick<GrantsStore, 'openGrant'>;
}

/** The result of an authorization request. */
export type AuthorizationResult =
  /** The client or the redirect URI is wrong: the browser is not redirected, a page gives the reason. */
  | { readonly kind: 'refused-here'; readonly reason: string }
  /** The browser is redirected to the client, with an error or with a code. */
  | { readonly kind: 'led-back'; readonly location: string }
  /** A person may be asked. */
  | ({ readonly kind: 'right'; readonly redirectUri: string; readonly client: Client } & ConsentRequest);

export interface ConsentRequest extends AuthorizationExtras {
  /** What the client would be given. */
  readonly scopes: readonly string[];
}

/** The state of a request: no person is signed in, a person is asked for consent, or has decided. */
export type UserDecision =
  | { readonly kind: 'look'; readonly user: User | undefined }
  | { readonly kind: 'allow' | 'deny'; readonly by: SignedInUser };

/**
 * Handles one authorization request (RFC 6749 section 4.1). The library validates it before and after the decision;
 * nothing is stored before the decision. Its own redirects are not used: they lose the query of a redirect URI. Rejects
 * if the store fails.
 */
export async function handleAuthorization(
  parts: AuthorizeParts,
  query: URLSearchParams,
  decision: UserDecision,
): Promise<AuthorizationResult> {
  // The library would treat an empty one as absent, and redirect to the first that is registered.
  const redirectUri = query.get('redirect_uri') ?? '';
  const isTwice = ['client_id', 'redirect_uri'].some((name) => query.getAll(name).length > 1);
  if (isTwice) return refusedHere('client_id or redirect_uri is given more than once.');
  if (redirectUri === '') return refusedHere(`redirect_uri is missing. ${REDIRECT_URI_FORMS}`);
  const extras = readExtras(query);
  const work = makeWork(parts, decision, extras);
  const server = new OAuth2Server({ model: work.model });
  const response = new OAuth2Server.Response();
  const leadBack = (parameters: Readonly<Record<string, string>>): AuthorizationResult => ({
    kind: 'led-back',
    location: withParameters(redirectUri, { ...parameters, state: stateOf(query), iss: parts.issuer }),
  });
  try {
    const code = await server.authorize(requestOf(query, decision), response, {
      allowEmptyState: true,
      authenticateHandler: { handle: () => work.user },
    });
    if ('error' in extras) return leadBack({ error: extras.error, error_description: extras.description });
    if (decision.kind !== 'look') return leadBack({ code: code.authorizationCode });
    return { kind: 'right', redirectUri, client: work.client(), scopes: code.scope ?? [], ...extras };
  } catch (error) {
    const reason = innerOf(error);
    if (!(reason instanceof OAuth2Server.OAuthError)) throw reason;
    // The library returns a redirect target only after it has accepted client and redirect URI.
    return response.get('location') === undefined
      ? refusedHere(reasonForPeople(reason))
      : leadBack({ error: reason.name, error_description: libraryErrorText(reason) });
  }
}

/** The text of the page: it states what the client's developer must fix. */
function reasonForPeople(error: OAuth2Server.OAuthError): string {
  if (error.name === 'unauthorized_client')
    return 'The client has no redirect URI, so nobody can sign in for it. Have one registered.';
  return error.message === OTHER_REDIRECT_URI
    ? `redirect_uri is not registered for the client. Use a registered one, exactly as it is registered, or have this one registered. ${REDIRECT_URI_FORMS}`
    : libraryErrorText(error);
}

/** The library's message for a redirect URI that the client has not registered. */
const OTHER_REDIRECT_URI = 'Invalid client: `redirect_uri` does not match client value';

function refusedHere(reason: string): AuthorizationResult {
  return { kind: 'refused-here', reason };
}

/**
 * The parameters for the library. It must not see those that end in a decision: only a submitted form decides. Nor
 * those of PKCE, which it would refuse with its own texts: authorization-request.ts validates them, and the grant
 * stores them.
 */
function requestOf(query: URLSearchParams, decision: UserDecision): OAuth2Server.Request {
  const names = ['client_id', 'redirect_uri', 'response_type', 'state'];
  const parameters: Record<string, string> = {};
  for (const name of names) {
    const value = query.get(name);
    if (value !== null) parameters[name] = value;
  }
  const scopes = requestedScopes(query.get('scope'));
  if (scopes.length > 0) parameters['scope'] = scopes.join(' ');
  return new OAuth2Server.Request({
    method: 'GET',
    headers: {},
    query: parameters,
    body: decision.kind === 'deny' ? { allowed: 'false' } : {},
  });
}

/** The model that the library calls while it handles one authorization request. */
function makeWork(
  parts: AuthorizeParts,
  decision: UserDecision,
  extras: ReturnType<typeof readExtras>,
): {
  readonly model: OAuth2Server.AuthorizationCodeModel;
  readonly user: OAuth2Server.User;
  client(): Client;
} {
  const { world, store, grants } = parts;
  const person = decision.kind === 'look' ? decision.user : decision.by.user;
  let client: Client | undefined;
  const found = (): Client => {
    if (client === undefined) throw new Error('The library validated a request before it loaded the client.');
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
    // A scope that the client may not have is refused; one that only the person may not grant is left out.
    validateScope(_user, _client, scope) {
      const { permissions } = found();
      const ofClient: readonly string[] = [...scopesOf(permissions), ...OPENID_NAMES];
      if (scope?.every((name) => ofClient.includes(name)) === false)
        throw new OAuth2Server.InvalidScopeError(scopeFault(scope, ofClient));
      const ofBoth = person === undefined ? permissions : sharedPermissions(permissions, person.permissions);
      const possible: readonly string[] = scopesOf(ofBoth);
      const granted =
        scope === undefined
          ? [...possible]
          : scope.filter((name) => isOpenId(name) || possible.includes(name));
      if (granted.length === 0)
        throw new OAuth2Server.InvalidScopeError(
          'The person may not grant any of the scopes that the client requests.',
        );
      return Promise.resolve(granted);
    },
    generateAuthorizationCode: () => Promise.resolve(world.ids.secret(accessLimits.mintedSecretBytes)),
    async saveAuthorizationCode(code, forClient, user) {
      if (decision.kind === 'allow' && !('error' in extras)) {
        const nowMs = world.time.nowMs();
        const grant = {
          id: world.ids.ulid(),
          clientId: found().id,
          userId: decision.by.user.id,
          scopes: code.scope ?? [],
          redirectUri: code.redirectUri,
          codeChallenge: extras.codeChallenge,
          nonce: extras.nonce,
          signedInMs: decision.by.signedInMs,
        };
        const secret = {
          digest: grantDigest(world.crypto, code.authorizationCode),
          expiresMs: nowMs + LIMITS.access.codeLifeMs,
        };
        await grants.openGrant(grant, secret, nowMs);
      }
      return { ...code, client: forClient, user };
    },
    // Required by the types; codes and tokens are used at the token endpoint.
    getAuthorizationCode: () => Promise.resolve(undefined),
    revokeAuthorizationCode: () => Promise.resolve(false),
    saveToken: () => Promise.resolve(undefined),
    getAccessToken: () => Promise.resolve(undefined),
  };
  return { model, user: { person }, client: found };
}

import OAuth2Server from '@node-oauth/oauth2-server';
import type { AccessStore, Client } from '../../store/port/access-store.ts';
import type { FoundSecret, Grant, GrantsStore } from '../../store/port/grants-store.ts';
import { accessLimits } from '../limits.ts';
import { OPENID, scopesOf, sharedPermissions } from '../permissions.ts';
import { encryptAnswer, repeatedAnswer, type Tokens } from '../repeated-answer.ts';
import type { SecretCheckResult, TryLater } from '../secret-check.ts';
import { grantDigest, type Issuer, issueAccessToken, issueIdToken } from './issue-tokens.ts';
import { scopeFault } from './library-errors.ts';
import type { TokenFields } from './token-request.ts';

export interface TokenModelParts extends Issuer {
  readonly store: Pick<AccessStore, 'findClient'>;
  readonly grants: Pick<
    GrantsStore,
    'findUser' | 'findSecret' | 'spendSecret' | 'exchangeSecret' | 'endGrant'
  >;
  readonly checkSecret: (clientId: string, secret: string) => Promise<SecretCheckResult>;
  readonly lifeS: number;
}

/** The client's secret was not checked, so nothing is known about it. */
export class NotNow extends Error {
  override readonly name = 'NotNow';
  readonly later: TryLater;

  constructor(later: TryLater) {
    super(later.reason);
    this.later = later;
  }
}

/** The request was answered a moment ago: it has the same answer. */
export class AnsweredBefore extends Error {
  override readonly name = 'AnsweredBefore';
  readonly tokens: Tokens;

  constructor(tokens: Tokens) {
    super('The request was answered before.');
    this.tokens = tokens;
  }
}

/** One token request: the model that the library calls, and the result. */
export interface TokenRequestModel {
  readonly model: Model;
  /** The tokens for the client; called after the library has accepted the request. */
  tokens(): Tokens;
  /** The library has refused the request: a code or refresh token that it had accepted is used up by the attempt. */
  refused(): Promise<void>;
}

type Model = Omit<OAuth2Server.AuthorizationCodeModel, 'saveAuthorizationCode'> &
  OAuth2Server.RefreshTokenModel &
  OAuth2Server.ClientCredentialsModel;

/** The library checks expiries with its own clock; ours has already checked them. */
const NEVER = new Date(8.64e15);

/** Public clients have no secret, so they cannot act for themselves. */
const GRANTS_OF_PEOPLE = ['authorization_code', 'refresh_token'];

/**
 * The model that the library calls while it handles one token request. Chance, time and signatures are the world's. A
 * code or a refresh token that is shown a second time ends its grant, and with it all tokens that came of it; unless it
 * is the same request a moment later, whose answer was lost. Spending it, the next token and the answer are one commit,
 * so that a service that is killed in between has either done nothing yet or has the answer.
 */
export function makeTokenRequestModel(parts: TokenModelParts, fields: TokenFields): TokenRequestModel {
  const { world, store, grants, checkSecret } = parts;
  const nowMs = world.time.nowMs();
  let client: Client | undefined;
  let tokens: Tokens | undefined;
  /** What is used up as soon as the tokens exist. */
  let given: { readonly grant: Grant; readonly digest: string; readonly isCode: boolean } | undefined;

  const asked = (): Client => {
    if (client === undefined) throw new Error('The library loaded a token before it loaded the client.');
    return client;
  };
  const digestOf = (secret: string) => grantDigest(world.crypto, secret);
  const usable = async (kind: FoundSecret['kind'], secret: string): Promise<FoundSecret | undefined> => {
    const found = await grants.findSecret(digestOf(secret));
    if (found === undefined || found.kind !== kind) return undefined;
    if (found.isSpent) return shownTwice(found);
    return found.expiresMs <= nowMs ? undefined : found;
  };
  const shownTwice = async (found: FoundSecret): Promise<undefined> => {
    const again = repeatedAnswer(world.crypto, fields, found, { clientId: asked().id, nowMs });
    if (again !== undefined) throw new AnsweredBefore(again);
    await grants.endGrant(found.grant.id);
  };
  const give = (user: OAuth2Server.User, secret: string, isCode: boolean): boolean => {
    const grant = grantOf(user);
    given = grant === undefined ? undefined : { grant, digest: digestOf(secret), isCode };
    return given !== undefined;
  };
  /** The scopes of a grant that its person and its client can still have. */
  const standing = async (grant: Grant): Promise<string[] | undefined> => {
    const user = await grants.findUser(grant.userId);
    if (user === undefined || user.fleetId !== asked().fleetId) return undefined;
    const possible: readonly string[] = scopesOf(sharedPermissions(asked().permissions, user.permissions));
    return grant.scopes.filter((scope) => scope === OPENID || possible.includes(scope));
  };

  const exchange = async (spent: string, refreshToken: string, tokens: Tokens): Promise<void> => {
    given = undefined;
    const next = { digest: digestOf(refreshToken), expiresMs: nowMs + accessLimits.refreshLifeMs };
    const answer = {
      text: encryptAnswer(world.crypto, fields, tokens),
      untilMs: nowMs + accessLimits.answerAgainMs,
    };
    const outcome = await grants.exchangeSecret({ spent, next, answer }, nowMs);
    if (outcome === 'done') return;
    // Another request used it while this one ran: from the same client, or from an attacker.
    const found = outcome === 'spent' ? await grants.findSecret(spent) : undefined;
    if (found !== undefined) await shownTwice(found);
    throw new OAuth2Server.InvalidGrantError('The grant has been revoked.');
  };

  const model: Model = {
    async getClient(clientId, secret?: string) {
      const checked =
        secret === undefined ? await publicClient(store, clientId) : await checkSecret(clientId, secret);
      if (checked.kind === 'later') throw new NotNow(checked);
      if (checked.kind === 'wrong')
        throw new OAuth2Server.InvalidClientError('There is no client with this id and secret.');
      client = checked.client;
      const own = client.secretHash === '' ? [] : ['client_credentials'];
      return { id: client.id, grants: [...own, ...(hasPeople(client) ? GRANTS_OF_PEOPLE : [])] };
    },
    getUserFromClient: () => Promise.resolve({}),
    async getAuthorizationCode(authorizationCode) {
      const found = await usable('code', authorizationCode);
      const scope = found === undefined ? undefined : await standing(found.grant);
      if (found === undefined || scope === undefined) return undefined;
      const { grant } = found;
      return {
        authorizationCode,
        expiresAt: NEVER,
        redirectUri: grant.redirectUri,
        scope,
        client: { id: grant.clientId, grants: GRANTS_OF_PEOPLE },
        user: { grant },
        codeChallenge: grant.codeChallenge,
        codeChallengeMethod: 'S256',
      };
    },
    revokeAuthorizationCode: (code) => Promise.resolve(give(code.user, code.authorizationCode, true)),
    async getRefreshToken(refreshToken) {
      const found = await usable('refresh', refreshToken);
      const scope = found === undefined ? undefined : await standing(found.grant);
      if (found === undefined || scope === undefined) return undefined;
      // Checked before the token is used up: a mistake of the client must not cost it the grant.
      const extra = (fields.scope?.split(' ') ?? []).find((name) => !scope.includes(name));
      if (extra !== undefined)
        throw new OAuth2Server.InvalidScopeError(
          `The scope ${extra.slice(0, accessLimits.shownCharacters)} was not granted.`,
        );
      const { grant } = found;
      return {
        refreshToken,
        scope,
        client: { id: grant.clientId, grants: GRANTS_OF_PEOPLE },
        user: { grant },
      };
    },
    revokeToken: (token) => Promise.resolve(give(token.user, token.refreshToken, false)),
    validateScope(user, _client, scope) {
      // The scopes of a code were checked when it was granted, and again when it was loaded.
      if (grantOf(user) !== undefined) return Promise.resolve(scope);
      const possible: readonly string[] = scopesOf(asked().permissions);
      if (scope === undefined) return Promise.resolve([...possible]);
      if (!scope.every((name) => possible.includes(name)))
        throw new OAuth2Server.InvalidScopeError(scopeFault(scope, possible));
      return Promise.resolve(possible.filter((name) => scope.includes(name)));
    },
    generateAccessToken: (_client, user, scope) =>
      issueAccessToken(parts, {
        client: asked(),
        grant: grantOf(user),
        scopes: scope,
        lifeS: parts.lifeS,
      }),
    generateRefreshToken: () => Promise.resolve(world.ids.secret(accessLimits.mintedSecretBytes)),
    async saveToken(token, _client, user) {
      const scopes = token.scope ?? [];
      const { accessToken, refreshToken } = token;
      tokens = { accessToken, expiresInS: parts.lifeS, scope: scopes.join(' ') };
      if (given !== undefined && refreshToken !== undefined) {
        tokens = { ...tokens, refreshToken };
        if (given.isCode && scopes.includes(OPENID))
          tokens = { ...tokens, idToken: await issueIdToken(parts, given.grant) };
        await exchange(given.digest, refreshToken, tokens);
      }
      return { ...token, client: { id: asked().id, grants: [] }, user };
    },
    // Required by the type; access tokens are checked in backend/access/bearer.ts.
    getAccessToken: () => Promise.resolve(undefined),
  };
  return {
    model,
    tokens() {
      if (tokens === undefined) throw new Error('The library accepted a request before it saved its tokens.');
      return tokens;
    },
    async refused() {
      if (given !== undefined && !(await grants.spendSecret(given.digest)))
        await grants.endGrant(given.grant.id);
    },
  };
}

/** Whether people may give grants to the client. */
function hasPeople(client: Client): boolean {
  return (client.redirectUris ?? []).length > 0;
}

async function publicClient(
  store: Pick<AccessStore, 'findClient'>,
  clientId: string,
): Promise<SecretCheckResult> {
  const client = await store.findClient(clientId);
  return client?.secretHash === '' ? { kind: 'right', client } : { kind: 'wrong' };
}

/** The library passes its user through unchanged; ours contains the grant, or nothing if the client acts for itself. */
function grantOf(user: OAuth2Server.User): Grant | undefined {
  return (user as { readonly grant?: Grant }).grant;
}

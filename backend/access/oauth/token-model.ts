import OAuth2Server from '@node-oauth/oauth2-server';
import { LIMITS } from '../../../contract/limits.ts';
import { isOpenId, requestedScopes, scopesOf, sharedPermissions } from '../../../contract/permissions.ts';
import { accessLimits } from '../../base/limits.ts';
import type { AccessStore, Client } from '../../store/port/access-store.ts';
import type { FoundSecret, Grant, GrantsStore } from '../../store/port/grants-store.ts';
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

/** The request was answered recently: it gets the same answer. */
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
 * code or a refresh token that is shown a second time ends its grant, and with it all tokens derived from it, unless it
 * is the same request repeated shortly after its answer was lost. Spending it, issuing the next token and storing the
 * answer are one commit, so that a killed service has either done nothing or has the answer.
 */
export function makeTokenRequestModel(parts: TokenModelParts, fields: TokenFields): TokenRequestModel {
  return new TokenRequest(parts, fields);
}

class TokenRequest implements TokenRequestModel {
  readonly model: Model;
  readonly #parts: TokenModelParts;
  readonly #fields: TokenFields;
  readonly #world: TokenModelParts['world'];
  readonly #store: TokenModelParts['store'];
  readonly #grants: TokenModelParts['grants'];
  readonly #checkSecret: TokenModelParts['checkSecret'];
  readonly #nowMs: number;
  #client: Client | undefined;
  #tokens: Tokens | undefined;
  /** What is spent as soon as the tokens exist. */
  #given: { readonly grant: Grant; readonly digest: string; readonly isCode: boolean } | undefined;

  constructor(parts: TokenModelParts, fields: TokenFields) {
    this.#parts = parts;
    this.#fields = fields;
    this.#world = parts.world;
    this.#store = parts.store;
    this.#grants = parts.grants;
    this.#checkSecret = parts.checkSecret;
    this.#nowMs = this.#world.time.nowMs();
    this.model = this.#makeModel();
  }

  #makeModel(): Model {
    return {
      getClient: async (clientId, secret?: string) => {
        const checked =
          secret === undefined
            ? await publicClient(this.#store, clientId)
            : await this.#checkSecret(clientId, secret);
        if (checked.kind === 'later') throw new NotNow(checked);
        if (checked.kind === 'wrong')
          throw new OAuth2Server.InvalidClientError('There is no client with this id and secret.');
        this.#client = checked.client;
        const own = this.#client.secretHash === '' ? [] : ['client_credentials'];
        return {
          id: this.#client.id,
          grants: [...own, ...(hasPeople(this.#client) ? GRANTS_OF_PEOPLE : [])],
        };
      },
      getUserFromClient: () => Promise.resolve({}),
      getAuthorizationCode: async (authorizationCode) => {
        const found = await this.#usable('code', authorizationCode);
        const scope = found === undefined ? undefined : await this.#standing(found.grant);
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
      revokeAuthorizationCode: (code) => Promise.resolve(this.#give(code.user, code.authorizationCode, true)),
      getRefreshToken: async (refreshToken) => {
        const found = await this.#usable('refresh', refreshToken);
        const scope = found === undefined ? undefined : await this.#standing(found.grant);
        if (found === undefined || scope === undefined) return undefined;
        // Checked before the token is used up: a mistake of the client must not cost it the grant.
        const extra = (this.#fields.scope?.split(' ') ?? []).find((name) => !scope.includes(name));
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
      revokeToken: (token) => Promise.resolve(this.#give(token.user, token.refreshToken, false)),
      validateScope: (user, _client, scope) => {
        // The scopes of a code were checked when it was granted, and again when it was loaded.
        if (grantOf(user) !== undefined) return Promise.resolve(scope);
        const possible: readonly string[] = scopesOf(this.#asked().permissions);
        if (scope === undefined) return Promise.resolve([...possible]);
        if (!scope.every((name) => possible.includes(name)))
          throw new OAuth2Server.InvalidScopeError(scopeFault(scope, possible));
        return Promise.resolve(possible.filter((name) => scope.includes(name)));
      },
      generateAccessToken: (_client, user, scope) =>
        issueAccessToken(this.#parts, {
          client: this.#asked(),
          grant: grantOf(user),
          scopes: scope,
          lifeS: this.#parts.lifeS,
        }),
      generateRefreshToken: () => Promise.resolve(this.#world.ids.secret(accessLimits.mintedSecretBytes)),
      saveToken: async (token, _client, user) => {
        const scopes = token.scope ?? [];
        const { accessToken, refreshToken } = token;
        this.#tokens = { accessToken, expiresInS: this.#parts.lifeS, scope: scopes.join(' ') };
        if (this.#given !== undefined && refreshToken !== undefined) {
          this.#tokens = { ...this.#tokens, refreshToken };
          if (this.#given.isCode && scopes.some(isOpenId))
            this.#tokens = { ...this.#tokens, idToken: await issueIdToken(this.#parts, this.#given.grant) };
          await this.#exchange(this.#given.digest, refreshToken, this.#tokens);
        }
        return { ...token, client: { id: this.#asked().id, grants: [] }, user };
      },
      // Required by the type; access tokens are checked in backend/access/bearer.ts.
      getAccessToken: () => Promise.resolve(undefined),
    };
  }

  tokens(): Tokens {
    if (this.#tokens === undefined)
      throw new Error('The library accepted a request before it saved its tokens.');
    return this.#tokens;
  }

  async refused(): Promise<void> {
    if (this.#given !== undefined && !(await this.#grants.spendSecret(this.#given.digest)))
      await this.#grants.endGrant(this.#given.grant.id);
  }

  #asked(): Client {
    if (this.#client === undefined)
      throw new Error('The library loaded a token before it loaded the client.');
    return this.#client;
  }

  #digestOf(secret: string) {
    return grantDigest(this.#world.crypto, secret);
  }

  async #usable(kind: FoundSecret['kind'], secret: string): Promise<FoundSecret | undefined> {
    const found = await this.#grants.findSecret(this.#digestOf(secret));
    if (found === undefined || found.kind !== kind) return undefined;
    if (found.isSpent) return this.#shownTwice(found);
    return found.expiresMs <= this.#nowMs ? undefined : found;
  }

  async #shownTwice(found: FoundSecret): Promise<undefined> {
    const again = repeatedAnswer(this.#world.crypto, this.#fields, found, {
      clientId: this.#asked().id,
      nowMs: this.#nowMs,
    });
    if (again !== undefined) throw new AnsweredBefore(again);
    await this.#grants.endGrant(found.grant.id);
  }

  #give(user: OAuth2Server.User, secret: string, isCode: boolean): boolean {
    const grant = grantOf(user);
    this.#given = grant === undefined ? undefined : { grant, digest: this.#digestOf(secret), isCode };
    return this.#given !== undefined;
  }

  /** The scopes of a grant that its person and its client can still have, OPENID by the name in this request. */
  async #standing(grant: Grant): Promise<string[] | undefined> {
    const user = await this.#grants.findUser(grant.userId);
    if (user === undefined || user.fleetId !== this.#asked().fleetId) return undefined;
    const possible: readonly string[] = scopesOf(
      sharedPermissions(this.#asked().permissions, user.permissions),
    );
    const openIdAsRequested = requestedScopes(this.#fields.scope).find(isOpenId);
    const scopes = grant.scopes
      .filter((scope) => isOpenId(scope) || possible.includes(scope))
      .map((scope) => (isOpenId(scope) ? (openIdAsRequested ?? scope) : scope));
    return [...new Set(scopes)];
  }

  async #exchange(spent: string, refreshToken: string, tokens: Tokens): Promise<void> {
    this.#given = undefined;
    const next = {
      digest: this.#digestOf(refreshToken),
      expiresMs: this.#nowMs + LIMITS.access.refreshLifeMs,
    };
    const answer = {
      text: encryptAnswer(this.#world.crypto, this.#fields, tokens),
      untilMs: this.#nowMs + accessLimits.answerAgainMs,
    };
    const outcome = await this.#grants.exchangeSecret({ spent, next, answer }, this.#nowMs);
    if (outcome === 'done') return;
    // Another request used it while this one ran: from the same client, or from an attacker.
    const found = outcome === 'spent' ? await this.#grants.findSecret(spent) : undefined;
    if (found !== undefined) await this.#shownTwice(found);
    throw new OAuth2Server.InvalidGrantError('The grant has been revoked.');
  }
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

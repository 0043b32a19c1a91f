import type { World } from '../../world/world.ts';
import type { Client } from '../store/store.ts';
import { accessLimits } from './limits.ts';
import { scopesOf } from './permissions.ts';
import type { CheckSecret } from './secret-check.ts';
import type { ReadTokenRequest, TokenError } from './token-request.ts';

/** What the token endpoint answers, before it is JSON. */
export type TokenAnswer =
  | {
      readonly kind: 'token';
      readonly accessToken: string;
      readonly expiresInS: number;
      readonly scope: string;
    }
  | { readonly kind: 'error'; readonly error: TokenError }
  /** Too many secrets are being checked. */
  | { readonly kind: 'busy' };

export interface TokenParts {
  readonly world: Pick<World, 'seal' | 'mint' | 'time'>;
  /** `settings.baseUrl` */
  readonly issuer: string;
  readonly checkSecret: CheckSecret;
}

/** Answers a token request of the client credentials grant (RFC 6749 section 4.4). Rejects where the store fails. */
export async function grantToken(parts: TokenParts, read: ReadTokenRequest): Promise<TokenAnswer> {
  if (!read.ok) return { kind: 'error', error: read.error };
  const { clientId, clientSecret, scopes } = read.request;
  const client = await parts.checkSecret(clientId, clientSecret);
  if (client === 'busy') return { kind: 'busy' };
  if (client === 'wrong') {
    const description = 'There is no client with this id and secret.';
    return { kind: 'error', error: { error: 'invalid_client', description } };
  }
  const granted: readonly string[] = scopesOf(client.permissions);
  const refused = scopes?.find((scope) => !granted.includes(scope));
  if (refused !== undefined) {
    const description = 'The client may not have every scope that it asks for.';
    return { kind: 'error', error: { error: 'invalid_scope', description } };
  }
  return issueToken(
    parts,
    client,
    scopes === undefined ? granted : granted.filter((name) => scopes.includes(name)),
  );
}

/** A signed token of a client with these scopes (RFC 9068 without an audience: the service is its only reader). */
async function issueToken(
  parts: TokenParts,
  client: Client,
  scopes: readonly string[],
): Promise<TokenAnswer> {
  const issuedS = Math.floor(parts.world.time.nowMs() / 1000);
  const scope = scopes.join(' ');
  const accessToken = await parts.world.seal.signToken({
    iss: parts.issuer,
    sub: client.id,
    iat: issuedS,
    exp: issuedS + accessLimits.tokenLifeS,
    jti: parts.world.mint.ulid(),
    client_id: client.id,
    fleet_id: client.fleetId,
    scope,
  });
  return { kind: 'token', accessToken, expiresInS: accessLimits.tokenLifeS, scope };
}

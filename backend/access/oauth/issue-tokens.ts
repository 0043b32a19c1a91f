import { LIMITS } from '../../../contract/limits.ts';
import type { World } from '../../../world/world.ts';
import type { Client } from '../../store/port/access-store.ts';
import type { Grant } from '../../store/port/grants-store.ts';

/** The issuer of tokens. */
export interface Issuer {
  readonly world: Pick<World, 'crypto' | 'ids' | 'time'>;
  /** `settings.baseUrl` */
  readonly issuer: string;
}

/** The form in which the store has a code or a refresh token. */
export function grantDigest(crypto: World['crypto'], secret: string): string {
  return crypto.digest(`grant\n${secret}`);
}

/**
 * A signed access token (RFC 9068). `grant`: of the person for whom the client acts; absent: it acts for
 * itself.
 */
export function issueAccessToken(
  { world, issuer }: Issuer,
  token: {
    readonly client: Client;
    readonly grant: Grant | undefined;
    readonly scopes: readonly string[];
    readonly lifeS: number;
  },
): Promise<string> {
  const { client, grant, scopes, lifeS } = token;
  const issuedS = Math.floor(world.time.nowMs() / 1000);
  return world.crypto.signToken({
    iss: issuer,
    aud: issuer,
    sub: grant?.userId ?? client.id,
    iat: issuedS,
    exp: issuedS + lifeS,
    jti: world.ids.ulid(),
    client_id: client.id,
    fleet_id: client.fleetId,
    scope: scopes.join(' '),
    ...(grant === undefined ? {} : { grant_id: grant.id }),
  });
}

/** A signed id token (OpenID Connect Core 1.0 section 2), for this client only. */
export function issueIdToken({ world, issuer }: Issuer, grant: Grant): Promise<string> {
  const issuedS = Math.floor(world.time.nowMs() / 1000);
  return world.crypto.signIdToken({
    iss: issuer,
    sub: grant.userId,
    aud: grant.clientId,
    iat: issuedS,
    exp: issuedS + LIMITS.access.idTokenLifeS,
    auth_time: Math.floor(grant.signedInMs / 1000),
    ...(grant.nonce === undefined ? {} : { nonce: grant.nonce }),
  });
}

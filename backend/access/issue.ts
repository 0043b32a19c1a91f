import type { World } from '../../world/world.ts';
import type { Client } from '../store/access-store.ts';
import type { Grant } from '../store/grants-store.ts';
import { accessLimits } from './limits.ts';

/** Whoever signs tokens. */
export interface Issuer {
  readonly world: Pick<World, 'seal' | 'mint' | 'time'>;
  /** `settings.baseUrl` */
  readonly issuer: string;
}

/** What the store knows of a code or a refresh token. */
export function grantDigest(seal: World['seal'], secret: string): string {
  return seal.digest(`grant\n${secret}`);
}

/**
 * A signed access token (RFC 9068). `grant`: of the person for whom the client acts; without it the client acts for
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
  return world.seal.signToken({
    iss: issuer,
    aud: issuer,
    sub: grant?.userId ?? client.id,
    iat: issuedS,
    exp: issuedS + lifeS,
    jti: world.mint.ulid(),
    client_id: client.id,
    fleet_id: client.fleetId,
    scope: scopes.join(' '),
    ...(grant === undefined ? {} : { grant_id: grant.id }),
  });
}

/** A signed id token (OpenID Connect Core 1.0 section 2), for the client alone. */
export function issueIdToken({ world, issuer }: Issuer, grant: Grant): Promise<string> {
  const issuedS = Math.floor(world.time.nowMs() / 1000);
  return world.seal.signIdToken({
    iss: issuer,
    sub: grant.userId,
    aud: grant.clientId,
    iat: issuedS,
    exp: issuedS + accessLimits.idTokenLifeS,
    auth_time: Math.floor(grant.signedInMs / 1000),
    ...(grant.nonce === undefined ? {} : { nonce: grant.nonce }),
  });
}

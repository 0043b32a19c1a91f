import { limits } from '../limits.ts';
import type { TokenClaims } from './crypto.ts';

/** RFC 9068 section 2.1: distinguishes an access token from every other JWT signed with the same key. */
export const ACCESS_TOKEN_TYPE = 'at+jwt';

/**
 * Whether a `typ` is that of an access token: media types are case-insensitive, and `application/` may be
 * omitted.
 */
export function isAccessTokenType(typ: unknown): boolean {
  if (typeof typ !== 'string') return false;
  const type = typ.toLowerCase();
  return type === ACCESS_TOKEN_TYPE || type === `application/${ACCESS_TOKEN_TYPE}`;
}

/** Whether a token's `iat` is further in the future than `limits.tokenAheadMs`. */
export function isIssuedAhead({ iat }: Pick<TokenClaims, 'iat'>, nowMs: number): boolean {
  return iat * 1_000 > nowMs + limits.tokenAheadMs;
}

/** The claims of a payload, if every claim of our own access tokens is present with the right type. Total. */
export function claimsOf(payload: Readonly<Record<string, unknown>>): TokenClaims | undefined {
  const { iss, sub, aud, iat, exp, jti, client_id, fleet_id, scope, grant_id } = payload;
  if (typeof iss !== 'string' || typeof sub !== 'string' || typeof aud !== 'string') return undefined;
  if (typeof iat !== 'number' || typeof exp !== 'number' || typeof jti !== 'string') return undefined;
  if (typeof client_id !== 'string' || typeof fleet_id !== 'string' || typeof scope !== 'string')
    return undefined;
  const claims = { iss, sub, aud, iat, exp, jti, client_id, fleet_id, scope };
  if (grant_id === undefined) return claims;
  return typeof grant_id === 'string' ? { ...claims, grant_id } : undefined;
}

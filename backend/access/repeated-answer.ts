import type { World } from '../../world/world.ts';
import type { FoundSecret } from '../store/port/grants-store.ts';
import type { TokenFields } from './oauth/token-request.ts';

/** The tokens that the token endpoint gives to a client. */
export interface Tokens {
  readonly accessToken: string;
  readonly expiresInS: number;
  /** Scopes, separated by spaces. */
  readonly scope: string;
  readonly refreshToken?: string;
  readonly idToken?: string;
}

/**
 * Encrypts an answer that is kept in case it gets lost: only this service can read it, and only with the very
 * request that it answered, its code or refresh token included, of which the store has only a digest.
 */
export function encryptAnswer(crypto: World['crypto'], fields: TokenFields, tokens: Tokens): string {
  return crypto.encrypt(keyOf(fields), JSON.stringify(tokens));
}

/**
 * The recent answer to the same request of the same client; undefined: there is none, or the request differs.
 * `clientId`: the client that has just authenticated.
 */
export function repeatedAnswer(
  crypto: World['crypto'],
  fields: TokenFields,
  { answer, grant }: FoundSecret,
  now: { readonly clientId: string; readonly nowMs: number },
): Tokens | undefined {
  if (answer === undefined || answer.untilMs <= now.nowMs || grant.clientId !== now.clientId)
    return undefined;
  const text = crypto.decrypt(keyOf(fields), answer.text);
  // What can be decrypted was encrypted by `encryptAnswer`.
  return text === undefined ? undefined : (JSON.parse(text) as Tokens);
}

/** All fields that identify a request. Client authentication is checked again each time. */
function keyOf(fields: TokenFields): string {
  const { grant_type, client_id, code, code_verifier, redirect_uri, refresh_token, scope } = fields;
  const parts = [grant_type, client_id, code, code_verifier, redirect_uri, refresh_token, scope];
  return JSON.stringify(parts.map((part) => part ?? null));
}

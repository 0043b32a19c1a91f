import type { World } from '../../world/world.ts';
import type { FoundSecret } from '../store/grants-store.ts';
import type { TokenFields } from './token-request.ts';

/** What the token endpoint gives to a client. */
export interface Tokens {
  readonly accessToken: string;
  readonly expiresInS: number;
  /** Scopes, separated by spaces. */
  readonly scope: string;
  readonly refreshToken?: string;
  readonly idToken?: string;
}

/**
 * An answer as it is kept for the case that it gets lost: readable for this service alone, and only while it is shown
 * the very request that it answered, its code or refresh token included, of which the store has but a digest.
 */
export function keptAnswer(seal: World['seal'], fields: TokenFields, tokens: Tokens): string {
  return seal.encrypt(keyOf(fields), JSON.stringify(tokens));
}

/**
 * The answer that the same request of the same client had before, where it was a moment ago; undefined: there is none,
 * or something in the request is other. `clientId`: who has just authenticated.
 */
export function answerAgain(
  seal: World['seal'],
  fields: TokenFields,
  { answer, grant }: FoundSecret,
  now: { readonly clientId: string; readonly nowMs: number },
): Tokens | undefined {
  if (answer === undefined || answer.untilMs <= now.nowMs || grant.clientId !== now.clientId)
    return undefined;
  const text = seal.decrypt(keyOf(fields), answer.text);
  // What can be decrypted was encrypted by `keptAnswer`.
  return text === undefined ? undefined : (JSON.parse(text) as Tokens);
}

/** All that makes a request what it is. How the client authenticated is judged anew each time. */
function keyOf(fields: TokenFields): string {
  const { grant_type, client_id, code, code_verifier, redirect_uri, refresh_token, scope } = fields;
  const parts = [grant_type, client_id, code, code_verifier, redirect_uri, refresh_token, scope];
  return JSON.stringify(parts.map((part) => part ?? null));
}

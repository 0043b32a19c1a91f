import OAuth2Server from '@node-oauth/oauth2-server';
import type { AccessStore } from '../../store/port/access-store.ts';
import type { Tokens } from '../repeated-answer.ts';
import type { TryLater } from '../secret-check.ts';
import { libraryErrorText } from './library-errors.ts';
import { AnsweredBefore, makeTokenRequestModel, NotNow, type TokenModelParts } from './token-model.ts';
import {
  FORM,
  type ReadTokenRequest,
  TOKEN_ERRORS,
  type TokenError,
  type TokenFields,
} from './token-request.ts';

/** What the token endpoint answers, before it is JSON. */
export type TokenAnswer =
  | { readonly kind: 'token'; readonly tokens: Tokens }
  | { readonly kind: 'error'; readonly error: TokenError }
  | TryLater;

export interface TokenParts extends Omit<TokenModelParts, 'lifeS'> {
  readonly store: TokenModelParts['store'] & Pick<AccessStore, 'findClient'>;
  /** How long an access token issued now is valid, in seconds. */
  readonly accessTokenS: () => number;
}

/**
 * Answers a token request: the library handles the protocol, and this function adapts requests and answers. It needs a
 * form body, whichever way the parameters were sent; it writes `Bearer` and counts by its own clock, so that its answer
 * is only read for what was granted. Rejects if the store fails.
 */
export async function answerTokenRequest(parts: TokenParts, read: ReadTokenRequest): Promise<TokenAnswer> {
  if (!read.ok) return { kind: 'error', error: read.error };
  const lifeS = parts.accessTokenS();
  const work = makeTokenRequestModel({ ...parts, lifeS }, read.fields);
  const server = new OAuth2Server({
    model: work.model,
    accessTokenLifetime: lifeS,
    // A public client has no secret; the model requires it of every other.
    requireClientAuthentication: { authorization_code: false, refresh_token: false },
  });
  try {
    await server.token(requestOf(read.fields), new OAuth2Server.Response());
    return { kind: 'token', tokens: work.tokens() };
  } catch (error) {
    const reason = innerOf(error);
    if (reason instanceof AnsweredBefore) return { kind: 'token', tokens: reason.tokens };
    const answer = answerOf(reason);
    if (answer.kind === 'error') await work.refused();
    return answer;
  }
}

function requestOf(fields: TokenFields): OAuth2Server.Request {
  return new OAuth2Server.Request({
    method: 'POST',
    // The length only shows the library that there is a body.
    headers: { 'content-type': FORM, 'content-length': '1' },
    query: {},
    body: fields,
  });
}

/**
 * The library's message for a redirect URI that differs from that of the code; by RFC 6749 section 5.2 an invalid
 * grant.
 */
const OTHER_REDIRECT_URI = 'Invalid request: `redirect_uri` is invalid';

/** Throws what is not an error of the caller: the service failed. */
function answerOf(reason: unknown): TokenAnswer {
  if (reason instanceof NotNow) return reason.later;
  if (!(reason instanceof OAuth2Server.OAuthError)) throw reason;
  if (reason.message === OTHER_REDIRECT_URI) {
    const description = 'redirect_uri is not the one for which the code was issued.';
    return { kind: 'error', error: { error: 'invalid_grant', description } };
  }
  const name = TOKEN_ERRORS.find((known) => known === reason.name);
  if (name === undefined) throw reason;
  return { kind: 'error', error: { error: name, description: libraryErrorText(reason) } };
}

/** The library wraps all errors that are not its own. */
export function innerOf(error: unknown): unknown {
  return error instanceof OAuth2Server.OAuthError && 'inner' in error && error.name === 'server_error'
    ? error.inner
    : error;
}

import { isOpenId, OPENID, SCOPES } from '../../../contract/permissions.ts';
import { accessLimits } from '../../base/limits.ts';

/** `$1` is the parameter that the library names. */
const PATTERNS: readonly (readonly [said: RegExp, ours: string])[] = [
  [/^Missing parameter: `(\w+)`$/, '$1 is missing.'],
  [/^Invalid parameter: `(\w+)`$/, '$1 contains a character that is not allowed.'],
  [/^Invalid \w+: `redirect_uri` is not a valid URI$/, 'redirect_uri is not an absolute URI.'],
  [
    /^Invalid grant: code verifier is invalid$/,
    'code_verifier does not match the code_challenge of the code.',
  ],
  [
    /^Invalid grant: authorization code\b/,
    'The code is unknown, already used, expired, or belongs to another client. Request a new one at the authorization endpoint.',
  ],
  [
    /^Invalid grant: refresh token\b/,
    'The refresh token is unknown, already used, expired, revoked, or belongs to another client. Let the person sign in again.',
  ],
  [
    /^Unauthorized client: `grant_type` is invalid$/,
    'The client may not use this grant: client_credentials is for clients with a secret, the others for clients with a registered redirect URI.',
  ],
  [/^Invalid client: cannot retrieve client credentials$/, 'The secret of the client is missing.'],
  [/^Unsupported response type\b/, 'response_type must be code.'],
  [/^Access denied\b/, 'The person denied the request.'],
];

/** If the table has no row for the library's message. */
const BY_ERROR: Readonly<Record<string, string>> = {
  invalid_request: 'A parameter is missing or has the wrong form.',
  invalid_client: 'There is no client with this id and secret.',
  invalid_grant: 'The grant is not valid. Request a new code at the authorization endpoint.',
  invalid_scope: 'The client may not have the requested scope.',
  unauthorized_client: 'The client may not make this request.',
  unsupported_grant_type: 'There is no such grant.',
};

/**
 * The description of an OAuth error for the caller: our own sentences unchanged, those of the library replaced by ours.
 * `name` is the error of RFC 6749.
 */
export function libraryErrorText({
  name,
  message,
}: {
  readonly name: string;
  readonly message: string;
}): string {
  // Ours end in a full stop, the library's never do.
  if (message.endsWith('.')) return message;
  for (const [said, ours] of PATTERNS) {
    const found = said.exec(message);
    if (found !== null) return ours.replace('$1', found[1] ?? '');
  }
  return BY_ERROR[name] ?? 'The request was refused.';
}

/**
 * Why a client that may have `possible` is refused the requested scopes; names the first scope that is not among them.
 * The library has checked that names contain only characters that are allowed in an `error_description`.
 */
export function scopeFault(asked: readonly string[], possible: readonly string[]): string {
  const wrong = asked.find((name) => !possible.includes(name)) ?? '';
  const known: readonly string[] = [...SCOPES, OPENID];
  return known.includes(wrong) || isOpenId(wrong)
    ? `The client may not have the scope ${wrong}.`
    : `There is no scope ${wrong.slice(0, accessLimits.shownCharacters)}; there are: ${known.join(', ')}.`;
}

import { accessLimits } from './limits.ts';
import { OPENID, SCOPES } from './permissions.ts';

/** `$1` stands for the parameter that the library names. */
const PATTERNS: readonly (readonly [said: RegExp, ours: string])[] = [
  [/^Missing parameter: `(\w+)`$/, '$1 is missing.'],
  [/^Invalid parameter: `(\w+)`$/, '$1 holds a character that may not stand in it.'],
  [/^Invalid \w+: `redirect_uri` is not a valid URI$/, 'redirect_uri is no absolute URI.'],
  [/^Invalid grant: code verifier is invalid$/, 'code_verifier does not fit the code_challenge of the code.'],
  [
    /^Invalid grant: authorization code\b/,
    'The code is not known, was used before, has expired, or is that of another client. Ask for a new one at the authorization endpoint.',
  ],
  [
    /^Invalid grant: refresh token\b/,
    'The refresh token is not known, was used before, has expired, was taken back, or is that of another client. Let the person sign in again.',
  ],
  [
    /^Unauthorized client: `grant_type` is invalid$/,
    'The client may not use this grant: client_credentials is for clients with a secret, the others for clients with a registered redirect URI.',
  ],
  [/^Invalid client: cannot retrieve client credentials$/, 'The secret of the client is missing.'],
  [/^Unsupported response type\b/, 'response_type must be code.'],
  [/^Access denied\b/, 'The person did not allow it.'],
];

/** Where the table has no row for what the library says. */
const BY_ERROR: Readonly<Record<string, string>> = {
  invalid_request: 'A parameter is missing or has the wrong form.',
  invalid_client: 'There is no client with this id and secret.',
  invalid_grant:
    'What the client shows for its grant is not valid. Ask for a new code at the authorization endpoint.',
  invalid_scope: 'The client may not have the scope that it asks for.',
  unauthorized_client: 'The client may not make this request.',
  unsupported_grant_type: 'There is no such grant.',
};

/**
 * What a caller is told of an OAuth error: our own sentences as they are, the library's in our words. `name` is the
 * error of RFC 6749.
 */
export function inOurWords({ name, message }: { readonly name: string; readonly message: string }): string {
  // Ours end in a full stop, the library's never do.
  if (message.endsWith('.')) return message;
  for (const [said, ours] of PATTERNS) {
    const found = said.exec(message);
    if (found !== null) return ours.replace('$1', found[1] ?? '');
  }
  return BY_ERROR[name] ?? 'The request was refused.';
}

/**
 * Why a client that may have `possible` is refused what it asks for; the first scope that is not among them is named.
 * The library has made sure that names hold nothing that may not stand in an `error_description`.
 */
export function scopeFault(asked: readonly string[], possible: readonly string[]): string {
  const wrong = asked.find((name) => !possible.includes(name)) ?? '';
  const known: readonly string[] = [...SCOPES, OPENID];
  return known.includes(wrong)
    ? `The client may not have the scope ${wrong}.`
    : `There is no scope ${wrong.slice(0, accessLimits.shownCharacters)}; there are: ${known.join(', ')}.`;
}

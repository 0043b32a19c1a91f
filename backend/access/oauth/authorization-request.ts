import { LIMITS } from '../../../contract/limits.ts';

/** An error that is returned to the client by a redirect (RFC 6749 section 4.1.2.1, OpenID Connect Core 3.1.2.6). */
export interface AuthorizationError {
  readonly error: string;
  readonly description: string;
}

/** The parameters of an authorization request that the library does not read. */
export interface AuthorizationExtras {
  readonly codeChallenge: string;
  readonly nonce: string | undefined;
  /** The values of `prompt`. */
  readonly prompt: ReadonlySet<string>;
}

/** Visible ASCII and spaces, as RFC 6749 appendix A.5 defines it for `state`. */
const STATE = /^[\u0020-\u007e]+$/;
/** A SHA-256 digest as base64url. */
const S256_CHALLENGE = /^[A-Za-z0-9_-]{43}$/;

const READ_ONCE = [
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'prompt',
] as const;

/** The client's state, if it is valid and can be returned. */
export function stateOf(query: URLSearchParams): string | undefined {
  const [state, ...others] = query.getAll('state');
  if (state === undefined || others.length > 0) return undefined;
  return STATE.test(state) && state.length <= LIMITS.access.stateCharacters ? state : undefined;
}

/** What the library does not check: every parameter once, PKCE with S256, a code in the query of the answer. */
export function readExtras(query: URLSearchParams): AuthorizationExtras | AuthorizationError {
  const repeated = READ_ONCE.find((name) => query.getAll(name).length > 1);
  if (repeated !== undefined) return invalid(`${repeated} is given more than once.`);
  if (query.has('request')) return { error: 'request_not_supported', description: 'Use plain parameters.' };
  if (query.has('request_uri'))
    return { error: 'request_uri_not_supported', description: 'Use plain parameters.' };
  if ((query.get('response_mode') ?? 'query') !== 'query') return invalid('response_mode must be query.');
  if (query.has('state') && stateOf(query) === undefined)
    return invalid(`state must be 1 to ${LIMITS.access.stateCharacters} ASCII characters.`);
  const method = query.get('code_challenge_method') ?? (query.has('code_challenge') ? 'plain' : '');
  // RFC 7636 section 4.3: a challenge without a method is a plain one.
  if (method === 'plain')
    return invalid('The code_challenge_method plain, which is the default, is not supported: use S256.');
  if (method !== 'S256')
    return invalid('PKCE is required: send a code_challenge with code_challenge_method S256.');
  const codeChallenge = query.get('code_challenge') ?? '';
  if (!S256_CHALLENGE.test(codeChallenge))
    return invalid('code_challenge must be the base64url of a SHA-256 digest, 43 characters.');
  const nonce = query.get('nonce') ?? undefined;
  if (nonce !== undefined && nonce.length > LIMITS.access.nonceCharacters)
    return invalid(`nonce must be at most ${LIMITS.access.nonceCharacters} characters.`);
  const prompt = new Set((query.get('prompt') ?? '').split(' ').filter((word) => word !== ''));
  if (prompt.has('none') && prompt.size > 1)
    return invalid('prompt must not combine none with another value.');
  return { codeChallenge, nonce, prompt };
}

function invalid(description: string): AuthorizationError {
  return { error: 'invalid_request', description };
}

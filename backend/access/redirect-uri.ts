import { accessLimits } from './limits.ts';

/** A loopback address (RFC 8252 section 7.3), with its port and what follows it. */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(\/.*)?$/;
const LAST_PORT = 65_535;
/** Visible ASCII: anything else has to be percent-encoded in a URI (RFC 3986 section 2). */
const VISIBLE = /^[\u0021-\u007e]+$/;

/** For whoever has given a wrong one. */
export const REDIRECT_URI_FORMS =
  'Taken are https addresses, http://127.0.0.1 and http://[::1] on any port, and schemes with a dot such as com.example.app:/callback, each without a fragment.';

/**
 * Why a client cannot be registered with this redirect URI; undefined: it can. Right are `https:`, `http:` on a
 * loopback address, and private-use schemes with a dot (RFC 8252 section 7.1), all without a fragment.
 */
export function redirectUriFault(uri: string): string | undefined {
  if (uri.length > accessLimits.redirectUriCharacters) return 'is too long';
  if (!VISIBLE.test(uri) || !URL.canParse(uri)) return 'is not an absolute URI';
  if (uri.includes('#')) return 'has a fragment';
  const { protocol, username, password, hostname } = new URL(uri);
  if (username !== '' || password !== '') return 'has a user name';
  if (protocol === 'https:') return hostname === '' ? 'has no host' : undefined;
  if (protocol === 'http:')
    return LOOPBACK.test(uri)
      ? undefined
      : 'is plain http, which only http://127.0.0.1 and http://[::1] may be';
  return protocol.includes('.') ? undefined : 'has a scheme without a dot';
}

/**
 * Whether a request may lead back to `uri`: exactly one of the registered ones, character by character. Only where a
 * registered loopback address names no port the port is free, for programs that take whichever they get (RFC 8252
 * section 7.3); one that names its port is that one, since another port of the machine is somebody else.
 */
export function isRegistered(registered: readonly string[], uri: string): boolean {
  if (!VISIBLE.test(uri)) return false;
  if (registered.includes(uri)) return true;
  const asked = withoutPort(uri);
  return asked !== undefined && registered.includes(asked);
}

/** `http://127.0.0.1:4711/callback` → `http://127.0.0.1/callback`; undefined where that is no loopback address. */
function withoutPort(uri: string): string | undefined {
  const [, host, port, rest = ''] = LOOPBACK.exec(uri) ?? [];
  if (host === undefined || Number(port ?? 0) > LAST_PORT || rest.includes('#')) return undefined;
  return `http://${host}${rest}`;
}

/** The URI with parameters added to its query. */
export function withParameters(
  uri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return `${uri}${uri.includes('?') ? '&' : '?'}${query}`;
}

/** What a form's answer may lead to (CSP `form-action`): the origin of a web address, or the scheme of another. */
export function formTarget(uri: string): string {
  const { protocol, origin } = new URL(uri);
  return protocol === 'http:' || protocol === 'https:' ? origin : protocol;
}

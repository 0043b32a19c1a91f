import { LIMITS } from '../../../contract/limits.ts';

/** A loopback address (RFC 8252 section 7.3), with its port and what follows it. */
const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(?::(\d{1,5}))?(\/.*)?$/;
const LAST_PORT = 65_535;
/** Visible ASCII: anything else has to be percent-encoded in a URI (RFC 3986 section 2). */
const VISIBLE = /^[\u0021-\u007e]+$/;

/** Part of the error message for an invalid URI. */
export const REDIRECT_URI_FORMS =
  'Allowed are https addresses, http://127.0.0.1 and http://[::1] on any port, and schemes with a dot such as com.example.app:/callback, each without a fragment.';

/**
 * Why a client cannot be registered with this redirect URI; undefined: it can. Allowed are `https:`, `http:` on a
 * loopback address, and private-use schemes with a dot (RFC 8252 section 7.1), all without a fragment.
 */
export function redirectUriFault(uri: string): string | undefined {
  if (uri.length > LIMITS.access.redirectUriCharacters) return 'is too long';
  if (!VISIBLE.test(uri) || !URL.canParse(uri)) return 'is not an absolute URI';
  if (uri.includes('#')) return 'has a fragment';
  const { protocol, username, password, hostname } = new URL(uri);
  if (username !== '' || password !== '') return 'has a user name';
  if (protocol === 'https:') return hostname === '' ? 'has no host' : undefined;
  if (protocol === 'http:')
    return LOOPBACK.test(uri)
      ? undefined
      : 'uses plain http, which is allowed only for http://127.0.0.1 and http://[::1]';
  return protocol.includes('.') ? undefined : 'has a scheme without a dot';
}

/**
 * Whether a request may redirect to `uri`: it must equal a registered one, character by character. Only if a registered
 * loopback address has no port, any port is allowed, for programs that listen on a free port (RFC 8252 section 7.3).
 * One with a port allows only that port, since another port of the machine may belong to another program.
 */
export function isRegistered(registered: readonly string[], uri: string): boolean {
  if (!VISIBLE.test(uri)) return false;
  if (registered.includes(uri)) return true;
  const asked = withoutPort(uri);
  return asked !== undefined && registered.includes(asked);
}

/** `http://127.0.0.1:4711/callback` → `http://127.0.0.1/callback`; undefined if it is not a loopback address. */
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

/**
 * The allowed redirect target of a form's answer (CSP `form-action`): the origin of a web address, or the scheme of
 * another.
 */
export function formTarget(uri: string): string {
  const { protocol, origin } = new URL(uri);
  return protocol === 'http:' || protocol === 'https:' ? origin : protocol;
}

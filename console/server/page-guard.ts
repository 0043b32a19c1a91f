import { type ControlHosts, originRefusal } from '../../simulator/http/guard.ts';
import type { ControlRefusal } from '../../simulator/http/refusal.ts';
import { areSecretsEqual } from '../../world/crypto/equal-secrets.ts';

/** Cookies do not distinguish ports (RFC 6265 §8.5): two consoles of one machine would overwrite each other's. */
const cookieName = (url: string): string => `boxtwin_console_${new URL(url).port || '80'}`;
/** Only a page of this origin can send it without a preflight (Fetch, CORS-safelisted headers). */
export const WRITE_HEADER = 'x-boxtwin-console';

/**
 * Authorizes requests to this server: only of the page that it has served to this browser. The cookie is sent by pages
 * of the same site alone (SameSite=Strict) and cannot be read by any; writes also need a header, which a page of
 * another origin cannot send.
 */
export interface PageGuard {
  /** The Set-Cookie of a page that is served for this request. */
  cookieFor(request: Request): string;
  /**
   * Why a request is refused; undefined: it is the page's. `path` is the one that is looked up in the routes: one path
   * has many spellings (RFC 3986 section 6.2.2.2), and only some of them begin with `/console/`.
   */
  refusalOf(request: Request, path: string): ControlRefusal | undefined;
}

/** `hosts`: the host names that are accepted. */
export function makePageGuard(secret: string, hosts: ControlHosts): PageGuard {
  return {
    cookieFor: ({ url }) => `${cookieName(url)}=${secret}; Path=/; HttpOnly; SameSite=Strict`,
    refusalOf(request, path) {
      const refusal = originRefusal(request, hosts);
      if (refusal !== undefined) return refusal;
      if (!path.startsWith('/console/')) return undefined;
      if (!areSecretsEqual(cookieOf(request) ?? '', secret))
        return { status: 401, detail: 'This session is over. Load the page again.' };
      const writes = request.method !== 'GET' && request.method !== 'HEAD';
      return writes && request.headers.get(WRITE_HEADER) === null
        ? { status: 403, detail: `Send the header ${WRITE_HEADER} with whatever changes something.` }
        : undefined;
    },
  };
}

/** Of several with that name the first (RFC 6265 §5.4: the one with the longest path). */
function cookieOf(request: Request): string | undefined {
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2);
    if (name === cookieName(request.url)) return value;
  }
  return undefined;
}

/** Where a database is, and as whom. */
export interface DatabaseAddress {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  /** Absent: the server is expected to ask for none. */
  readonly password: string | undefined;
  readonly database: string;
  readonly tls: TlsUse;
  /** For people: where it is, without the password. `postgres://host:5432/name` */
  readonly shown: string;
}

/**
 * The TLS mode, by libpq's names (PostgreSQL 17, 34.19.1):
 *
 * - disable: none;
 * - require: an encrypted connection to an unverified server;
 * - verify-ca: the server's certificate is signed by a trusted authority;
 * - verify-full: and it is for this host.
 */
export type TlsUse = 'disable' | 'require' | 'verify-ca' | 'verify-full';

const TLS_USES: readonly TlsUse[] = ['disable', 'require', 'verify-ca', 'verify-full'];

const FORM = 'postgres://user:password@host:5432/database';
const STANDARD_PORT = 5432;

/**
 * Reads `postgres://user:password@host:5432/database?sslmode=verify-full` (`postgresql:` is the same). A sentence if it
 * cannot be read; it never holds the password. Without `sslmode` a connection is checked in full if the authority is
 * given, and has no TLS otherwise. `host` may be the folder of a socket, with `%2F` for each slash.
 */
export function readAddress(
  url: string,
  { hasAuthority }: { readonly hasAuthority: boolean },
): { readonly address: DatabaseAddress } | { readonly refusal: string } {
  if (!URL.canParse(url)) return refused('it cannot be read');
  const { protocol, username, password, hostname, port, pathname, searchParams } = new URL(url);
  if (protocol !== 'postgres:' && protocol !== 'postgresql:') {
    return refused(`it begins with ${protocol}//`);
  }
  const [user, secret, host, database] = [
    username,
    password,
    hostname.replace(/^\[(.*)\]$/, '$1'),
    pathname.slice(1),
  ].map(decoded);
  if (user === undefined || secret === undefined || host === undefined || database === undefined) {
    return refused('a % in it is not followed by two hexadecimal digits: write %25');
  }
  if (user === '') return refused('it names no user');
  if (database === '' || database.includes('/')) return refused('it names no database');
  const unknown = [...searchParams.keys()].find((name) => name !== 'sslmode');
  if (unknown !== undefined) return refused(`it has the parameter ${unknown}; only sslmode is known`);
  const mode = searchParams.get('sslmode') ?? (hasAuthority ? 'verify-full' : 'disable');
  const tls = TLS_USES.find((use) => use === mode);
  if (tls === undefined) return refused(`its sslmode is ${mode}; there are ${TLS_USES.join(', ')}`);
  if (hasAuthority && (tls === 'disable' || tls === 'require')) {
    return refused(`with sslmode=${tls} the authority that is given would not be asked: write verify-full`);
  }
  const at = port === '' ? STANDARD_PORT : Number(port);
  return {
    address: {
      host,
      port: at,
      user,
      password: secret === '' ? undefined : secret,
      database,
      tls,
      shown: `postgres://${hostname}:${at}/${database}`,
    },
  };
}

function refused(why: string): { readonly refusal: string } {
  return { refusal: `The address of PostgreSQL is not usable: ${why}. Its form is ${FORM}.` };
}

/** Without its percent encoding; undefined if that is broken. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

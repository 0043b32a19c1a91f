import { readFileSync } from 'node:fs';
import { AccountsUnreachable, type QueueAccounts } from '../backend/events/accounts.ts';
import { isCertificate } from '../brokers/tls/pem.ts';
import { realExchange } from '../world/real-exchange.ts';
import type { AmqpPlace } from './amqp-place.ts';
import { Failure } from './failure.ts';
import { limits } from './limits.ts';
import type { GivenAmqp } from './station-options.ts';
import { withoutPassword } from './users-terms.ts';

const OPTIONS = [
  ['caFile', '--amqp-ca'],
  ['adminUrl', '--amqp-admin'],
  ['consumer', '--amqp-consumer'],
  ['queueType', '--amqp-queue-type'],
] as const;

/** What belongs to a broker of the user's is an error without one: it would do nothing. Throws a `Failure`. */
export function refuseWithoutBroker(amqp: string, given: GivenAmqp): void {
  const found = OPTIONS.find(([name]) => given[name] !== undefined);
  if (found === undefined) return;
  throw new Failure(
    `${found[1]} is for a broker of yours, and --amqp is "${amqp}". Give its URL with --amqp, or leave ${found[1]} away.`,
  );
}

/**
 * The broker of the user's at these URLs, with commas between them. Throws a `Failure` that names the option where one of
 * them cannot be used.
 */
export function givenAmqp(
  amqp: string,
  given: GivenAmqp,
  accountsOf: (settings: AccountSettings) => QueueAccounts | undefined,
): AmqpPlace {
  const urls = amqp.split(',');
  const first = new URL(urls[0] ?? amqp);
  const isSecure = first.protocol === 'amqps:';
  if (given.caFile !== undefined && !urls.some((url) => url.startsWith('amqps:')))
    throw new Failure(
      '--amqp-ca is for amqps:// addresses, and --amqp has none. Write amqps://, or leave it away.',
    );
  const ca = given.caFile === undefined ? undefined : readAuthority(given.caFile);
  const shown = withoutAccount(first);
  return {
    url: urls,
    ca,
    queueType: given.queueType,
    accounts: accountsOf({
      address: {
        host: first.hostname.replace(/^\[|\]$/g, ''),
        port: Number(first.port || (isSecure ? 5671 : 5672)),
        virtualHost: virtualHostOf(first),
      },
      adminUrl: given.adminUrl,
      consumer: given.consumer === undefined ? undefined : accountOf(given.consumer),
    }),
    addresses: {
      plain: isSecure ? null : shown,
      tls: isSecure ? shown : null,
      caPath: given.caFile ?? null,
    },
    close: () => Promise.resolve(),
  };
}

export interface AccountSettings {
  readonly address: QueueAccounts['address'];
  readonly adminUrl: string | undefined;
  readonly consumer: { readonly username: string; readonly password: string } | undefined;
}

/** `user:password`; the password may hold colons. */
export function accountOf(text: string): { readonly username: string; readonly password: string } {
  const colon = text.indexOf(':');
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

/**
 * Connects once. Resolves with a sentence where the broker cannot be reached now, which is to be waited for; rejects with
 * a `Failure` where it refuses what the user gave, which no waiting mends.
 */
export async function tryAmqp(place: Pick<AmqpPlace, 'url' | 'ca'>): Promise<string | undefined> {
  const { url, ca } = place;
  try {
    const exchange = realExchange({ url, ...(ca === undefined ? {} : { ca }) });
    const session = await exchange.open(
      { connectTimeoutMs: limits.brokerNoticeMs },
      { closed: () => undefined, blocked: () => undefined },
    );
    await session.close();
    return undefined;
  } catch (error) {
    const shown = (typeof url === 'string' ? [url] : url).map(withoutPassword).join(', ');
    const remedy = remedyOf(error);
    if (remedy === undefined) return `waiting for the AMQP broker at ${shown} (--amqp): ${wordsOf(error)}`;
    throw new Failure(`${remedy.what} at ${shown} (${remedy.option}): ${wordsOf(error)} ${remedy.todo}`);
  }
}

/**
 * Asks once whoever makes users at the broker. Resolves with a sentence where that does not answer now, which the service
 * goes on trying; rejects with a `Failure` where it refuses, which no waiting mends.
 */
export async function tryAccounts({ accounts }: Pick<AmqpPlace, 'accounts'>): Promise<string | undefined> {
  try {
    await accounts?.check?.();
    return undefined;
  } catch (error) {
    if (!(error instanceof AccountsUnreachable)) throw error;
    if (!error.isRefused)
      return `${wordsOf(error)} (--amqp-admin). It is tried again; until it answers nobody can subscribe, and there is no account for consumers.`;
    throw new Failure(
      `The management interface refuses the sign-in (--amqp-admin): ${wordsOf(error)} ` +
        'Give user and password of an administrator, percent-encoded, as http://user:password@host:15672.',
    );
  }
}

interface Remedy {
  readonly what: string;
  readonly option: string;
  readonly todo: string;
}

/** What no waiting mends, by what the socket, the handshake of TLS or the broker says. */
const REMEDIES: readonly (readonly [RegExp, Remedy])[] = [
  [
    /ACCESS[-_]REFUSED|\b403\b/,
    {
      what: 'The AMQP broker refuses the sign-in',
      option: '--amqp',
      todo: 'Give user and password, percent-encoded, as amqp://user:password@host.',
    },
  ],
  [
    /\b530\b|vhost/i,
    {
      what: 'The AMQP broker has no such virtual host for that user',
      option: '--amqp',
      todo: 'Create it there, or name another one behind the host; the usual one is /.',
    },
  ],
  [
    /ALTNAME_INVALID|does not match certificate/,
    {
      what: 'The certificate is of another host than the AMQP broker',
      option: '--amqp',
      todo: 'Use a name that the certificate holds.',
    },
  ],
  [
    /CERT_HAS_EXPIRED|certificate has expired/,
    { what: 'The certificate has ended', option: '--amqp', todo: 'Renew it at the broker.' },
  ],
  [
    /SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|self[- ]signed certificate|unable to (verify|get)|CERT_UNTRUSTED/i,
    {
      what: 'The certificate is not trusted',
      option: '--amqp-ca',
      todo: 'Give the certificate authority of the broker with --amqp-ca FILE.',
    },
  ],
  [
    /EPROTO|WRONG_VERSION_NUMBER|packet length too long|ERR_SSL/,
    {
      what: 'There is no TLS',
      option: '--amqp',
      todo: 'Write amqp:// for a port without TLS; amqps usually is at port 5671.',
    },
  ],
];

function remedyOf(error: unknown): Remedy | undefined {
  const text = `${codeOf(error)} ${wordsOf(error)}`;
  return REMEDIES.find(([pattern]) => pattern.test(text))?.[1];
}

function readAuthority(file: string): string {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const isMissing = codeOf(error) === 'ENOENT';
    const why = isMissing ? 'does not exist' : `cannot be read: ${wordsOf(error)}`;
    throw new Failure(`The certificate authority ${file} (--amqp-ca) ${why}. Give a file in PEM form.`);
  }
  if (!isCertificate(text))
    throw new Failure(
      `The certificate authority ${file} (--amqp-ca) is no certificate in PEM form. ` +
        'Give a file that begins with -----BEGIN CERTIFICATE-----.',
    );
  return text;
}

function virtualHostOf({ pathname }: URL): string {
  return pathname === '' || pathname === '/' ? '/' : decodeURIComponent(pathname.slice(1));
}

function withoutAccount(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`;
}

/** On one line: OpenSSL says its own with breaks. */
function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replaceAll(/\s+/g, ' ').trim();
}

/** Of the error, or of what it came from. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}

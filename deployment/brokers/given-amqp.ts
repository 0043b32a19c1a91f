import { AccountsUnreachable, type QueueAccounts } from '../../backend/events/accounts.ts';
import { realAmqpPublisher } from '../../world/amqp/real-amqp-publisher.ts';
import { errorText } from '../../world/error-text.ts';
import { readAuthorityFile } from '../input/authority-file.ts';
import { CommandError } from '../shared/command-error.ts';
import type { GivenAmqp } from '../shared/deployment-options.ts';
import { limits } from '../shared/limits.ts';
import { withoutPassword } from '../shared/user-errors.ts';
import type { AmqpEndpoint } from './amqp-addresses.ts';
import { accountIn } from './embedded-accounts.ts';

const OPTIONS = [
  ['caFile', '--amqp-ca'],
  ['adminUrl', '--amqp-admin'],
  ['consumer', '--amqp-consumer'],
  ['queueType', '--amqp-queue-type'],
] as const;

/** Options of an external broker are an error without one: they would have no effect. Throws a `CommandError`. */
export function refuseWithoutBroker(amqp: string, given: GivenAmqp): void {
  const found = OPTIONS.find(([name]) => given[name] !== undefined);
  if (found === undefined) return;
  throw new CommandError(
    `${found[1]} is for your own broker, and --amqp is "${amqp}". Give its URL with --amqp, or omit ${found[1]}.`,
  );
}

/**
 * The external broker at these URLs, separated by commas. Throws a `CommandError` that names the option where one of
 * them cannot be used.
 */
export function givenAmqp(
  amqp: string,
  given: GivenAmqp,
  accountsOf: (settings: AccountSettings) => QueueAccounts | undefined,
): AmqpEndpoint {
  const urls = amqp.split(',');
  const first = new URL(urls[0] ?? amqp);
  const isSecure = first.protocol === 'amqps:';
  if (given.caFile !== undefined && !urls.some((url) => url.startsWith('amqps:')))
    throw new CommandError(
      '--amqp-ca is for amqps:// addresses, and --amqp has none. Write amqps://, or omit it.',
    );
  const ca = given.caFile === undefined ? undefined : readAuthorityFile(given.caFile, '--amqp-ca');
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
      consumer: given.consumer === undefined ? undefined : accountIn(given.consumer),
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

/**
 * Connects once. Resolves with a sentence where the broker is unreachable now, so that the caller retries; rejects with
 * a `CommandError` where it refuses what the user gave, which retrying does not fix.
 */
export async function tryAmqp(place: Pick<AmqpEndpoint, 'url' | 'ca'>): Promise<string | undefined> {
  const fault = await findAmqpFault(place);
  if (fault === undefined) return undefined;
  if (fault.todo === undefined) return `waiting for the AMQP broker at ${fault.text}`;
  throw new CommandError(`${fault.text} ${fault.todo}`);
}

/** Why a broker, or its management interface, cannot be used. Without passwords. */
export interface BrokerFault {
  /** What is wrong, and where. Of an unreachable broker: its address, option and reason. */
  readonly text: string;
  /** What to do, where retrying does not help. Undefined: it is unreachable now. */
  readonly todo: string | undefined;
}

/** Connects once. Undefined: the broker accepts what the service would send. */
export async function findAmqpFault(
  place: Pick<AmqpEndpoint, 'url' | 'ca'>,
): Promise<BrokerFault | undefined> {
  const { url, ca } = place;
  try {
    const amqp = realAmqpPublisher({ url, ...(ca === undefined ? {} : { ca }) });
    const session = await amqp.open(
      { connectTimeoutMs: limits.brokerNoticeMs },
      { closed: () => undefined, blocked: () => undefined },
    );
    await session.close();
    return undefined;
  } catch (error) {
    const shown = (typeof url === 'string' ? [url] : url).map(withoutPassword).join(', ');
    const remedy = remedyOf(error);
    return remedy === undefined
      ? { text: `${shown} (--amqp): ${wordsOf(error)}`, todo: undefined }
      : { text: `${remedy.what} at ${shown} (${remedy.option}): ${wordsOf(error)}`, todo: remedy.todo };
  }
}

/**
 * Calls the management interface of the broker once. Resolves with a sentence where it does not answer now, so that the
 * service keeps trying; rejects with a `CommandError` where it refuses, which retrying does not fix.
 */
export async function tryAccounts(endpoint: Pick<AmqpEndpoint, 'accounts'>): Promise<string | undefined> {
  const fault = await findAccountsFault(endpoint);
  if (fault === undefined) return undefined;
  if (fault.todo === undefined)
    return `${fault.text} boxtwin keeps trying; until it answers, no client can subscribe, and there is no account for consumers.`;
  throw new CommandError(`${fault.text} ${fault.todo}`);
}

/** Calls the management interface of the broker once. Undefined: it may create users, or there is no such interface. */
export async function findAccountsFault({
  accounts,
}: Pick<AmqpEndpoint, 'accounts'>): Promise<BrokerFault | undefined> {
  try {
    await accounts?.check?.();
    return undefined;
  } catch (error) {
    if (!(error instanceof AccountsUnreachable)) throw error;
    return error.isRefused
      ? {
          text: `The management interface refuses the sign-in (--amqp-admin): ${wordsOf(error)}`,
          todo: 'Give user and password of an administrator, percent-encoded, as http://user:password@host:15672.',
        }
      : { text: `${wordsOf(error)} (--amqp-admin).`, todo: undefined };
  }
}

interface Remedy {
  readonly what: string;
  readonly option: string;
  readonly todo: string;
}

/** The errors that retrying does not fix, by the message of the socket, the TLS handshake or the broker. */
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

function virtualHostOf({ pathname }: URL): string {
  return pathname === '' || pathname === '/' ? '/' : decodeURIComponent(pathname.slice(1));
}

function withoutAccount(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname === '/' ? '' : url.pathname}`;
}

/** On one line: OpenSSL's messages have line breaks. */
function wordsOf(error: unknown): string {
  return errorText(error).replaceAll(/\s+/g, ' ').trim();
}

/** Of the error, or of its cause. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return codeOf(error.cause);
}

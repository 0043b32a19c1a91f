import { isIP } from 'node:net';
import { z } from 'zod';
import { redirectUriFault } from '../../backend/access/oauth/redirect-uri.ts';
import { originFault } from '../../backend/http/cross-origin.ts';
import { readAddress } from '../../backend/store/postgres/address.ts';
import { FIXED_CLIENT_FORM, readFixedClient } from '../../deployment/shared/fixed-client.ts';
import { listed } from '../../judge/wording.ts';
import { nearestHint } from '../../scenarios/language/document/nearest.ts';
import { limits } from '../shared/limits.ts';

// The schemas of the values of settings. The message of each names the accepted values.

const OF_A_CLUSTER = `of a cluster those of its nodes, with commas between them, at most ${limits.brokerNodes}`;

/** A whole number within these bounds. */
export function wholeNumber(minimum: number, maximum: number) {
  const error = `It takes a whole number from ${minimum} to ${maximum}.`;
  return z.int({ error }).min(minimum, { error }).max(maximum, { error });
}

export const port = wholeNumber(1, 65_535);

/** A path of a file or folder. */
export const path = text('It takes a path.', (given) => given !== '');

/** Paths of files. */
export const paths = z
  .array(path, { error: 'It takes a list of paths, such as [monday.gpx, tuesday.csv].' })
  .max(limits.drives, { error: `There are at most ${limits.drives} of them.` });

/** Any text that is not empty. */
export const word = text('It takes a text.', (given) => given !== '');

/** One of these words. */
export function oneOf<const Words extends readonly [string, ...string[]]>(words: Words) {
  return z.enum(words, { error: ({ input }) => wordsText(words, input) });
}

/** Which words are possible, and which one was probably meant by the given value. */
export function wordsText(words: readonly string[], given: unknown): string {
  const meant = typeof given === 'string' ? nearestHint(given, words) : undefined;
  return `It takes ${listed(words)}.${meant === undefined ? '' : ` ${meant}`}`;
}

/** A URL without an account in it. */
export const httpUrl = text(
  'It takes a URL that begins with http:// or https://, without a password.',
  (given) => {
    const url = urlOf(given);
    return isHttp(url) && url.username + url.password === '';
  },
);

/** A URL that may have an account in it. */
export const accountUrl = text('It takes a URL that begins with http:// or https://.', (given) =>
  isHttp(urlOf(given)),
);

/** URLs with an account in each: the management interfaces of the nodes of one broker. */
export const adminUrls = text(
  `It takes a URL that begins with http:// or https://, with user and password: http://user:password@host:15672; ${OF_A_CLUSTER}.`,
  (given) => areNodes(given, (url) => isHttp(url) && url.username !== ''),
);

/** `word`, or the URLs of the nodes of one broker. */
export function brokerUrls(protocols: readonly string[], word: string) {
  const urls = protocols.map((protocol) => `${protocol}//`).join(' or ');
  return text(
    `It takes "${word}" or a URL that begins with ${urls}; ${OF_A_CLUSTER}.`,
    (given) => given === word || areNodes(given, (url) => protocols.includes(url?.protocol ?? '')),
  );
}

/** `embedded`, `none`, or the nodes of one broker. */
export const amqpUrls = text(
  `It takes "embedded", "none", or a URL that begins with amqp:// or amqps://; ${OF_A_CLUSTER}.`,
  (given) =>
    given === 'embedded' ||
    given === 'none' ||
    areNodes(given, (url) => ['amqp:', 'amqps:'].includes(url?.protocol ?? '') && url?.hostname !== ''),
);

/** The URL of a database of PostgreSQL. */
export const storeUrl = z
  .string({ error: 'It takes a URL that begins with postgres:// or postgresql://.' })
  .superRefine((given, context) => {
    const read = readAddress(given, { hasAuthority: false });
    if ('refusal' in read) context.addIssue({ code: 'custom', message: read.refusal });
  });

/** `user:password` */
export const account = text('It takes a user and a password with a colon between them.', (given) =>
  /^[^:]+:./s.test(given),
);

/** `ID:SECRET` of the demo client. */
export const fixedClient = text(FIXED_CLIENT_FORM, (given) => readFixedClient(given) !== undefined);

/** An additional redirect URI. */
export const redirectUri = faultless(redirectUriFault);

/** Origins whose pages may call the API. */
export const corsOrigins = z
  .array(faultless(originFault), { error: 'It takes a list of origins, such as [http://localhost:3000].' })
  .max(limits.corsOrigins, { error: `There are at most ${limits.corsOrigins} of them.` })
  .transform((origins) => [...new Set(origins)]);

/** A name or an address of this machine to listen on. */
export const host = text(
  'It takes an address or a name of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them.',
  (given) => /^[A-Za-z0-9.:_-]{1,253}$/.test(given),
);

/** `K/N`: the Kth of N equal parts. */
export const shard = text(
  `It takes K/N, such as 1/2 for the first of two, N at most ${limits.shards}.`,
  (given) => {
    const [, index = '', count = ''] = /^(\d{1,4})\/(\d{1,4})$/.exec(given) ?? [];
    return Number(index) >= 1 && Number(index) <= Number(count) && Number(count) <= limits.shards;
  },
);

/** Addresses of this machine to connect from. */
export const localAddresses = z
  .array(
    text('It takes an address of this machine, such as 127.0.0.2.', (given) => isIP(given) !== 0),
    { error: 'It takes a list of addresses, such as [127.0.0.2, 127.0.0.3].' },
  )
  .max(limits.localAddresses, { error: `There are at most ${limits.localAddresses} of them.` });

/** Networks in CIDR notation (RFC 4632), or single addresses. */
export const networks = z
  .array(
    text('It takes a network, such as 10.0.0.0/8 or fd00::/8, or an address.', (given) => {
      const [address = '', bits, ...rest] = given.split('/');
      const family = isIP(address);
      const most = family === 6 ? 128 : 32;
      const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
      return family !== 0 && isPrefix && rest.length === 0;
    }),
    { error: 'It takes a list of networks, such as [10.0.0.0/8].' },
  )
  .max(limits.trustedProxies, { error: `There are at most ${limits.trustedProxies} of them.` });

function urlOf(given: string): URL | undefined {
  return URL.canParse(given) ? new URL(given) : undefined;
}

function isHttp(url: URL | undefined): url is URL {
  return url !== undefined && ['http:', 'https:'].includes(url.protocol);
}

/** Whether each of the parts between commas is such an address. */
function areNodes(given: string, isNode: (url: URL | undefined) => boolean): boolean {
  const nodes = given.split(',');
  return nodes.length <= limits.brokerNodes && nodes.every((node) => isNode(urlOf(node)));
}

function text(error: string, accepts: (given: string) => boolean) {
  return z.string({ error }).refine(accepts, { error });
}

/** A text in which `faultOf` finds nothing; its finding continues a sentence that begins with "It". */
function faultless(faultOf: (given: string) => string | undefined) {
  return z.string({ error: 'It takes a text.' }).superRefine((given, context) => {
    const fault = faultOf(given);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: `It ${fault}.` });
  });
}

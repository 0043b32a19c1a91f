import { InvalidArgumentError } from 'commander';
import { redirectUriFault } from '../backend/access/redirect-uri.ts';
import { originFault } from '../backend/http/cross-origin.ts';
import { limits } from './limits.ts';

// What the values of options have to be. Each throws what commander shows beside the option.

/** A whole number within these bounds. */
export function whole(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It takes a whole number from ${minimum} to ${maximum}.`);
  };
}

/** A URL without an account in it. */
export function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.username + url.password === '')
    return text;
  throw new InvalidArgumentError('It takes a URL that begins with http:// or https://, without a password.');
}

/** Where a code flow may lead back to. */
export function redirectUri(text: string): string {
  const fault = redirectUriFault(text);
  if (fault === undefined) return text;
  throw new InvalidArgumentError(`It ${fault}.`);
}

/** One origin more whose pages may call the API. */
export function corsOrigins(text: string, before: readonly string[] = []): readonly string[] {
  const fault = originFault(text);
  if (fault !== undefined) throw new InvalidArgumentError(`It ${fault}.`);
  if (before.length >= limits.corsOrigins)
    throw new InvalidArgumentError(`There are at most ${limits.corsOrigins} of them.`);
  return before.includes(text) ? before : [...before, text];
}

/** `word`, or the URL of a broker. */
export function brokerUrl(protocols: readonly string[], word: string): (text: string) => string {
  return (text) => {
    if (text === word) return text;
    if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text;
    throw new InvalidArgumentError(
      `It takes "${word}" or a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
    );
  };
}

/** `embedded`, `none`, or the nodes of one broker. */
export function amqpUrls(text: string): string {
  if (text === 'embedded' || text === 'none') return text;
  for (const url of text.split(',')) {
    const parsed = URL.canParse(url) ? new URL(url) : undefined;
    if (parsed !== undefined && ['amqp:', 'amqps:'].includes(parsed.protocol) && parsed.hostname !== '')
      continue;
    throw new InvalidArgumentError(
      'It takes "embedded", "none", or URLs that begin with amqp:// or amqps://, with commas between them.',
    );
  }
  return text;
}

/** A URL with an account in it. */
export function adminUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.username !== '') return text;
  throw new InvalidArgumentError(
    'It takes a URL that begins with http:// or https://, with user and password: http://user:password@host:15672.',
  );
}

/** `user:password` */
export function account(text: string): string {
  if (/^[^:]+:./s.test(text)) return text;
  throw new InvalidArgumentError('It takes a user and a password with a colon between them.');
}

import { z } from 'zod';
import { languageLimits } from '../../limits.ts';

/** A span of time in milliseconds. As written: `90s`, `2m30s`, `1h`, `1d`, `250ms`. */
export type Ms = number;

/** The units of a span, from the largest; a span names each at most once, in this order. */
const SPAN_UNITS = [
  { unit: 'd', ms: 86_400_000 },
  { unit: 'h', ms: 3_600_000 },
  { unit: 'm', ms: 60_000 },
  { unit: 's', ms: 1_000 },
  { unit: 'ms', ms: 1 },
] as const;

const SIZE_UNITS = [
  { unit: 'MB', one: 1_000_000 },
  { unit: 'kB', one: 1_000 },
  { unit: 'B', one: 1 },
] as const;

const RATE_UNITS = [
  { unit: 'Mbit/s', one: 1_000_000 },
  { unit: 'kbit/s', one: 1_000 },
  { unit: 'bit/s', one: 1 },
] as const;

const SPAN = String.raw`(?=\d)(?:\d+d)?(?:\d+h)?(?:\d+m(?!s))?(?:\d+(?:\.\d{1,3})?s)?(?:\d+ms)?`;
export const SPAN_PATTERN = new RegExp(`^${SPAN}$`);
const SIGNED_PATTERN = new RegExp(`^-?${SPAN}$`);
const SIZE_PATTERN = /^\d+(?:\.\d{1,3})?(?:B|kB|MB)$/;
const RATE_PATTERN = /^\d+(?:\.\d{1,3})?(?:bit|kbit|Mbit)\/s$/;

/** A span in whole milliseconds; undefined where the text is none. */
export function parseSpan(text: string): Ms | undefined {
  if (!SPAN_PATTERN.test(text)) return undefined;
  let sumMs = 0;
  for (const [, number = '', unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|[dhms])/g)) {
    sumMs += Number(number) * (SPAN_UNITS.find((row) => row.unit === unit)?.ms ?? 0);
  }
  return Math.round(sumMs);
}

/** The shortest text of a span: `2m30s`. The span is whole milliseconds, 0 or more. */
export function formatSpan(ms: Ms): string {
  let restMs = ms;
  let text = '';
  for (const row of SPAN_UNITS) {
    const count = Math.floor(restMs / row.ms);
    if (count > 0) text += `${count}${row.unit}`;
    restMs -= count * row.ms;
  }
  return text === '' ? '0s' : text;
}

const SPAN_WORDS = 'a span of time such as 90s, 2m30s, 12h or 1d';

/** A span of time: text as written, milliseconds as read. */
export const span = z.codec(
  z
    .string(SPAN_WORDS)
    .regex(SPAN_PATTERN, { error: SPAN_WORDS, abort: true })
    .refine((text) => (parseSpan(text) ?? 0) <= languageLimits.longestMs, 'a span of at most a year (365d)')
    .meta({ format: 'span' }),
  z.number(),
  { decode: (text) => parseSpan(text) ?? 0, encode: formatSpan },
);

/** As `span`, and backwards with a minus: `-2h`. */
export const signedSpan = z.codec(
  z
    .string(SPAN_WORDS)
    .regex(SIGNED_PATTERN, { error: `${SPAN_WORDS}, or with a minus before it`, abort: true })
    .refine(
      (text) => (parseSpan(text.replace('-', '')) ?? 0) <= languageLimits.longestMs,
      'at most a year (365d)',
    )
    .meta({ format: 'signed-span' }),
  z.number(),
  {
    // Without a minus zero, which equals zero but differs in JSON.
    decode: (text) => (text.startsWith('-') ? 0 - (parseSpan(text.slice(1)) ?? 0) : (parseSpan(text) ?? 0)),
    encode: (ms) => (ms < 0 ? `-${formatSpan(-ms)}` : formatSpan(ms)),
  },
);

const SIZE_WORDS = 'a size such as 500B, 64kB or 2MB';
const RATE_WORDS = 'a rate such as 9600bit/s, 64kbit/s or 2Mbit/s';

/** A size: text as written, whole bytes as read. */
export const size = z.codec(
  z
    .string(SIZE_WORDS)
    .regex(SIZE_PATTERN, { error: SIZE_WORDS, abort: true })
    .refine((text) => read(text, SIZE_UNITS) <= languageLimits.mostBytes, 'at most 1 TB')
    .meta({ format: 'size' }),
  z.number(),
  { decode: (text) => read(text, SIZE_UNITS), encode: (bytes) => print(bytes, SIZE_UNITS) },
);

/** A rate: text as written, whole bits in a second as read. */
export const rate = z.codec(
  z
    .string(RATE_WORDS)
    .regex(RATE_PATTERN, { error: RATE_WORDS, abort: true })
    .refine((text) => read(text, RATE_UNITS) >= 1, 'at least 1bit/s; use stall where nothing passes')
    .refine((text) => read(text, RATE_UNITS) <= languageLimits.mostBitsPerS, 'at most 10000Mbit/s')
    .meta({ format: 'rate' }),
  z.number(),
  { decode: (text) => read(text, RATE_UNITS), encode: (bits) => print(bits, RATE_UNITS) },
);

/** From 0 to 1, both included. */
export const probability = z.number('a number from 0 to 1').min(0).max(1);

type Units = readonly { readonly unit: string; readonly one: number }[];

function read(text: string, units: Units): number {
  const [, number = '', unit] = /^([\d.]+)(.*)$/.exec(text) ?? [];
  return Math.round(Number(number) * (units.find((row) => row.unit === unit)?.one ?? 0));
}

function print(count: number, units: Units): string {
  const row = units.find(({ one }) => count >= one && count % one === 0) ?? {
    unit: units.at(-1)?.unit,
    one: 1,
  };
  return `${count / row.one}${row.unit}`;
}

/** Any JSON value. */
export const json = z.json().meta({ id: 'json' });

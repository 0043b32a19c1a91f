import { formatSpan, parseSpan } from './quantity.ts';

/** Other common spellings of units. */
const SPAN_UNITS: readonly (readonly [RegExp, string])[] = [
  [/^(?:ms|msecs?|millis(?:econds)?|milliseconds?)$/, 'ms'],
  [/^(?:s|secs?|seconds?)$/, 's'],
  [/^(?:m|mins?|minutes?)$/, 'm'],
  [/^(?:h|hrs?|hours?)$/, 'h'],
  [/^(?:d|days?)$/, 'd'],
];
/** The next smaller unit: that of a number without a unit after one with this unit. */
const SMALLER: Readonly<Record<string, string>> = { d: 'h', h: 'm', m: 's' };
const MS: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 };

/** The span that was probably meant: `5 min` is `5m`, `1h30` is `1h30m`, `1.5h` is `1h30m`. */
export function meantSpan(text: string): string | undefined {
  const sign = text.trim().startsWith('-') ? '-' : '';
  const parts = [...text.toLowerCase().matchAll(/(\d+(?:\.\d+)?)\s*([a-z]*)/g)];
  const rest = text.toLowerCase().replaceAll(/(\d+(?:\.\d+)?)\s*([a-z]*)/g, '');
  if (parts.length === 0 || parts.length > 5 || !/^[-\s,]*$/.test(rest)) return undefined;
  let sumMs = 0;
  let before = '';
  let written = '';
  for (const [, number = '', word = ''] of parts) {
    const unit = word === '' ? SMALLER[before] : SPAN_UNITS.find(([pattern]) => pattern.test(word))?.[1];
    if (unit === undefined) return undefined;
    sumMs += Number(number) * (MS[unit] ?? 0);
    written += `${number}${unit}`;
    before = unit;
  }
  const meant = parseSpan(written) === undefined ? formatSpan(Math.round(sumMs)) : written;
  return parseSpan(meant) === undefined ? undefined : `${sign}${meant}`;
}

/** The size that was probably meant: `20 KB` is `20kB`. */
export function meantSize(text: string): string | undefined {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d{1,3})?)\s*([kmg]?)i?b(?:ytes?)?$/i.exec(text.trim()) ?? [];
  return number === '' ? undefined : scaled(number, unit, ['B', 'kB', 'MB']);
}

/** The rate that was probably meant: `64kbps` is `64kbit/s`. */
export function meantRate(text: string): string | undefined {
  const [, number = '', unit = ''] =
    /^(\d+(?:\.\d{1,3})?)\s*([kmg]?)(?:b|bits?)?(?:ps|\/s|\/sec)?$/i.exec(text.trim()) ?? [];
  return number === '' ? undefined : scaled(number, unit, ['bit/s', 'kbit/s', 'Mbit/s']);
}

function scaled(number: string, prefix: string, units: readonly [string, string, string]): string {
  const [one, thousand, million] = units;
  switch (prefix.toLowerCase()) {
    case 'k':
      return `${number}${thousand}`;
    case 'm':
      return `${number}${million}`;
    case 'g':
      return `${Number(number) * 1_000}${million}`;
    default:
      return `${number}${one}`;
  }
}

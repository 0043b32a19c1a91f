/** The parts of a written time, as a pattern finds them. A clock alone has no date. */
export interface TimeParts {
  readonly year?: string | undefined;
  /** A number, or a name in English or German. */
  readonly month?: string | undefined;
  readonly day?: string | undefined;
  readonly hour?: string | undefined;
  readonly minute?: string | undefined;
  readonly second?: string | undefined;
  readonly fraction?: string | undefined;
  /** `AM` or `PM`. */
  readonly half?: string | undefined;
  /** `Z`, `+02:00`, `+02`, `GMT+02:00`, `CEST`; absent: UTC. */
  readonly zone?: string | undefined;
}

/** Which of two numbers in front of a year is the day, as in `04/05/2026`. */
export type DateOrder = 'day first' | 'month first';

/** A clock with these marks between its parts, the same one twice. */
const clockWith = (marks: string): string =>
  `(?<hour>\\d{1,2})(?<colon>${marks})(?<minute>\\d{2})(?:\\k<colon>(?<second>\\d{2})(?:[.,:](?<fraction>\\d{1,9}))?)?(?:\\s?(?<half>[ap])\\.?m\\.?)?`;
const CLOCK = clockWith('[:.-]');
const ZONE = '(?:\\s?(?<zone>[a-z]{1,5}(?:[+-]\\d{1,2}(?::?\\d{2})?)?|[+-]\\d{2}(?::?\\d{2})?))?';
const BETWEEN = '(?:[T_]|,?\\s+)';
const WEEKDAY = '(?:[a-z]{2,9}[.,]?\\s+)?';
/** The name of a month, as a pattern. */
export const MONTH_NAME = '(?<month>[a-zä]{3,9})';

/** Dates with an unambiguous order of their parts. */
const PATTERNS: readonly RegExp[] = [
  // 08:15:30
  `${clockWith('[:.]')}${ZONE}`,
  // 2026-05-04T08:15:30Z, 2026/05/04 08:15:30, 2026-05-04_08-15-30
  `(?<year>\\d{4})[-/.](?<month>\\d{1,2})[-/.](?<day>\\d{1,2})${BETWEEN}${CLOCK}${ZONE}`,
  // 20260504 08:15:30
  `(?<year>(?:19|20)\\d{2})(?<month>\\d{2})(?<day>\\d{2})${BETWEEN}${CLOCK}${ZONE}`,
  // 20260504T081530Z
  `(?<year>(?:19|20)\\d{2})(?<month>\\d{2})(?<day>\\d{2})[T_ -]?(?<hour>\\d{2})(?<minute>\\d{2})(?<second>\\d{2})(?:[.,](?<fraction>\\d{1,9}))?${ZONE}`,
  // 04-May-2026 08:15:30, Mon, 04 May 2026 08:15:30 +0200
  `${WEEKDAY}(?<day>\\d{1,2})[-/. ]\\s?${MONTH_NAME}[-/. ]\\s?(?<year>\\d{4})${BETWEEN}${CLOCK}${ZONE}`,
  // Mon May 04 08:15:30 GMT+02:00 2026
  `${WEEKDAY}${MONTH_NAME}\\s+(?<day>\\d{1,2})\\s+${CLOCK}${ZONE}\\s+(?<year>\\d{4})`,
  // May 4, 2026 8:15:30 AM
  `${WEEKDAY}${MONTH_NAME}\\s+(?<day>\\d{1,2}),?\\s+(?<year>\\d{4})${BETWEEN}${CLOCK}${ZONE}`,
].map((pattern) => new RegExp(`^${pattern}$`, 'i'));

/** 04.05.2026 08:15:30, 04.05.2026 08.15.30, 05/04/2026 08:15:30: which is the day has to be known. */
const EITHER = new RegExp(
  `^(?<one>\\d{1,2})(?<mark>[-/.])(?<other>\\d{1,2})\\k<mark>(?<year>\\d{4}|\\d{2})${BETWEEN}${CLOCK}${ZONE}$`,
  'i',
);

/** No time is written longer. */
const MOST_CHARACTERS = 100;

/** The name of a zone behind its offset: `[Europe/Berlin]`, `(Central European Summer Time)`. */
const ZONE_NAME = /\s?(?:\[[^[\]]*\]|\([^()]*\))$/;

/** Undefined: the text is too long for a time. */
function writtenTime(text: string): string | undefined {
  const written = text.trim();
  return written.length > MOST_CHARACTERS ? undefined : written.replace(ZONE_NAME, '');
}

/**
 * A written time in milliseconds since 1970, or of a clock alone since midnight; undefined: it is none. Without a zone it
 * counts as UTC, and so does a zone whose name is unknown: only differences count.
 */
export function readTime(text: string, order: DateOrder = 'day first'): number | undefined {
  const written = writtenTime(text);
  if (written === undefined) return undefined;
  for (const pattern of PATTERNS) {
    const groups = pattern.exec(written)?.groups;
    const atMs = groups === undefined ? undefined : timeOfParts(groups);
    if (atMs !== undefined) return atMs;
  }
  const either = eitherDate(written);
  if (either === undefined) return undefined;
  const [day, month] = order === 'day first' ? [either.one, either.other] : [either.other, either.one];
  return timeOfParts({ ...either.parts, day, month });
}

/** The two numbers of a date that could be either day and month; undefined: it is no such date. */
export function eitherDate(
  text: string,
):
  | { readonly one: string; readonly other: string; readonly mark: string; readonly parts: TimeParts }
  | undefined {
  const groups = EITHER.exec(writtenTime(text) ?? '')?.groups;
  if (groups === undefined) return undefined;
  const { one = '', other = '', mark = '', ...parts } = groups;
  return { one, other, mark, parts };
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Names in German, where they differ. */
const MORE_MONTHS: Readonly<Record<string, number>> = { mär: 2, mrz: 2, mai: 4, okt: 9, dez: 11 };
const MINUTE_MS = 60_000;

/** Milliseconds since 1970, or without a date since midnight; undefined: there is no such time. */
export function timeOfParts(parts: TimeParts): number | undefined {
  const { year, month, day, second = '0', fraction = '0', half, zone = 'z' } = parts;
  const [hour, minute] = [Number(parts.hour), Number(parts.minute)];
  // A leap second is the one before it, twice.
  if (!(hour <= 23 && minute <= 59 && Number(second) <= 60)) return undefined;
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  const hourOfDay = half === undefined ? hour : (hour % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0);
  const ofDayMs =
    ((hourOfDay * 60 + minute) * 60 + Math.min(Number(second), 59)) * 1_000 +
    Math.floor(Number(`0.${fraction}`) * 1_000);
  const dayMs = year === undefined ? 0 : dayOf(year, month ?? '', day ?? '');
  return dayMs === undefined ? undefined : dayMs + ofDayMs - zoneMs(zone);
}

function dayOf(year: string, month: string, day: string): number | undefined {
  const name = month.slice(0, 3).toLowerCase();
  const named = MONTHS.indexOf(name);
  const index = named >= 0 ? named : (MORE_MONTHS[name] ?? Number(month) - 1);
  const dayMs = Date.UTC(Number(year.length === 2 ? `20${year}` : year), index, Number(day));
  const date = new Date(dayMs);
  return date.getUTCMonth() === index && date.getUTCDate() === Number(day) ? dayMs : undefined;
}

/** Minutes before UTC, of zones whose names are used for one zone mainly. */
const ZONES: Readonly<Record<string, number>> = {
  WEST: 60,
  BST: 60,
  CET: 60,
  MEZ: 60,
  CEST: 120,
  MESZ: 120,
  EET: 120,
  EEST: 180,
  MSK: 180,
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  JST: 540,
  AEST: 600,
  AEDT: 660,
};

function zoneMs(zone: string): number {
  const match = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone);
  if (match === null) return (ZONES[zone.toUpperCase()] ?? 0) * MINUTE_MS;
  const ms = (Number(match[2]) * 60 + Number(match[3] ?? 0)) * MINUTE_MS;
  return match[1] === '-' ? -ms : ms;
}

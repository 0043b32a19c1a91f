/** The last second with a four-digit year, as epoch milliseconds. */
const LAST_MS = 253_402_300_799_000;

/**
 * A date-time in the form of every answer: UTC, whole seconds, `2025-03-01T12:00:00Z`. Fractions are cut off,
 * never rounded up, so that nothing is dated after it happened. `ms` counts from 1970; before it and after
 * the year 9999 the nearest of the two is given.
 */
export function dateTime(ms: number): string {
  const bounded = Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LAST_MS) : 0;
  const second = Math.floor(bounded / 1_000);
  const place = second % REMEMBERED;
  const remembered = seconds[place] === second ? texts[place] : undefined;
  if (remembered !== undefined) return remembered;
  const text = textOf(second);
  seconds[place] = second;
  texts[place] = text;
  return text;
}

/**
 * Seconds whose text is kept, each in its place: the times of one record are usually within a second, and those of a
 * vehicle recur with each answer.
 */
const REMEMBERED = 256;
const seconds: number[] = Array.from({ length: REMEMBERED }, () => -1);
const texts: string[] = Array.from({ length: REMEMBERED }, () => '');

/** Days are cached and the time of day is appended: a Date for each record takes several times as long. */
function textOf(second: number): string {
  const day = Math.floor(second / DAY_S);
  if (day !== lastDay) {
    lastDay = day;
    lastDate = new Date(day * DAY_S * 1_000).toISOString().slice(0, 10);
  }
  const ofDay = second - day * DAY_S;
  const hour = Math.floor(ofDay / 3_600);
  const minute = Math.floor((ofDay - hour * 3_600) / 60);
  return `${lastDate}T${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[ofDay % 60]}Z`;
}

const DAY_S = 86_400;
const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));
let lastDay = 0;
let lastDate = '1970-01-01';

/** `dateTime`, or null if there is no time. */
export function dateTimeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : dateTime(ms);
}

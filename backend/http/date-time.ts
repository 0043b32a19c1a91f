/** The last second that has four digits for its year, as epoch milliseconds. */
const LAST_MS = 253_402_300_799_000;

/**
 * A date-time as it leaves the service: UTC, whole seconds, `2025-03-01T12:00:00Z`. Fractions are cut off, never
 * rounded up, so that nothing is dated after it happened. `ms` counts from 1970; before it and beyond the year
 * 9999 the nearest of the two is given.
 */
export function dateTime(ms: number): string {
  const bounded = Number.isFinite(ms) ? Math.min(Math.max(ms, 0), LAST_MS) : 0;
  const second = Math.floor(bounded / 1_000);
  if (second !== lastSecond) {
    lastSecond = second;
    lastText = `${new Date(bounded).toISOString().slice(0, 19)}Z`;
  }
  return lastText;
}

/** The times of one record lie within a second as a rule: it is put into words once. */
let lastSecond = 0;
let lastText = '1970-01-01T00:00:00Z';

/** `dateTime`, or null where there is no time. */
export function dateTimeOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : dateTime(ms);
}

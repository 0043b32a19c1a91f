const TIME =
  /^(?:(\d{4})-(\d{2})-(\d{2})(?:[T ]))?(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s?(Z|UTC|[+-]\d{2}:?\d{2})?$/i;
const MINUTE_MS = 60_000;

/**
 * A time of ISO 8601 in milliseconds since 1970, or of a clock alone since midnight; undefined: it is none. Without a
 * zone it counts as UTC.
 */
export function readTime(text: string): number | undefined {
  const match = TIME.exec(text.trim());
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second = '0', fraction = '0', zone = 'Z'] = match;
  const clock = [Number(hour), Number(minute), Number(second)] as const;
  // A leap second is the one before it, twice.
  if (clock[0] > 23 || clock[1] > 59 || clock[2] > 60) return undefined;
  const ofDayMs =
    ((clock[0] * 60 + clock[1]) * 60 + Math.min(clock[2], 59)) * 1_000 +
    Math.floor(Number(`0.${fraction}`) * 1_000);
  const dayMs = year === undefined ? 0 : Date.UTC(Number(year), Number(month) - 1, Number(day));
  const isDate =
    year === undefined ||
    (new Date(dayMs).getUTCMonth() === Number(month) - 1 && new Date(dayMs).getUTCDate() === Number(day));
  return isDate ? dayMs + ofDayMs - zoneMs(zone) : undefined;
}

function zoneMs(zone: string): number {
  const match = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (match === null) return 0;
  const ms = (Number(match[2]) * 60 + Number(match[3])) * MINUTE_MS;
  return match[1] === '-' ? -ms : ms;
}

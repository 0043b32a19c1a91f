import type { ValueRow } from '../../../contract/properties.ts';
import type { SignalRow } from '../../../protocol/models/model.ts';
import { dateTime } from '../../base/date-time.ts';
import { rounded } from './rounding.ts';

/** A row's raw number as the value of a property; undefined: no value. `atMs`: the time of the report. */
export type MakeValue = (raw: number, atMs: number) => unknown;

/**
 * How a row's raw numbers become the values of a property. Total: a raw number that is not available, has no
 * meaning or is outside the contract's range gives undefined; that of a failed sensor gives its word if the
 * property has one.
 */
export function valueMaker(row: SignalRow, property: ValueRow): MakeValue {
  const make = makerOf(row, property);
  const failed = property.shape === 'word' ? property.failed : undefined;
  return (raw, atMs) => {
    if (raw === row.unavailable) return undefined;
    return raw === row.failure ? failed : make(raw, atMs);
  };
}

function makerOf(row: SignalRow, property: ValueRow): MakeValue {
  const physical = (raw: number) => raw * row.factor + row.offset;
  switch (property.shape) {
    case 'number':
      return (raw) => rounded(physical(raw), property);
    case 'boolean':
      return (raw) => truth(row, raw);
    case 'word':
      return (raw) => {
        const isTrue = truth(row, raw);
        return isTrue === undefined ? undefined : isTrue ? property.yes : property.no;
      };
    case 'choice': {
      const words = new Map(Object.entries(row.words ?? {}).map(([raw, word]) => [Number(raw), word]));
      return (raw) => {
        const word = words.get(raw);
        return word !== undefined && property.words.includes(word) ? word : property.other;
      };
    }
    case 'date':
      return row.part === undefined ? (raw) => dateOfDay(physical(raw)) : physical;
    case 'moment':
      return (raw, atMs) => dateTime(atMs + physical(raw) * MINUTE_MS);
    case 'serial':
      return (raw) => raw.toString(16).toUpperCase().padStart(SERIAL_DIGITS, '0');
    case 'codes':
      return () => undefined;
    default:
      return property satisfies never;
  }
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const SERIAL_DIGITS = 8;
/** Years are sent without their century. */
const CENTURY = 2_000;
/** Days from 1970 to the end of 2099. */
const LAST_DAY = 47_481;

/** true or false for 1 and 0, by the row; undefined for every other number. */
function truth(row: SignalRow, raw: number): boolean | undefined {
  if (raw !== 0 && raw !== 1) return undefined;
  return (raw === 1) !== (row.inverted === true);
}

/** `2027-03-01` from days since 1970; undefined before it, and after 2099. */
function dateOfDay(days: number): string | undefined {
  const whole = Math.round(days);
  if (!(whole >= 0 && whole <= LAST_DAY)) return undefined;
  return new Date(whole * DAY_MS).toISOString().slice(0, 10);
}

/** The date of a year without its century, a month and a day; undefined if the calendar has no such day. */
export function dateOfParts(year: unknown, month: unknown, day: unknown): string | undefined {
  if (typeof year !== 'number' || typeof month !== 'number' || typeof day !== 'number') return undefined;
  const days = Date.UTC(CENTURY + year, month - 1, day) / DAY_MS;
  const date = dateOfDay(days);
  return date !== undefined && Number(date.slice(5, 7)) === month && Number(date.slice(8)) === day
    ? date
    : undefined;
}

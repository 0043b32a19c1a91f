import { highestRaw, type SignalRow, valueRange } from './model.ts';
import { QUANTITIES, type Quantity, type ValueOf } from './quantities.ts';

/** The output of a sensor: the value, no value at present, or a failure of the sensor. */
export type SensedValue<Name extends Quantity = Quantity> = ValueOf<Name> | 'unavailable' | 'failed';

/** The outputs of the vehicle's sensors, in the units of the names. An absent quantity is unavailable. */
export type SensedQuantities = { readonly [Name in Quantity]?: SensedValue<Name> };

/**
 * The raw number that represents a value in a row: the nearest that is none of the row's codes, clamped to
 * the signal's range, as in a control unit. If the row has no code for an unavailable value, it is 0, like a
 * wire without current. For trouble codes, which have no raw number, it is 0.
 */
export function rawSignalOf(row: SignalRow, value: SensedValue | undefined): number {
  if (value === undefined || value === 'unavailable') return row.unavailable ?? row.failure ?? 0;
  if (value === 'failed') return row.failure ?? row.unavailable ?? 0;
  if (typeof value === 'boolean') return value === (row.inverted !== true) ? 1 : 0;
  if (typeof value === 'string') return rawOfWord(row, value);
  if (typeof value !== 'number') return 0;
  if (QUANTITIES[row.quantity].kind === 'day' && row.part !== undefined) return partOfDay(value, row.part);
  return nearest(row, (value - row.offset) / row.factor);
}

function nearest(row: SignalRow, exact: number): number {
  const [lowest, highest] = valueRange(row);
  return Math.min(Math.max(Math.round(exact), lowest), highest);
}

/** The raw number of each word of a row. */
const numbered = new WeakMap<SignalRow, Map<string, number>>();

/** A word without a number is written as a number without a word, or as unavailable. */
function rawOfWord(row: SignalRow, word: string): number {
  let numbers = numbered.get(row);
  if (numbers === undefined) {
    const entries = Object.entries(row.words ?? {}).reverse();
    // If two numbers have the same word, the lower one is used.
    numbers = new Map(entries.map(([raw, one]) => [one, Number(raw)]));
    numbered.set(row, numbers);
  }
  return numbers.get(word) ?? rawOfNoWord(row);
}

function rawOfNoWord(row: SignalRow): number {
  const words = row.words ?? {};
  const highest = highestRaw(row.source);
  for (let raw = 0; raw <= highest && raw < 256; raw += 1) {
    if (words[raw] === undefined && raw !== row.unavailable && raw !== row.failure) return raw;
  }
  return row.unavailable ?? 0;
}

const DAY_MS = 86_400_000;
/** A year is written without its century. */
const CENTURY = 2_000;

/** Cache: the parts of a date are in consecutive rows. */
let last = { days: 0, year: 1970, month: 1, day: 1 };

function partOfDay(days: number, part: 'year' | 'month' | 'day'): number {
  const whole = Math.round(days);
  if (whole !== last.days) {
    const date = new Date(whole * DAY_MS);
    const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
    last = { days: whole, year, month, day };
  }
  return part === 'year' ? last.year - CENTURY : last[part];
}

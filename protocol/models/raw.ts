import { highestRaw, type SignalRow } from './model.ts';
import { QUANTITIES, type Quantity, type ValueOf } from './quantities.ts';

/** What a sensor has to say: the value, that there is none now, or that the sensor failed. */
export type Sensed<Name extends Quantity = Quantity> = ValueOf<Name> | 'unavailable' | 'failed';

/** What the vehicle's sensors have to say, in the units of the names. A quantity that is left out is unavailable. */
export type Sensations = { readonly [Name in Quantity]?: Sensed<Name> };

/**
 * The raw number with which a row says a value: the nearest that is none of the row's codes, clamped to what the signal
 * holds, as a control unit takes care of too. What the row has no code for comes as the lowest number, like a wire
 * without current. Trouble codes have no raw number of a row: 0.
 */
export function rawOf(row: SignalRow, value: Sensed | undefined): number {
  if (value === undefined || value === 'unavailable') return row.unavailable ?? row.failure ?? 0;
  if (value === 'failed') return row.failure ?? row.unavailable ?? 0;
  if (typeof value === 'boolean') return value === (row.inverted !== true) ? 1 : 0;
  if (typeof value === 'string') return rawOfWord(row, value);
  if (typeof value !== 'number') return 0;
  if (QUANTITIES[row.quantity].kind === 'day' && row.part !== undefined) return partOfDay(value, row.part);
  return nearest(row, (value - row.offset) / row.factor);
}

function nearest(row: SignalRow, exact: number): number {
  let highest = highestRaw(row.source);
  if (row.unavailable !== undefined) highest = Math.min(highest, row.unavailable - 1);
  if (row.failure !== undefined) highest = Math.min(highest, row.failure - 1);
  return Math.min(Math.max(Math.round(exact), 0), highest);
}

/** The raw number of each word that a row knows. */
const numbered = new WeakMap<SignalRow, Map<string, number>>();

/** A word that the row has no number for comes as one that the row knows no word for, or as its unavailable. */
function rawOfWord(row: SignalRow, word: string): number {
  let numbers = numbered.get(row);
  if (numbers === undefined) {
    const entries = Object.entries(row.words ?? {}).reverse();
    // Of two numbers that say the same the lower one counts.
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

/** The day that was asked for last: its parts stand in rows that follow each other. */
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

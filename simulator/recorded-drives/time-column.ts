import type { Remarks } from '../routes/remarks.ts';
import { cellText, numberIn } from '../routes/text.ts';
import type { FoundColumn } from './column-names.ts';
import { timeFormatOf } from './time-format.ts';
import { type DateOrder, eitherDate, readTime } from './time-text.ts';

/** Reads one value of a column of times, in milliseconds; undefined: it is no time. */
export type ReadTime = (text: string) => number | undefined;

/**
 * How the times of a column are read. `texts`: all of them, which decide together whether the day or the month comes
 * first. Assumptions are remarked.
 */
export function timeReaderOf(column: FoundColumn, texts: readonly string[], remarks: Remarks): ReadTime {
  const byFormat = column.format === undefined ? undefined : timeFormatOf(column.format);
  if (byFormat !== undefined) return byFormat;
  const order = orderOf(texts, remarks);
  return (text) => {
    const value = COMPACT.test(text) ? undefined : numberIn(text);
    return value === undefined ? readTime(text, order) : numberMs(value, column, remarks);
  };
}

/** Digits that are a date and a time, 20260504081530, and no number. */
const COMPACT = /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[01]\d|2[0-3])[0-5]\d[0-6]\d$/;

/** Times since 1970 are at least so large in their unit, from 1973 on; smaller ones are seconds. The largest first. */
const EPOCH_UNITS: readonly (readonly [least: number, toMs: number])[] = [
  [1e17, 0.000_001],
  [1e14, 0.001],
  [1e11, 1],
];
/** The year 5138: no time since 1970 is later. */
const LATEST_MS = 1e14;

/** The time of a value in milliseconds, its unit by its size; undefined: it is no time. Only for distances in time. */
export function roughTimeMs(raw: unknown): number | undefined {
  const text = cellText(raw);
  if (text === undefined) return undefined;
  const value = numberIn(text);
  return value === undefined ? readTime(text) : value * msBySize(value);
}

function msBySize(value: number): number {
  return EPOCH_UNITS.find(([least]) => Math.abs(value) >= least)?.[1] ?? 1_000;
}

function numberMs(value: number, { factor, unit }: FoundColumn, remarks: Remarks): number {
  if (factor === 0) return value * msBySize(value);
  if (Math.abs(value * factor) <= LATEST_MS) return value * factor;
  remarks.add(
    'epoch unit',
    () => '',
    () => `has times that are too large for the unit ${unit}: their unit is taken from their size.`,
  );
  return value * msBySize(value);
}

/**
 * Whether the day or the month comes first in the dates of these texts. Where both can be, it is the order in which they
 * pass faster, and where that is the same, the usual one of their mark: the month before a slash, else the day.
 */
function orderOf(texts: readonly string[], remarks: Remarks): DateOrder | undefined {
  const either = texts.flatMap((text) => {
    const found = eitherDate(text);
    return found === undefined ? [] : [{ ...found, text }];
  });
  const [first] = either;
  if (first === undefined) return undefined;
  if (either.some(({ one }) => Number(one) > 12)) return 'day first';
  if (either.some(({ other }) => Number(other) > 12)) return 'month first';
  const usual: DateOrder = first.mark === '/' ? 'month first' : 'day first';
  const unusual: DateOrder = usual === 'day first' ? 'month first' : 'day first';
  const order = spanMs(texts, unusual) < spanMs(texts, usual) ? unusual : usual;
  const isSame = either.every(({ one, other }) => one === other);
  if (!isSame)
    remarks.add(
      'date order',
      () => '',
      () =>
        `has dates that can be read in two ways, such as ${first.text}: it is assumed that the ${order.replace(' ', ' comes ')}. A mapping can give the format.`,
    );
  return order;
}

function spanMs(texts: readonly string[], order: DateOrder): number {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const text of texts) {
    const atMs = readTime(text, order);
    if (atMs !== undefined) [least, most] = [Math.min(least, atMs), Math.max(most, atMs)];
  }
  return most - least;
}

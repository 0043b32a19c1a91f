import { numberIn, shownText } from '../routes/text.ts';
import { type FoundColumn, unitFactorOf } from './column-names.ts';
import { type ColumnRow, DRIVE_COLUMNS } from './columns.ts';
import type { ReadTime } from './time-column.ts';

const ON: ReadonlySet<string> = new Set(['1', 'true', 'on', 'yes', 'y', 'run', 'start']);
const OFF: ReadonlySet<string> = new Set(['0', 'false', 'off', 'no', 'n', 'accessory', 'acc', 'lock']);

/** One value of a column: a reading, `outside` of its range, or a text that describes the invalid value. */
export type ColumnValue = number | boolean | 'outside' | { readonly fault: string };

/** Reads a value as the column's quantity, in the unit of `DriveSample`. */
export function readColumnValue(column: FoundColumn, text: string, readTime: ReadTime): ColumnValue {
  const { what } = column;
  if (what === 'ignition') {
    if (ON.has(text.toLowerCase())) return true;
    if (OFF.has(text.toLowerCase())) return false;
    return { fault: `${shownText(text)} is no ignition: on or off, true or false, 1 or 0` };
  }
  if (what === 'time') {
    const atMs = readTime(text);
    if (atMs !== undefined && Number.isFinite(atMs)) return atMs;
    return {
      fault: `${shownText(text)} is no time: 2026-05-04T08:15:00Z, 08:15:00, seconds or milliseconds`,
    };
  }
  const read = quantityIn(column, text);
  if (read === undefined) return { fault: `${shownText(text)} is no number` };
  const { span }: ColumnRow = DRIVE_COLUMNS[what];
  return read >= span[0] && read <= span[1] ? read : 'outside';
}

/** A number in the column's unit, or with its own unit (`36 km/h`); undefined: it is neither. */
export function quantityIn(column: FoundColumn, text: string): number | undefined {
  const value = numberIn(text);
  if (value !== undefined) return value * column.factor;
  const [, number, unit = ''] = WITH_UNIT.exec(text) ?? [];
  const [own, factor] = [numberIn(number), unitFactorOf(column, unit)];
  return own === undefined || factor === undefined ? undefined : own * factor;
}

const WITH_UNIT = /^([+-]?[\d.]+)\s*([^\d\s.].{0,20})$/;

import { cellText, numberIn } from '../../routes/text.ts';
import type { FoundColumn } from '../column-names.ts';
import { quantityIn } from '../column-values.ts';
import { limits } from '../limits.ts';
import { roughTimeMs } from '../time-column.ts';
import { readTime } from '../time-text.ts';

const NEEDED: readonly string[] = ['time', 'latitude', 'longitude'];

/** Whether a text can be a time of this file. */
export type AgreesInTime = (text: string) => boolean;

/** Compares with the times of the rows of the right width: texts with texts, and numbers that are less than a drive apart. */
export function timeAgreement(times: readonly string[]): AgreesInTime {
  let hasTexts = false;
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const text of times) {
    const atMs = roughTimeMs(text);
    if (atMs === undefined) continue;
    if (numberIn(text) === undefined) hasTexts = true;
    else [least, most] = [Math.min(least, atMs), Math.max(most, atMs)];
  }
  const spanMs = limits.longestS * 1_000;
  return (text) => {
    if (!hasTexts && least > most) return true;
    if (numberIn(text) === undefined) return hasTexts;
    const atMs = roughTimeMs(text);
    return atMs !== undefined && atMs >= least - spanMs && atMs <= most + spanMs;
  };
}

/**
 * The cells of time and place in a row that has more cells than there are columns. If the cells in place are right, the others are
 * behind them. Otherwise a text in the row has the delimiter and no quotes: each column that holds no known quantity can be the
 * one with that text, if all others are right then. Undefined: no possibility, or several.
 */
export function certainCells(
  cells: readonly string[],
  width: number,
  columns: readonly FoundColumn[],
  agreesInTime: AgreesInTime,
): readonly string[] | undefined {
  const more = cells.length - width;
  const known = new Set(columns.map(({ index }) => index));
  const found = new Map<string, readonly string[]>();
  // The column that takes the cells too many; `width`: none.
  for (let split = width; split >= 0; split -= 1) {
    if (known.has(split)) continue;
    const cellOf = (index: number): string => cells[index < split ? index : index + more] ?? '';
    const isRow = columns.every((column) => isRight(column, cellOf(column.index), agreesInTime));
    if (!isRow) continue;
    const certain: string[] = [];
    for (const { what, index } of columns) if (NEEDED.includes(what)) certain[index] = cellOf(index);
    if (split === width) return certain;
    found.set(certain.join('\n'), certain);
  }
  return found.size === 1 ? [...found.values()][0] : undefined;
}

/** Whether the cell can be a value of this column. */
function isRight(column: FoundColumn, cell: string, agreesInTime: AgreesInTime): boolean {
  const { what } = column;
  const text = cellText(cell);
  if (text === undefined) return !NEEDED.includes(what);
  if (what === 'ignition') return true;
  if (what === 'time') return (numberIn(text) !== undefined || isDate(text)) && agreesInTime(text);
  const value = quantityIn(column, text);
  if (value === undefined) return false;
  if (what === 'latitude') return Math.abs(value) <= 90;
  return what !== 'longitude' || Math.abs(value) <= 180;
}

function isDate(text: string): boolean {
  return readTime(text) !== undefined || readTime(text, 'month first') !== undefined;
}

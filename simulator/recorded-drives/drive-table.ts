import { withArticle } from '../../world/article.ts';
import { pointFault, type RouteReading, routeFault } from '../routes/points.ts';
import type { Remarks } from '../routes/remarks.ts';
import { cellText, wordForNothing } from '../routes/text.ts';
import type { FoundColumn } from './column-names.ts';
import { readColumnValue } from './column-values.ts';
import { DRIVE_COLUMNS } from './columns.ts';
import type { DriveSample, DriveSamples } from './drive-sample.ts';
import { limits } from './limits.ts';
import { type ReadTime, timeReaderOf } from './time-column.ts';

/** One moment of a drive in a file of any form: its values in the order of the columns, as they are written. */
export interface DriveRow {
  readonly cells: readonly unknown[];
  /** The fault of the whole moment: a sentence. Its cells do not count. */
  readonly fault?: string;
  /** Only its time and place are certain; its other cells may belong to other columns. */
  readonly isShifted?: boolean;
  /** The name of its place in the file. */
  placeOf(): string;
}

/** The result of every reader of a form. */
export interface DriveTable {
  readonly columns: readonly FoundColumn[];
  readonly rows: readonly DriveRow[];
  readonly noun: 'point' | 'row';
}

/** The columns without which there is no moment. */
const NEEDED: readonly string[] = ['time', 'latitude', 'longitude'];

/**
 * The samples of a table. Unreadable values are no readings, and are remarked once for each kind; a row whose time or
 * place cannot be read is left out. A fault where more than a tenth of the values of a kind cannot be read.
 */
export function samplesOfTable(
  { columns, rows, noun }: DriveTable,
  remarks: Remarks,
): RouteReading<DriveSamples> {
  if (rows.length > limits.samples)
    return routeFault('', `has ${rows.length} ${noun}s; at most ${limits.samples} are read. Cut it.`);
  const time = columns.find(({ what }) => what === 'time');
  const times = time === undefined ? [] : rows.flatMap(({ cells }) => cellText(cells[time.index]) ?? []);
  const readTime = time === undefined ? () => undefined : timeReaderOf(time, times, remarks);
  const samples: DriveSample[] = [];
  const kept: DriveRow[] = [];
  for (const row of rows) {
    remarks.seen('row');
    if (row.fault !== undefined) {
      const { fault } = row;
      remarks.unreadable('row', row.placeOf, () => fault, 'it is left out');
      continue;
    }
    const sample = sampleOf(columns, row, readTime, noun, remarks);
    if (sample === undefined) continue;
    samples.push(sample);
    kept.push(row);
  }
  const placeOf = (index: number): string => kept[index]?.placeOf() ?? '';
  return remarks.unreadableFault() ?? { samples, placeOf, noun, columns };
}

/** Undefined: its time or its place cannot be read. */
function sampleOf(
  columns: readonly FoundColumn[],
  { cells, placeOf, isShifted = false }: DriveRow,
  readTime: ReadTime,
  noun: DriveTable['noun'],
  remarks: Remarks,
): DriveSample | undefined {
  const sample: { -readonly [Field in keyof DriveSample]?: number | boolean } = {};
  for (const column of columns) {
    const { what } = column;
    const isNeeded = NEEDED.includes(what);
    if (isShifted && !isNeeded) continue;
    const text = cellText(cells[column.index]);
    if (text === undefined) {
      const word = isNeeded ? undefined : wordForNothing(cells[column.index]);
      if (word !== undefined)
        remarks.add(
          `nothing ${what}`,
          placeOf,
          () => `has ${word} in place of ${withArticle(what)}: left out.`,
        );
      continue;
    }
    remarks.seen(what);
    const value = readColumnValue(column, text, readTime);
    if (value === 'outside') {
      remarks.add(
        `outside ${what}`,
        placeOf,
        () => `has ${withArticle(what)} that no vehicle has: left out.`,
      );
    } else if (typeof value === 'object') {
      const reason = () => `has ${withArticle(what)} that cannot be read: ${value.fault}.`;
      remarks.unreadable(what, placeOf, reason, isNeeded ? `the ${noun} is left out` : 'it is left out');
      if (isNeeded) return undefined;
    } else sample[DRIVE_COLUMNS[what].field] = value;
  }
  const read = sample as DriveSample;
  const { latitude, longitude } = read;
  if (latitude === undefined || longitude === undefined) return read;
  remarks.seen('place');
  const reason = pointFault({ latitude, longitude });
  if (reason === undefined) return read;
  remarks.unreadable('place', placeOf, () => reason, `the ${noun} is left out`);
  return undefined;
}

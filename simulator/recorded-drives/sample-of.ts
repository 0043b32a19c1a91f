import { DRIVE_COLUMNS, type FoundColumn, readColumnValue } from './columns.ts';
import type { DriveSample, Remarks } from './drive-sample.ts';

/**
 * The sample of one row of a table: `valueIn` gives its value in a column. A text says what is wrong with the row.
 * Readings that no vehicle can have are left out and remarked.
 */
export function sampleOf(
  columns: readonly FoundColumn[],
  valueIn: (column: FoundColumn) => unknown,
  remarks: Remarks,
  placeOf: () => string,
): DriveSample | { readonly fault: string } {
  const sample: Partial<Record<keyof DriveSample, number | boolean>> = {};
  for (const column of columns) {
    const { what } = column;
    const value = readColumnValue(column, valueIn(column));
    if (value === undefined) continue;
    if (typeof value === 'object') return { fault: `has a ${what} that cannot be read: ${value.fault}.` };
    if (value !== 'outside') sample[DRIVE_COLUMNS[what].field] = value;
    else remarks.add(`outside ${what}`, placeOf, () => `has a ${what} that no vehicle has: left out.`);
  }
  return sample as DriveSample;
}

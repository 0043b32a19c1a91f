import { type CsvError, parse } from 'csv-parse/sync';
import { type RouteReading, routeFault } from '../routes/points.ts';
import { shownText } from '../routes/text.ts';
import { DRIVE_COLUMNS, type DriveMapping, findColumns } from './columns.ts';
import type { DriveSample, DriveSamples, Remarks } from './drive-sample.ts';
import { limits } from './limits.ts';
import { sampleOf } from './sample-of.ts';

/** One record with the line at whose end it ends, as the library gives it. */
interface CsvRow {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The samples of a table whose first line names its columns. The delimiter is that which the first line has most of. */
export function readDriveCsv(
  text: string,
  mapping: DriveMapping,
  remarks: Remarks,
): RouteReading<DriveSamples> {
  const rows = rowsOf(text);
  if (rows.fault !== undefined) return rows;
  const [head, ...body] = rows.rows;
  if (head === undefined || body.length === 0) return routeFault('', 'has no rows below its first line.');
  if (body.length > limits.samples)
    return routeFault('', `has ${body.length} rows; at most ${limits.samples} are read. Cut it.`);
  if (head.record.length > limits.columns)
    return routeFault('line 1', `has ${head.record.length} columns; at most ${limits.columns} are read.`);
  const { columns, missing } = findColumns(head.record, mapping);
  const there = `There are: ${shownText(head.record.join(', '))}.`;
  if (missing.length > 0)
    return routeFault(
      'line 1',
      `has no column ${shownText(missing.join(', nor '))} of the mapping. ${there}`,
    );
  const lacking = (['time', 'latitude', 'longitude'] as const).filter((need) =>
    columns.every(({ what }) => what !== need),
  );
  const [first] = lacking;
  if (first !== undefined)
    return routeFault(
      'line 1',
      `has no column for the ${lacking.join(' and the ')}, such as "${DRIVE_COLUMNS[first].names[0]}". ${there} Name the columns in a mapping file (--drive-columns), or with drive_columns in a scenario.`,
    );
  const isComma = rows.delimiter === ',';
  const samples: DriveSample[] = [];
  const placeOf = (index: number): string => `line ${body[index]?.info.lines ?? 1}`;
  for (const [index, { record }] of body.entries()) {
    const sample = sampleOf(
      columns,
      (column) => {
        const value = record[column.index];
        // Where commas do not part columns, they part decimals.
        const isDecimal = !isComma && value !== undefined && /^[+-]?\d+,\d+$/.test(value);
        return isDecimal ? value.replace(',', '.') : value;
      },
      remarks,
      () => placeOf(index),
    );
    if ('fault' in sample) return routeFault(placeOf(index), sample.fault);
    samples.push(sample);
  }
  return { samples, placeOf };
}

function rowsOf(
  text: string,
): RouteReading<{ readonly rows: readonly CsvRow[]; readonly delimiter: string }> {
  const start = text.search(/\S/);
  const end = text.indexOf('\n', start);
  const firstLine = text.slice(start, Math.min(end < 0 ? text.length : end, start + limits.lineCharacters));
  const [delimiter = ','] = [...DELIMITERS].sort(
    (one, other) => firstLine.split(other).length - firstLine.split(one).length,
  );
  try {
    const rows = parse(text, {
      delimiter,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
      max_record_size: limits.lineCharacters,
      to: limits.samples + 2,
    }) as unknown as readonly CsvRow[];
    return { rows, delimiter };
  } catch (error) {
    const { lines, message } = error as CsvError;
    const place = typeof lines === 'number' ? `line ${lines}` : '';
    return routeFault(place, `is broken CSV: ${shownText(message)}.`);
  }
}

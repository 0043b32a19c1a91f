import { type CsvError, parse } from 'csv-parse/sync';
import { type RouteReading, routeFault } from '../../routes/points.ts';
import type { Remarks } from '../../routes/remarks.ts';
import { numberIn, shownText } from '../../routes/text.ts';
import { type FoundColumn, findColumns, unitFactorOf, withUnitOf } from '../column-names.ts';
import { DRIVE_COLUMNS, type DriveMapping } from '../columns.ts';
import type { DriveRow, DriveTable } from '../drive-table.ts';
import { limits } from '../limits.ts';
import { roughTimeMs } from '../time-column.ts';
import { type CsvHeader, csvHeaderOf } from './csv-header.ts';
import { certainCells, timeAgreement } from './shifted-row.ts';
import { type SignalReading, signalColumnsOf, signalTable } from './signal-log.ts';

/** One record, and the line at which it ends. */
interface CsvRecord {
  readonly cells: readonly string[];
  readonly line: number;
}

/**
 * The table in a text whose first line with a time and a place names the columns. Lines before it are ignored; rows right below
 * it can state units.
 */
export function readDriveCsv(
  text: string,
  mapping: DriveMapping,
  remarks: Remarks,
): RouteReading<DriveTable> {
  const header = csvHeaderOf(text, mapping);
  const read = recordsOf(text, header, remarks);
  if (read.fault !== undefined) return read;
  const [head, ...body] = read.records;
  const place = `line ${header.line}`;
  if (head === undefined || body.length === 0) return routeFault('', 'has no rows below its first line.');
  if (body.length > limits.samples)
    return routeFault('', `has ${body.length} rows; at most ${limits.samples} are read. Cut it.`);
  if (head.cells.length > limits.columns)
    return routeFault(place, `has ${head.cells.length} columns; at most ${limits.columns} are read.`);
  const signals = Object.keys(mapping).length === 0 ? signalColumnsOf(head.cells) : undefined;
  if (signals !== undefined) {
    const { time, name, value, unit, latitude, longitude } = signals;
    const places = latitude < 0 || longitude < 0 ? [value] : [latitude, longitude];
    const toPoint = decimalsOf(
      body.flatMap(({ cells }) => places.map((index) => cells[index] ?? '')),
      header.delimiter,
    );
    const readings = body.map(({ cells, line }): SignalReading => {
      const cellAt = (index: number): string => toPoint(cells[index] ?? '');
      return {
        time: cellAt(time),
        name: cells[name] ?? '',
        value: cellAt(value),
        unit: cells[unit] ?? '',
        latitude: cellAt(latitude),
        longitude: cellAt(longitude),
        placeOf: () => `line ${line}`,
      };
    });
    return tableOfSignals(readings, place);
  }
  const { columns, missing } = findColumns(head.cells, mapping);
  // A line without a delimiter is no header. The file has another format: error texts must not quote it.
  const there =
    head.cells.length > 1
      ? `There are: ${shownText(head.cells.join(', '))}.`
      : 'Its first line is one column.';
  if (missing.length > 0)
    return routeFault(place, `has no column ${shownText(missing.join(', nor '))} of the mapping. ${there}`);
  const lacking = lackingColumns(columns, place, there);
  if (lacking !== undefined) return lacking;
  return { ...tableOf(head, body, columns, header, remarks), noun: 'row' };
}

/** The table of a log with one reading a line. `place`: where its columns are named. */
export function tableOfSignals(readings: readonly SignalReading[], place: string): RouteReading<DriveTable> {
  const { headers, units, rows } = signalTable(readings);
  const columns = findColumns(headers).columns.map((column) => withUnitOf(column, units[column.index] ?? ''));
  if (rows.every(({ cells }) => cells[1] === undefined || cells[2] === undefined))
    return routeFault(
      place,
      `names no signal for the latitude and the longitude. There are: ${shownText(headers.slice(3).join(', '))}.`,
    );
  return { columns, rows, noun: 'row' };
}

/** A fault where a required column is missing. */
export function lackingColumns(
  columns: readonly FoundColumn[],
  place: string,
  there: string,
): ReturnType<typeof routeFault> | undefined {
  const lacking = (['time', 'latitude', 'longitude'] as const).filter((need) =>
    columns.every(({ what }) => what !== need),
  );
  const [first] = lacking;
  if (first === undefined) return undefined;
  return routeFault(
    place,
    `has no column for the ${lacking.join(' and the ')}, such as "${DRIVE_COLUMNS[first].names[0]}". ${there} Name the columns in a mapping file (--drive-columns), or with drive_columns in a scenario.`,
  );
}

function tableOf(
  head: CsvRecord,
  body: readonly CsvRecord[],
  found: readonly FoundColumn[],
  { delimiter }: CsvHeader,
  remarks: Remarks,
): Omit<DriveTable, 'noun'> {
  const wordRows = countWordRows(body, found);
  const columns = found.map((column) =>
    body.slice(0, wordRows).reduce((one, { cells }) => withUnitOf(one, cells[one.index] ?? ''), column),
  );
  const places = columns.filter(({ what }) => what === 'latitude' || what === 'longitude');
  const toPoint = decimalsOf(
    body.flatMap(({ cells }) => places.map(({ index }) => cells[index] ?? '')),
    delimiter,
  );
  const names = head.cells.join('\n');
  const rows: DriveRow[] = [];
  const width = head.cells.length;
  const isWide = (cells: readonly string[]): boolean => cells.slice(width).some((cell) => cell !== '');
  const timeAt = columns.find(({ what }) => what === 'time')?.index ?? 0;
  const agreesInTime = timeAgreement(
    body.flatMap(({ cells }) => (isWide(cells) ? [] : toPoint(cells[timeAt] ?? ''))),
  );
  for (const { cells, line } of body.slice(wordRows)) {
    const placeOf = () => `line ${line}`;
    if (cells.join('\n') === names) {
      remarks.add('names again', placeOf, () => 'has the names of the columns again: left out.');
      continue;
    }
    const read = cells.map(toPoint);
    if (!isWide(cells)) {
      rows.push({ cells: read, placeOf });
      continue;
    }
    const count = `has ${cells.length} cells for ${width} columns`;
    const certain = certainCells(read, width, columns, agreesInTime);
    if (certain === undefined) {
      rows.push({ cells: [], placeOf, fault: `${count}: its time and place are uncertain. ${QUOTES}` });
      continue;
    }
    remarks.add('more cells', placeOf, () => `${count}: only its time and place are read. ${QUOTES}`);
    rows.push({ cells: certain, placeOf, isShifted: true });
  }
  return { columns, rows };
}

const QUOTES = 'Texts with the delimiter in them take quotes.';

/**
 * How many rows below the names state units or sources: no time and no place in them is a reading, and a cell is a unit of its
 * column, or all times and places are words.
 */
function countWordRows(body: readonly CsvRecord[], columns: readonly FoundColumn[]): number {
  const needed = columns.filter(({ what }) => ['time', 'latitude', 'longitude'].includes(what));
  const isReading = ({ what }: FoundColumn, cell: string): boolean =>
    (what === 'time' ? roughTimeMs(cell) : numberIn(cell.replace(',', '.'))) !== undefined;
  const isWordRow = ({ cells }: CsvRecord): boolean => {
    const cellOf = ({ index }: FoundColumn): string => cells[index] ?? '';
    if (needed.some((column) => isReading(column, cellOf(column)))) return false;
    if (columns.some((column) => unitFactorOf(column, cellOf(column)) !== undefined)) return true;
    return needed.every((column) => /[a-z]/i.test(cellOf(column)) && !/\d/.test(cellOf(column)));
  };
  const first = body.slice(0, limits.unitsLines).findIndex((record) => !isWordRow(record));
  return first < 0 ? 0 : first;
}

/** One record with the line at whose end it ends, as the library gives it. */
interface LibraryRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** The records of a text. Where a quote is not closed, quotes are none: only those around a cell are removed. */
function recordsOf(
  text: string,
  header: CsvHeader,
  remarks: Remarks,
): RouteReading<{ readonly records: readonly CsvRecord[] }> {
  try {
    return { records: parsedRecords(text, header, '"') };
  } catch (error) {
    const { lines, message } = error as CsvError;
    const place = typeof lines === 'number' ? `line ${lines + header.line - 1}` : '';
    try {
      const records = parsedRecords(text, header, null);
      remarks.add(
        'quote',
        () => '',
        () => 'has a quote that is not closed: quotes within cells count as text.',
      );
      return {
        records: records.map(({ cells, line }) => ({
          cells: cells.map((cell) => cell.replace(/^"(.*)"$/, '$1')),
          line,
        })),
      };
    } catch {
      return routeFault(place, `is broken CSV: ${shownText(message)}.`);
    }
  }
}

function parsedRecords(
  text: string,
  { offset, line, delimiter }: CsvHeader,
  quote: '"' | null,
): readonly CsvRecord[] {
  const records = parse(text.slice(offset), {
    delimiter,
    quote,
    info: true,
    trim: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: limits.lineCharacters,
    to: limits.samples + 2,
  }) as unknown as readonly LibraryRecord[];
  return records.map(({ record, info }) => ({ cells: record, line: info.lines + line - 1 }));
}

/** Behind a number a cell can have its unit. */
const UNIT = '(?:\\s*[^\\d\\s,.][^\\d,]*)?';
const COMMA = new RegExp(`^[+-]?\\d+,\\d+${UNIT}$`);
const POINT = /^[+-]?\d+\.\d+$/;
/** 2,100 or 1,234,567.5 */
const GROUPED = new RegExp(`^[+-]?\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?${UNIT}$`);

/**
 * How the numbers of a table are written with a decimal point. `places`: its latitudes and longitudes, whose decimals
 * show its mark: if they have points, commas in quoted cells separate thousands.
 */
function decimalsOf(places: readonly string[], delimiter: string): (cell: string) => string {
  const commas = places.filter((place) => COMMA.test(place)).length;
  const points = places.filter((place) => POINT.test(place)).length;
  const hasPoints = points > commas;
  return (cell) => {
    if (!cell.includes(',')) return cell;
    const isGrouped = hasPoints && GROUPED.test(cell) && (delimiter === ',' || cell.includes('.'));
    if (isGrouped) return cell.replaceAll(',', '');
    return COMMA.test(cell) ? cell.replace(',', '.') : cell;
  };
}

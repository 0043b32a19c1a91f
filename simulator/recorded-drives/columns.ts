import { z } from 'zod';
import { numberIn, shownText } from '../routes/text.ts';
import type { DriveSample } from './drive-sample.ts';
import { limits } from './limits.ts';
import { readTime } from './time-text.ts';

/** One quantity that a column can hold. */
interface ColumnRow {
  /** Names of columns, in small letters and digits alone, the most certain first. */
  readonly names: readonly string[];
  /** What a value is multiplied with, by the unit; the first unit is that of a column that names none. */
  readonly units: Readonly<Record<string, number>>;
  readonly span: readonly [least: number, most: number];
  readonly field: keyof DriveSample;
}

const PERCENT = { percent: 1 } as const;
const DEGREES = { degrees: 1, deg: 1 } as const;

/** What a recorded drive can tell, by the word of a mapping file. */
export const DRIVE_COLUMNS = {
  time: {
    names: ['time', 'timestamp', 'datetime', 'times', 'gpstime', 'utctime', 'utc', 'devicetime', 'elapsed'],
    // Without a unit a number is seconds, or milliseconds since 1970 where it is that large.
    units: { auto: 0, s: 1_000, sec: 1_000, seconds: 1_000, ms: 1, milliseconds: 1 },
    span: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
    field: 'atMs',
  },
  latitude: { names: ['latitude', 'lat'], units: DEGREES, span: [-90, 90], field: 'latitude' },
  longitude: {
    names: ['longitude', 'lon', 'lng', 'long'],
    units: DEGREES,
    span: [-180, 180],
    field: 'longitude',
  },
  altitude: {
    names: ['altitude', 'elevation', 'ele', 'alt', 'height'],
    units: { m: 1, meters: 1, metres: 1, ft: 0.3048, feet: 0.3048 },
    span: [-500, 9_000],
    field: 'altitudeM',
  },
  speed: {
    names: ['speed', 'vehiclespeed', 'speedobd', 'speeds', 'gpsspeed', 'velocity', 'speedgps'],
    units: { kmh: 1 / 3.6, kph: 1 / 3.6, ms: 1, mps: 1, mph: 0.44704, kn: 0.514444, knots: 0.514444 },
    span: [0, limits.speedMps],
    field: 'speedMps',
  },
  rpm: {
    names: ['enginerpm', 'rpm', 'enginespeed', 'revolutions'],
    units: { rpm: 1, perminute: 1 },
    span: [0, limits.rpm],
    field: 'rpm',
  },
  fuel: {
    names: ['fuellevel', 'fuel', 'fuellevelfromengineecu', 'tank'],
    units: PERCENT,
    span: [0, 100],
    field: 'energyPercent',
  },
  charge: {
    names: ['stateofcharge', 'soc', 'charge', 'batterylevel'],
    units: PERCENT,
    span: [0, 100],
    field: 'energyPercent',
  },
  odometer: {
    names: ['odometer', 'mileage', 'odo'],
    units: { km: 1, kilometers: 1, kilometres: 1, m: 0.001, mi: 1.609344, miles: 1.609344 },
    span: [0, limits.mileageKm],
    field: 'mileageKm',
  },
  ignition: {
    names: ['ignition', 'ignitionon', 'ignitionstatus', 'contact'],
    units: { onoff: 1 },
    span: [0, 1],
    field: 'ignitionOn',
  },
} as const satisfies Readonly<Record<string, ColumnRow>>;

export type DriveColumn = keyof typeof DRIVE_COLUMNS;
const COLUMN_NAMES = Object.keys(DRIVE_COLUMNS) as readonly DriveColumn[];

/** Which columns hold what, as it is written: a name, or a name and a unit where the name does not tell it. */
export type DriveColumns = z.output<typeof driveColumnsSchema>;

/** The same, read. */
export type DriveMapping = Readonly<
  Partial<Record<DriveColumn, { readonly column: string; readonly unit?: string | undefined }>>
>;

const columnName = z.string().min(1).max(200);
const written = (column: DriveColumn) =>
  z.union(
    [
      columnName,
      z.strictObject({
        column: columnName,
        unit: z.enum(Object.keys(DRIVE_COLUMNS[column].units)).optional(),
      }),
    ],
    `a column's name, or {column, unit} with one of the units ${Object.keys(DRIVE_COLUMNS[column].units).join(', ')}`,
  );

/** The form of a mapping file, and of `drive_columns` in a scenario. */
export const driveColumnsSchema = z.strictObject(
  Object.fromEntries(COLUMN_NAMES.map((column) => [column, written(column).optional()])) as Record<
    DriveColumn,
    z.ZodOptional<ReturnType<typeof written>>
  >,
);

/** What is written, read: a name alone has no unit of its own. */
export function mappingOf(columns: DriveColumns): DriveMapping {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([what, found]) =>
      found === undefined ? [] : [[what, typeof found === 'string' ? { column: found } : found]],
    ),
  );
}

/** A column that was found: what it holds, and what its values are multiplied with. */
export interface FoundColumn {
  readonly what: DriveColumn;
  readonly index: number;
  readonly factor: number;
}

/**
 * Which of these columns hold what: as the mapping says, else by their names. `missing`: names of the mapping that no
 * column has.
 */
export function findColumns(
  headers: readonly string[],
  mapping: DriveMapping = {},
): { readonly columns: readonly FoundColumn[]; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const columns: FoundColumn[] = [];
  const known = headers.map(wordsOf);
  for (const what of COLUMN_NAMES) {
    const row: ColumnRow = DRIVE_COLUMNS[what];
    const given = mapping[what];
    if (given !== undefined) {
      const index = headers.findIndex((header) => header.trim() === given.column.trim());
      if (index < 0) missing.push(given.column);
      const unit = given.unit ?? unitIn(row, known[index] ?? '') ?? '';
      if (index >= 0) columns.push({ what, index, factor: row.units[unit] ?? usualFactor(row) });
      continue;
    }
    const found = foundByName(row, known);
    // Fuel and charge are the same store of a vehicle: the first of them counts.
    if (found !== undefined && !columns.some((one) => DRIVE_COLUMNS[one.what].field === row.field))
      columns.push({ what, ...found });
  }
  return { columns, missing };
}

function foundByName(row: ColumnRow, known: readonly string[]): Omit<FoundColumn, 'what'> | undefined {
  for (const name of row.names) {
    for (const [index, words] of known.entries()) {
      if (words === name) return { index, factor: usualFactor(row) };
      if (!words.startsWith(name)) continue;
      const unit = words.slice(name.length).replace(/^in/, '');
      const factor = Object.hasOwn(row.units, unit) ? row.units[unit] : undefined;
      if (factor !== undefined) return { index, factor };
    }
  }
  return undefined;
}

/** The unit at the end of a header, where it has one of this row. */
function unitIn({ units }: ColumnRow, words: string): string | undefined {
  return Object.keys(units)
    .filter((unit) => words.endsWith(unit))
    .sort((one, other) => other.length - one.length)[0];
}

function usualFactor({ units }: ColumnRow): number {
  return Object.values(units)[0] ?? 1;
}

/** `Speed (OBD)(km/h)` as `speedobdkmh`. */
function wordsOf(header: string): string {
  return header
    .toLowerCase()
    .replaceAll('%', 'percent')
    .replaceAll('°', 'deg')
    .replace(/[^a-z0-9]/g, '');
}

/** Texts that stand where there is no reading. */
const NOTHING: ReadonlySet<string> = new Set(['', '-', 'nan', 'null', 'none', 'n/a', 'na', '∞']);
const ON: ReadonlySet<string> = new Set(['1', 'true', 'on', 'yes']);
const OFF: ReadonlySet<string> = new Set(['0', 'false', 'off', 'no']);

/**
 * One value of a column: a reading, `outside` of what it can be, or a text that says what it is instead. Undefined:
 * there is no reading.
 */
export type ColumnValue = number | boolean | 'outside' | { readonly fault: string } | undefined;

/** Reads a value as the column's quantity, in the unit of `DriveSample`. Numbers and booleans are taken as they are. */
export function readColumnValue({ what, factor }: FoundColumn, raw: unknown): ColumnValue {
  if (raw === undefined || raw === null) return undefined;
  const text = String(typeof raw === 'object' ? shownText(raw) : raw).trim();
  if (NOTHING.has(text.toLowerCase())) return undefined;
  if (what === 'ignition') {
    if (ON.has(text.toLowerCase())) return true;
    if (OFF.has(text.toLowerCase())) return false;
    return { fault: `${shownText(text)} is no ignition: on or off, true or false, 1 or 0` };
  }
  const value = numberIn(text);
  if (what === 'time') {
    const atMs = value === undefined ? readTime(text) : value * (factor || (value >= 1e11 ? 1 : 1_000));
    if (atMs !== undefined && Number.isFinite(atMs)) return atMs;
    return {
      fault: `${shownText(text)} is no time: 2026-05-04T08:15:00Z, 08:15:00, seconds or milliseconds`,
    };
  }
  if (value === undefined) return { fault: `${shownText(text)} is no number` };
  const { span }: ColumnRow = DRIVE_COLUMNS[what];
  const read = value * factor;
  return read >= span[0] && read <= span[1] ? read : 'outside';
}

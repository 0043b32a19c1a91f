import {
  COLUMN_NAMES,
  type ColumnRow,
  DRIVE_COLUMNS,
  type DriveColumn,
  type DriveMapping,
} from './columns.ts';

/** A column that was found: its quantity, and the factor of its values. */
export interface FoundColumn {
  readonly what: DriveColumn;
  readonly index: number;
  /** Of the row's units. */
  readonly unit: string;
  readonly factor: number;
  /** The source of the unit: a mapping, the name of the column, a row of units, or nothing. */
  readonly unitFrom: 'mapping' | 'name' | 'units row' | 'nothing';
  /** Of a mapping, for the time. */
  readonly format?: string | undefined;
}

/**
 * The quantities of these columns: by the mapping, else by their names. `missing`: names of the mapping that no
 * column has.
 */
export function findColumns(
  headers: readonly string[],
  mapping: DriveMapping = {},
): { readonly columns: readonly FoundColumn[]; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const columns: FoundColumn[] = [];
  const known = headers.map(readingsOf);
  for (const what of COLUMN_NAMES) {
    const row: ColumnRow = DRIVE_COLUMNS[what];
    const given = mapping[what];
    if (given !== undefined) {
      const index = headers.findIndex((header) => header.trim() === given.column.trim());
      if (index < 0) {
        missing.push(given.column);
        continue;
      }
      const named = known[index]?.find(({ unit }) => Object.hasOwn(row.units, unit))?.unit;
      const unitFrom =
        given.unit !== undefined ? 'mapping' : named === undefined ? ('nothing' as const) : 'name';
      const unit = given.unit ?? named ?? usualUnit(row);
      columns.push({ what, index, unit, unitFrom, factor: row.units[unit] ?? 1, format: given.format });
      continue;
    }
    // Fuel and charge are the same store of a vehicle: the first of them counts.
    if (columns.some((one) => DRIVE_COLUMNS[one.what].field === row.field)) continue;
    const found = foundByName(row, known);
    if (found === undefined) continue;
    const { index, unit } = found;
    const unitFrom = unit === '' ? 'nothing' : 'name';
    const inUnit = unit === '' ? usualUnit(row) : unit;
    columns.push({ what, index, unit: inUnit, unitFrom, factor: row.units[inUnit] ?? 1 });
  }
  return { columns, missing };
}

/** The factor of values in that unit of the column; undefined: the word is no unit of it. Brackets are ignored. */
export function unitFactorOf({ what }: FoundColumn, word: string): number | undefined {
  const { units }: ColumnRow = DRIVE_COLUMNS[what];
  const unit = joined(word.toLowerCase());
  return Object.hasOwn(units, unit) ? units[unit] : undefined;
}

/** The same column with the unit of a row of units below the names, where it is one, and the name states none. */
export function withUnitOf(column: FoundColumn, word: string): FoundColumn {
  const factor = unitFactorOf(column, word);
  if (column.unitFrom !== 'nothing' || factor === undefined) return column;
  return { ...column, unit: joined(word.toLowerCase()), factor, unitFrom: 'units row' };
}

/** One way to read the name of a column. */
interface NameReading {
  readonly name: string;
  /** Empty: the whole is the name. */
  readonly unit: string;
}

function foundByName(
  row: ColumnRow,
  known: readonly (readonly NameReading[])[],
): { readonly index: number; readonly unit: string } | undefined {
  for (const name of row.names) {
    for (const [index, readings] of known.entries()) {
      const reading = readings.find(
        (one) => one.name === name && (one.unit === '' || Object.hasOwn(row.units, one.unit)),
      );
      if (reading !== undefined) return { index, unit: reading.unit };
    }
  }
  return undefined;
}

/** Units that loggers write right behind a name, with nothing between them. No other name is cut into name and unit. */
const RUN_TOGETHER: Readonly<Record<string, NameReading>> = {
  speedkmh: { name: 'speed', unit: 'kmh' },
  speedkph: { name: 'speed', unit: 'kph' },
  speedmph: { name: 'speed', unit: 'mph' },
  speedmps: { name: 'speed', unit: 'mps' },
  gpsspeedkmh: { name: 'gpsspeed', unit: 'kmh' },
  vehiclespeedkmh: { name: 'vehiclespeed', unit: 'kmh' },
  timestampms: { name: 'timestamp', unit: 'ms' },
  elapsedms: { name: 'elapsed', unit: 'ms' },
};

/** A unit has up to this many words: `meters_per_second`. */
const UNIT_WORDS = 3;

/**
 * The ways to read a column's name: as a whole; with a unit in brackets at its end, `Speed (OBD)(km/h)`; or with a unit as
 * its last whole words, `speed_in_kph`. The last letters of a word are no unit.
 */
function readingsOf(header: string): readonly NameReading[] {
  const text = header
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  const readings: NameReading[] = [{ name: joined(text), unit: '' }];
  const bracket = /^(.*)[([]([^()[\]]*)[)\]]$/.exec(text);
  if (bracket !== null) readings.push({ name: joined(bracket[1] ?? ''), unit: joined(bracket[2] ?? '') });
  const words = text.split(/[_\s]+/);
  for (let count = 1; count <= UNIT_WORDS && count < words.length; count += 1) {
    const before = words.slice(0, -count);
    if (before.length > 1 && before.at(-1) === 'in') before.pop();
    readings.push({ name: joined(before.join('')), unit: joined(words.slice(-count).join('')) });
  }
  const together = RUN_TOGETHER[joined(text)];
  return together === undefined ? readings : [...readings, together];
}

function usualUnit({ units }: ColumnRow): string {
  return Object.keys(units)[0] ?? '';
}

/** `speed (obd)` as `speedobd`. */
function joined(text: string): string {
  return text
    .replaceAll('%', 'percent')
    .replaceAll('°', 'deg')
    .replaceAll('µs', 'us')
    .replace(/[^a-z0-9]/g, '');
}

import { z } from 'zod';
import type { DriveSample } from './drive-sample.ts';
import { limits } from './limits.ts';
import { formatFault, timeFormatOf } from './time-format.ts';

/** One quantity that a column can hold. */
export interface ColumnRow {
  /** Names of columns, in small letters and digits alone, the most certain first. */
  readonly names: readonly string[];
  /**
   * The factor of a value, by the unit in small letters and digits alone; the first unit is that of a column that names
   * none.
   */
  readonly units: Readonly<Record<string, number>>;
  /** Values outside are no readings. Those of speed and odometer are checked once their unit is certain. */
  readonly span: readonly [least: number, most: number];
  readonly field: keyof DriveSample;
}

const PERCENT = { percent: 1 } as const;
const DEGREES = { degrees: 1, deg: 1 } as const;
const ANY = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;
const NOT_NEGATIVE = [0, Number.POSITIVE_INFINITY] as const;

/** The quantities of a recorded drive, by the word of a mapping file. */
export const DRIVE_COLUMNS = {
  time: {
    names: [
      'time',
      'timestamp',
      'datetime',
      'times',
      'coordtimes',
      'fixtime',
      'devicetime',
      'gpstime',
      'utctime',
      'utc',
      'elapsed',
      'elapsedtime',
      'seconds',
    ],
    // Without a unit the size of a number decides.
    units: {
      auto: 0,
      s: 1_000,
      sec: 1_000,
      seconds: 1_000,
      ms: 1,
      milliseconds: 1,
      us: 0.001,
      microseconds: 0.001,
      ns: 0.000_001,
      nanoseconds: 0.000_001,
    },
    span: ANY,
    field: 'atMs',
  },
  latitude: {
    names: ['latitude', 'lat', 'gpslatitude', 'gpslat'],
    units: DEGREES,
    span: ANY,
    field: 'latitude',
  },
  longitude: {
    names: ['longitude', 'lon', 'lng', 'long', 'gpslongitude', 'gpslon', 'longtitude'],
    units: DEGREES,
    span: ANY,
    field: 'longitude',
  },
  altitude: {
    names: ['altitude', 'elevation', 'ele', 'alt', 'height', 'gpsaltitude'],
    units: { m: 1, meters: 1, metres: 1, ft: 0.3048, feet: 0.3048 },
    span: [-500, 9_000],
    field: 'altitudeM',
  },
  speed: {
    names: ['speed', 'vehiclespeed', 'speedobd', 'speeds', 'gpsspeed', 'velocity', 'speedgps'],
    units: {
      kmh: 1 / 3.6,
      kph: 1 / 3.6,
      ms: 1,
      mps: 1,
      mph: 0.44704,
      kn: 0.514444,
      knots: 0.514444,
      kmph: 1 / 3.6,
      meterssecond: 1,
      meterspersecond: 1,
      metrespersecond: 1,
      kt: 0.514444,
    },
    span: NOT_NEGATIVE,
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
    span: NOT_NEGATIVE,
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
export const COLUMN_NAMES = Object.keys(DRIVE_COLUMNS) as readonly DriveColumn[];

/**
 * The mapping of columns as written: a name, or a name and a unit where the name does not state it; for the time also a
 * format in place of the unit.
 */
export type DriveColumns = z.output<typeof driveColumnsSchema>;

/** The same, parsed. */
export type DriveMapping = Readonly<Partial<Record<DriveColumn, MappedColumn>>>;

/** A column of a mapping. */
export interface MappedColumn {
  readonly column: string;
  readonly unit?: string | undefined;
  /** Of the time, in the letters of time-format.ts. */
  readonly format?: string | undefined;
}

const columnName = z.string().min(1).max(200);
const timeFormat = z
  .string()
  .max(limits.formatCharacters)
  .refine((format) => timeFormatOf(format) !== undefined, {
    error: ({ input }) => formatFault(String(input)),
  });
const written = (column: DriveColumn) => {
  const words = Object.keys(DRIVE_COLUMNS[column].units);
  const unit = z.enum(words).optional();
  const isTime = column === 'time';
  const whole = isTime
    ? z
        .strictObject({ column: columnName, unit, format: timeFormat.optional() })
        .refine(
          ({ unit: given, format }) => given === undefined || format === undefined,
          'a unit or a format, and not both',
        )
    : z.strictObject({ column: columnName, unit });
  const ofTime = isTime ? ', or {column, format} with a format such as DD/MM/YYYY HH:mm:ss' : '';
  return z.union(
    [columnName, whole],
    `a column's name, or {column, unit} with one of the units ${words.join(', ')}${ofTime}`,
  );
};

/** The form of a mapping file, and of `drive_columns` in a scenario. */
export const driveColumnsSchema = z.strictObject(
  Object.fromEntries(COLUMN_NAMES.map((column) => [column, written(column).optional()])) as unknown as Record<
    DriveColumn,
    z.ZodOptional<z.ZodType<string | MappedColumn>>
  >,
);

/** The parsed mapping: a name alone has no unit. */
export function mappingOf(columns: DriveColumns): DriveMapping {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([what, found]) =>
      found === undefined ? [] : [[what, typeof found === 'string' ? { column: found } : found]],
    ),
  );
}

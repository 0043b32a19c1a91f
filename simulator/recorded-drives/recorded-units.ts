import { withArticle } from '../../world/article.ts';
import type { Remarks } from '../routes/remarks.ts';
import type { TimedSample } from './clock.ts';
import type { FoundColumn } from './column-names.ts';
import { type ColumnRow, DRIVE_COLUMNS } from './columns.ts';
import type { DriveSamples } from './drive-sample.ts';
import { limits } from './limits.ts';
import { odometerRatios, speedRatios, type WayRatios } from './way-ratios.ts';

/**
 * The samples with speeds and odometers in the unit in which they agree with the way: a log often states no unit, or a
 * wrong one. A unit that a mapping states is kept. Values that agree in no unit are kept and remarked. Impossible
 * readings are left out.
 */
export function withComparedUnits(
  timed: readonly TimedSample[],
  { columns, placeOf }: DriveSamples,
  remarks: Remarks,
): readonly TimedSample[] {
  const factors = {
    speed: comparedFactor(columnOf(columns, 'speed'), speedRatios(timed), remarks),
    odometer: comparedFactor(columnOf(columns, 'odometer'), odometerRatios(timed), remarks),
  };
  return timed.map(({ speedMps, mileageKm, ...sample }) => {
    const bounded = (what: 'speed' | 'odometer', value: number | undefined, most: number) => {
      const factor = factors[what];
      if (value === undefined || factor === undefined) return undefined;
      if (value * factor <= most) return value * factor;
      remarks.add(
        `outside ${what}`,
        () => placeOf(sample.index),
        () => `has ${withArticle(what)} that no vehicle has: left out.`,
      );
      return undefined;
    };
    const speed = bounded('speed', speedMps, limits.speedMps);
    const mileage = bounded('odometer', mileageKm, limits.mileageKm);
    return {
      ...sample,
      ...(speed === undefined ? {} : { speedMps: speed }),
      ...(mileage === undefined ? {} : { mileageKm: mileage }),
    };
  });
}

function columnOf(columns: readonly FoundColumn[], what: FoundColumn['what']): FoundColumn | undefined {
  return columns.find((column) => column.what === what);
}

/**
 * The factor of a column's readings: 1 where they agree with the way, or where no single unit explains them. Undefined:
 * they are 0 along the way, and are left out.
 */
function comparedFactor(
  column: FoundColumn | undefined,
  compared: WayRatios,
  remarks: Remarks,
): number | undefined {
  const { ratios } = compared;
  if (column === undefined || ratios.length === 0) return 1;
  const ratio = [...ratios].sort((one, other) => one - other)[ratios.length >> 1] ?? 1;
  if (ratio >= limits.leastRatio && ratio <= limits.mostRatio) return 1;
  const { what, unit } = column;
  const named = what === 'speed' ? 'speeds' : 'odometers';
  if (ratio === Number.POSITIVE_INFINITY) {
    remarks.add(
      `still ${what}`,
      () => '',
      () => `has ${named} that are 0 along its way: they are left out.`,
    );
    return undefined;
  }
  const right = unitOf(column, ratio, compared);
  if (right === undefined) {
    if (!compared.isFine) return 1;
    const compares = what === 'speed' ? 'the speed of its way' : 'the length of its way';
    remarks.add(
      `ratio ${what}`,
      () => '',
      () =>
        `has ${named} that do not agree with its way: in ${shownUnit(unit)} they are ${shownRatio(1 / ratio)} times ${compares}. They are kept; a mapping gives their unit, or that of the time.`,
    );
    return 1;
  }
  remarks.add(
    `unit ${what}`,
    () => '',
    () =>
      `has ${named} that agree with its way in ${shownUnit(right.name)}, not in ${shownUnit(unit)}: they are read in ${shownUnit(right.name)}, ${shownRatio(right.by)} times as much.`,
  );
  return right.by;
}

/** A unit, and its factor relative to the assumed one. */
interface OtherUnit {
  readonly name: string;
  readonly by: number;
}

/**
 * The unit in which nearly all stretches agree with the way. Undefined: there is none, since the ratios vary or a mapping states
 * the unit. A unit that the file itself states is kept where bends between distant points explain the ratio.
 */
function unitOf(column: FoundColumn, ratio: number, compared: WayRatios): OtherUnit | undefined {
  if (column.unitFrom === 'mapping') return undefined;
  const row: ColumnRow = DRIVE_COLUMNS[column.what];
  const offFrom = (by: number, one: number): number => Math.abs(one / by - 1);
  const [right] = Object.entries(row.units)
    .map(([name, one]) => ({ name, by: one / column.factor }))
    .sort((one, other) => offFrom(one.by, ratio) - offFrom(other.by, ratio));
  if (right === undefined) return undefined;
  const { by } = right;
  const isCertain = Math.max(by, 1 / by) >= limits.certainFactor;
  if (!isCertain && !compared.isFine) return undefined;
  const [share, spread] = isCertain
    ? [limits.certainShare, limits.certainShare]
    : [limits.unitShare, limits.unitSpread];
  const outliers = compared.ratios.filter((one) => offFrom(by, one) > spread).length;
  if (offFrom(by, ratio) > share || outliers > limits.outlierShare * compared.ratios.length) return undefined;
  const isByBends = compared.isSparse && by < 1 && by > limits.leastChord;
  return column.unitFrom !== 'nothing' && isByBends ? undefined : right;
}

const SHOWN: Readonly<Record<string, string>> = {
  kmh: 'km/h',
  kph: 'km/h',
  kmph: 'km/h',
  ms: 'm/s',
  mps: 'm/s',
  meterssecond: 'm/s',
  meterspersecond: 'm/s',
  metrespersecond: 'm/s',
  mph: 'mph',
  kn: 'knots',
  kt: 'knots',
};

function shownUnit(unit: string): string {
  return SHOWN[unit] ?? unit;
}

/** Three digits: 3.6, 0.278, 1000. */
function shownRatio(ratio: number): string {
  return String(Number(ratio.toPrecision(3)));
}

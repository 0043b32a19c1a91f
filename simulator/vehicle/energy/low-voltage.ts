import type { VehicleModel } from '../../../protocol/models/model.ts';
import type { Journey } from '../driving/journey.ts';
import {
  isScarce,
  type LevelName,
  type LevelReadings,
  levelAt,
  type TimeAndMileage,
} from '../equipment/levels.ts';
import { limits } from '../limits.ts';

/** A period of low voltage, in milliseconds of true time. */
export interface VoltageDip {
  readonly fromMs: number;
  readonly toMs: number;
  readonly millivolts: number;
}

const BATTERY: LevelName = 'starter_battery';

/**
 * The voltage dips when this change of the journey starts the engine. A sound battery has none. With a weak
 * one the voltage drops until the engine runs. With an almost empty one the first attempt fails, and the
 * driver tries again immediately. A vehicle with a traction battery has no starter.
 */
export function startingDips(
  before: Journey,
  after: Journey,
  levels: LevelReadings,
  model: VehicleModel,
  moment: TimeAndMileage,
): readonly VoltageDip[] {
  const isStarted =
    !before.switches.ignitionOn && after.switches.ignitionOn && after.segment.engine === 'running';
  const hasStarter = model.fuelType === 'PETROL' || model.fuelType === 'DIESEL';
  if (!isStarted || !hasStarter || !isScarce(levels, BATTERY, model, moment)) return [];
  const isAlmostEmpty = levelAt(levels, BATTERY, model, moment) < limits.stallingPercent;
  const first = dipAt(moment.atMs, limits.crankingMs);
  return isAlmostEmpty ? [first, dipAt(first.toMs + limits.secondAttemptMs, limits.crankingMs)] : [first];
}

/** The voltage dips of a workshop visit: a weak battery is replaced, and meanwhile there is no supply. */
export function exchangeDips(
  levels: LevelReadings,
  model: VehicleModel,
  moment: TimeAndMileage,
): readonly VoltageDip[] {
  if (!isScarce(levels, BATTERY, model, moment)) return [];
  return [{ fromMs: moment.atMs, toMs: moment.atMs + limits.exchangeMs, millivolts: 0 }];
}

/** The box's supply during a voltage dip; undefined: there is none at that time. */
export function dippedMillivolts(dips: readonly VoltageDip[], atMs: number): number | undefined {
  return dips.find(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs)?.millivolts;
}

/** When the next voltage dip begins or ends; infinite: none is known. */
export function nextDipMs(dips: readonly VoltageDip[], afterMs: number): number {
  const edges = dips.flatMap(({ fromMs, toMs }) => [fromMs, toMs]).filter((edgeMs) => edgeMs > afterMs);
  return Math.min(...edges);
}

function dipAt(fromMs: number, durationMs: number): VoltageDip {
  return { fromMs, toMs: fromMs + durationMs, millivolts: limits.brownOutMillivolts };
}

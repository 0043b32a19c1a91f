import type { VehicleModel } from '../../protocol/models/model.ts';
import type { Journey } from './driver.ts';
import { isScarce, type LevelName, type Levels, levelAt, type Moment } from './levels.ts';
import { limits } from './limits.ts';

/** A time in which the low-voltage net is down to that, in milliseconds of true time. */
export interface Dip {
  readonly fromMs: number;
  readonly toMs: number;
  readonly millivolts: number;
}

const BATTERY: LevelName = 'starter_battery';

/**
 * What the starter does to the net where the engine is started with that step of the journey, at that moment. A sound
 * battery carries it. One that is scarce sinks under it until the engine runs; one that is almost empty does not turn it
 * over at the first attempt, and the driver tries again at once. A vehicle with a traction battery has no starter.
 */
export function startingDips(
  before: Journey,
  after: Journey,
  levels: Levels,
  model: VehicleModel,
  moment: Moment,
): readonly Dip[] {
  const isStarted =
    !before.switches.ignitionOn && after.switches.ignitionOn && after.stretch.engine === 'running';
  const hasStarter = model.fuelType === 'PETROL' || model.fuelType === 'DIESEL';
  if (!isStarted || !hasStarter || !isScarce(levels, BATTERY, model, moment)) return [];
  const isAlmostEmpty = levelAt(levels, BATTERY, model, moment) < limits.stallingPercent;
  const first = dipAt(moment.atMs, limits.crankingMs);
  return isAlmostEmpty ? [first, dipAt(first.toMs + limits.secondAttemptMs, limits.crankingMs)] : [first];
}

/** What a visit to the workshop does to the net: a battery that is scarce is exchanged, and meanwhile there is none. */
export function exchangeDips(levels: Levels, model: VehicleModel, moment: Moment): readonly Dip[] {
  if (!isScarce(levels, BATTERY, model, moment)) return [];
  return [{ fromMs: moment.atMs, toMs: moment.atMs + limits.exchangeMs, millivolts: 0 }];
}

/** What the box gets at that moment while the net is down; undefined: the net is up. */
export function dippedMillivolts(dips: readonly Dip[], atMs: number): number | undefined {
  return dips.find(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs)?.millivolts;
}

/** When the net goes down or comes up next; infinite: as far as is known, never. */
export function nextDipMs(dips: readonly Dip[], afterMs: number): number {
  const edges = dips.flatMap(({ fromMs, toMs }) => [fromMs, toMs]).filter((edgeMs) => edgeMs > afterMs);
  return Math.min(...edges);
}

function dipAt(fromMs: number, durationMs: number): Dip {
  return { fromMs, toMs: fromMs + durationMs, millivolts: limits.brownOutMillivolts };
}

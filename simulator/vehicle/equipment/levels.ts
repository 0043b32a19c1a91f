import type { VehicleModel } from '../../../protocol/models/model.ts';
import type { ModelTrait } from '../../../protocol/models/quantities.ts';
import { MODEL_TRAITS } from '../../../protocol/models/traits.ts';
import type { Stream } from '../../../world/random/random.ts';
import { clamp } from '../../arithmetic.ts';

/**
 * A level that wears, leaks or is used up, in percent of the nominal value. It falls linearly with distance
 * and time from the last value set, so that a look costs the same at any time.
 */
interface LevelRow {
  readonly per1000Km: number;
  readonly perDay: number;
  /** The range of a new vehicle's first value. */
  readonly first: readonly [lowest: number, highest: number];
  /** Below this value the indicator is lit. */
  readonly warnsBelow: number;
  readonly of?: ModelTrait;
}

export const LEVELS = {
  oil: { per1000Km: 1.5, perDay: 0, first: [45, 100], warnsBelow: 15, of: 'tank' },
  coolant: { per1000Km: 0.2, perDay: 0, first: [60, 100], warnsBelow: 25 },
  brake_fluid: { per1000Km: 0.1, perDay: 0, first: [60, 100], warnsBelow: 30 },
  brake_lining: { per1000Km: 1.2, perDay: 0, first: [30, 100], warnsBelow: 15 },
  washer_fluid: { per1000Km: 9, perDay: 0, first: [30, 100], warnsBelow: 15, of: 'cabin' },
  /** A diesel's consumption of it is in the data of its body. */
  adblue: { per1000Km: 0, perDay: 0, first: [35, 100], warnsBelow: 15, of: 'adblue' },
  starter_battery: { per1000Km: 0, perDay: 0, first: [100, 100], warnsBelow: 35 },
  tire_front_left: { per1000Km: 0, perDay: 0.04, first: [90, 100], warnsBelow: 80, of: 'cabin' },
  tire_front_right: { per1000Km: 0, perDay: 0.04, first: [90, 100], warnsBelow: 80, of: 'cabin' },
  tire_rear_left: { per1000Km: 0, perDay: 0.04, first: [90, 100], warnsBelow: 80, of: 'cabin' },
  tire_rear_right: { per1000Km: 0, perDay: 0.04, first: [90, 100], warnsBelow: 80, of: 'cabin' },
  tire_front: { per1000Km: 0, perDay: 0.05, first: [90, 100], warnsBelow: 80, of: 'two-wheels' },
  tire_rear: { per1000Km: 0, perDay: 0.05, first: [90, 100], warnsBelow: 80, of: 'two-wheels' },
} as const satisfies Readonly<Record<string, LevelRow>>;

export type LevelName = keyof typeof LEVELS;
export const LEVEL_NAMES = Object.keys(LEVELS) as readonly LevelName[];
const TIRES = LEVEL_NAMES.filter((name) => name.startsWith('tire_'));

/** The last value set, and the mileage and time at which it was set. */
export interface LevelReading {
  readonly percent: number;
  readonly mileageKm: number;
  readonly atMs: number;
}
export type LevelReadings = Readonly<Record<LevelName, LevelReading>>;

/** The moment to compute a level for. */
export interface TimeAndMileage {
  readonly atMs: number;
  readonly mileageKm: number;
}

const DAY_MS = 86_400_000;

/** The levels of a new vehicle at this moment. */
export function drawnLevels(stream: Stream, moment: TimeAndMileage): LevelReadings {
  const levels = LEVEL_NAMES.map((name): [LevelName, LevelReading] => {
    const [lowest, highest] = LEVELS[name].first;
    return [name, { percent: stream.whole(lowest, highest), ...moment }];
  });
  return Object.fromEntries(levels) as LevelReadings;
}

/** Whether the vehicle has this level. */
export function hasLevel(model: VehicleModel, name: LevelName): boolean {
  const row: LevelRow = LEVELS[name];
  return row.of === undefined || MODEL_TRAITS[row.of].isOf(model);
}

/** The level at this moment, 0 to 100. */
export function levelAt(
  levels: LevelReadings,
  name: LevelName,
  { body }: VehicleModel,
  moment: TimeAndMileage,
): number {
  const { percent, mileageKm, atMs } = levels[name];
  const { perDay, per1000Km } = LEVELS[name];
  const { adblue } = body;
  const used =
    name === 'adblue' && adblue !== undefined ? (adblue.litresPer1000Km / adblue.litres) * 100 : per1000Km;
  const wayKm = Math.max(moment.mileageKm - mileageKm, 0);
  const days = Math.max(moment.atMs - atMs, 0) / DAY_MS;
  return clamp(percent - (used * wayKm) / 1_000 - perDay * days, 0, 100);
}

/** Whether the level is so low that its indicator is lit. */
export function isScarce(
  levels: LevelReadings,
  name: LevelName,
  model: VehicleModel,
  moment: TimeAndMileage,
): boolean {
  return levelAt(levels, name, model, moment) < LEVELS[name].warnsBelow;
}

/** Whether one of the vehicle's tyres has too little pressure. */
export function isAnyTireSoft(levels: LevelReadings, model: VehicleModel, moment: TimeAndMileage): boolean {
  return TIRES.some((name) => hasLevel(model, name) && isScarce(levels, name, model, moment));
}

/** The vehicle's levels in readable form. */
export function levelsOf(levels: LevelReadings, model: VehicleModel, moment: TimeAndMileage) {
  const own = LEVEL_NAMES.filter((name) => hasLevel(model, name));
  return Object.fromEntries(own.map((name) => [name, levelAt(levels, name, model, moment)]));
}

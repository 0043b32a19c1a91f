import type { VehicleModel } from '../../protocol/models/model.ts';
import type { Trait } from '../../protocol/models/quantities.ts';
import { TRAITS } from '../../protocol/models/traits.ts';
import type { Stream } from '../../world/random.ts';
import { clamp } from '../arithmetic.ts';

/**
 * What wears, leaks or is used up, in percent of what it should be. It falls evenly with the way and with time from
 * what somebody last made it, so that a look costs the same whenever it is taken.
 */
interface LevelRow {
  readonly per1000Km: number;
  readonly perDay: number;
  /** What a vehicle that is met for the first time has. */
  readonly first: readonly [lowest: number, highest: number];
  /** Below it the indicator is lit. */
  readonly warnsBelow: number;
  readonly of?: Trait;
}

export const LEVELS = {
  oil: { per1000Km: 1.5, perDay: 0, first: [45, 100], warnsBelow: 15, of: 'tank' },
  coolant: { per1000Km: 0.2, perDay: 0, first: [60, 100], warnsBelow: 25 },
  brake_fluid: { per1000Km: 0.1, perDay: 0, first: [60, 100], warnsBelow: 30 },
  brake_lining: { per1000Km: 1.2, perDay: 0, first: [30, 100], warnsBelow: 15 },
  washer_fluid: { per1000Km: 9, perDay: 0, first: [30, 100], warnsBelow: 15, of: 'cabin' },
  /** How much a diesel uses stands with its body. */
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

/** What a level was made, and at which mileage and time. */
export interface Level {
  readonly percent: number;
  readonly mileageKm: number;
  readonly atMs: number;
}
export type Levels = Readonly<Record<LevelName, Level>>;

/** Where and when it is asked for. */
export interface Moment {
  readonly atMs: number;
  readonly mileageKm: number;
}

const DAY_MS = 86_400_000;

/** The levels of a vehicle that is met for the first time at that moment. */
export function drawnLevels(stream: Stream, moment: Moment): Levels {
  const levels = LEVEL_NAMES.map((name): [LevelName, Level] => {
    const [lowest, highest] = LEVELS[name].first;
    return [name, { percent: stream.whole(lowest, highest), ...moment }];
  });
  return Object.fromEntries(levels) as Levels;
}

/** Whether the vehicle has what the level is of. */
export function hasLevel(model: VehicleModel, name: LevelName): boolean {
  const row: LevelRow = LEVELS[name];
  return row.of === undefined || TRAITS[row.of].isOf(model);
}

/** How much there is at that moment, 0 to 100. */
export function levelAt(levels: Levels, name: LevelName, { body }: VehicleModel, moment: Moment): number {
  const { percent, mileageKm, atMs } = levels[name];
  const { perDay, per1000Km } = LEVELS[name];
  const { adblue } = body;
  const used =
    name === 'adblue' && adblue !== undefined ? (adblue.litresPer1000Km / adblue.litres) * 100 : per1000Km;
  const wayKm = Math.max(moment.mileageKm - mileageKm, 0);
  const days = Math.max(moment.atMs - atMs, 0) / DAY_MS;
  return clamp(percent - (used * wayKm) / 1_000 - perDay * days, 0, 100);
}

/** Whether there is so little that an indicator is lit for it. */
export function isScarce(levels: Levels, name: LevelName, model: VehicleModel, moment: Moment): boolean {
  return levelAt(levels, name, model, moment) < LEVELS[name].warnsBelow;
}

/** Whether one of the tyres that the vehicle has is too soft. */
export function isAnyTireSoft(levels: Levels, model: VehicleModel, moment: Moment): boolean {
  return TIRES.some((name) => hasLevel(model, name) && isScarce(levels, name, model, moment));
}

/** The levels that the vehicle has, for people. */
export function levelsOf(levels: Levels, model: VehicleModel, moment: Moment) {
  const own = LEVEL_NAMES.filter((name) => hasLevel(model, name));
  return Object.fromEntries(own.map((name) => [name, levelAt(levels, name, model, moment)]));
}

import type { VehicleModel } from '../../protocol/models/model.ts';
import { clamp } from '../arithmetic.ts';
import type { Switches } from './driver.ts';
import { type Engine, rangeKm, type Stores } from './energy.ts';
import { overheatingC } from './equipped.ts';
import { engineTurns } from './hybrid.ts';
import { limits } from './limits.ts';
import type { Quantities } from './signals.ts';
import type { Condition, Stretch } from './stretch.ts';

/** Up to this speed a gear is driven, in km/h, and engine turns a minute for each km/h in it. */
const GEARS = [
  [15, 130],
  [30, 75],
  [45, 52],
  [65, 40],
  [Number.POSITIVE_INFINITY, 31],
] as const;
const IDLE_RPM = 800;
/** The electric drive has one gear. */
const MOTOR_RPM_PER_KPH = 72;
const DAY_S = 86_400;

/** What of the wear shows everywhere, in percent of what it should be. */
export interface Wear {
  readonly coolantPercent: number;
  readonly starterPercent: number;
}

/** The state of a vehicle in the quantities of the models' rows. */
export function quantitiesOf(
  model: VehicleModel,
  condition: Condition,
  { engine, move }: Pick<Stretch, 'engine' | 'move'>,
  switches: Switches,
  mileageKm: number,
  { coolantPercent, starterPercent }: Wear,
): Quantities {
  const { body } = model;
  const speedKph = condition.speedMps * 3.6;
  return {
    speedKph,
    engineRpm: engine === 'running' ? turns(model, speedKph, condition, move) : 0,
    coolantTemperatureC: condition.coolantC + overheatingC(coolantPercent, condition.coolantC),
    energyPercent: clamp((condition.energy / body.energyCapacity) * 100, 0, 100),
    mileageKm,
    rangeKm: rangeKm(condition, model),
    onboardVolts: onboardVolts(condition, engine, starterPercent),
    ignitionOn: switches.ignitionOn,
    anyDoorOpen: switches.doorOpen,
    locked: switches.locked,
    drivingEnabled: switches.drivingEnabled,
    topCaseOpen: switches.topCaseOpen,
    topCaseLocked: switches.topCaseLocked,
    standExtended: switches.standExtended,
    compartmentLocked: switches.compartmentLocked,
  };
}

/** A plug-in hybrid that drives electrically lets its engine rest. */
function turns(model: VehicleModel, speedKph: number, stores: Stores, move: Stretch['move']): number {
  const { hybrid } = model.body;
  if (hybrid !== undefined && !engineTurns(stores, hybrid.capacityKwh, move)) return 0;
  if (model.fuelType === 'ELECTRIC') return speedKph * MOTOR_RPM_PER_KPH;
  const [, ratio] = GEARS.find(([toKph]) => speedKph <= toKph) ?? [0, 31];
  return Math.max(speedKph * ratio, IDLE_RPM);
}

/** The low-voltage net. At rest it sinks slowly from what the last charge left, with a worn battery faster and deeper. */
export function onboardVolts(
  { speedMps, atS, chargedS }: Condition,
  engine: Engine,
  starterPercent: number,
): number {
  if (engine === 'running') {
    const share = Math.min(speedMps / limits.generatorSpeedMps, 1);
    return limits.generatorVolts + limits.generatorVoltsAtSpeed * share;
  }
  if (engine === 'charging') return limits.pluggedVolts;
  const lackVolts = (limits.wornOutVolts * (100 - starterPercent)) / 100;
  if (engine === 'ignition') return limits.ignitionVolts - lackVolts;
  const worn = (100 - starterPercent) / 100;
  const perDay = limits.restVoltsPerDay * (1 + (limits.wornOutSinking - 1) * worn);
  const rest = limits.restVolts - (perDay * (atS - chargedS)) / DAY_S;
  const lowest = limits.lowestRestVolts - limits.wornOutDepthVolts * worn;
  return Math.max(rest - lackVolts, lowest - lackVolts);
}

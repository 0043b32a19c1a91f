import type { VehicleModel } from '../../../protocol/models/model.ts';
import { clamp } from '../../arithmetic.ts';
import type { Switches } from '../driving/journey.ts';
import { type EnergyStores, type EngineState, rangeKm } from '../energy/energy.ts';
import { engineTurns } from '../energy/hybrid.ts';
import { overheatingC } from '../equipment/equipment-quantities.ts';
import { limits } from '../limits.ts';
import { type MotionSegment, type PhysicalState, recordedAt } from '../motion-segment.ts';
import type { Quantities } from './signals.ts';

/** The highest speed of each gear in km/h, and its engine revolutions per minute for each km/h. */
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

/** The wear that affects all quantities, in percent of the nominal value. */
export interface WearLevels {
  readonly coolantPercent: number;
  readonly starterPercent: number;
}

/** The state of a vehicle in the quantities of the models' rows. */
export function quantitiesOf(
  model: VehicleModel,
  physicalState: PhysicalState,
  { engine, move, recorded }: Pick<MotionSegment, 'engine' | 'move' | 'recorded'>,
  switches: Switches,
  mileageKm: number,
  { coolantPercent, starterPercent }: WearLevels,
): Quantities {
  const { body } = model;
  const speedKph = physicalState.speedMps * 3.6;
  return {
    speedKph,
    engineRpm:
      engine !== 'running'
        ? 0
        : recorded?.rpm === undefined
          ? engineTurnsPerMinute(model, speedKph, physicalState, move)
          : recordedAt(recorded, recorded.rpm, physicalState.atS),
    coolantTemperatureC: physicalState.coolantC + overheatingC(coolantPercent, physicalState.coolantC),
    energyPercent: clamp((physicalState.energy / body.energyCapacity) * 100, 0, 100),
    mileageKm,
    rangeKm: rangeKm(physicalState, model),
    onboardVolts: onboardVolts(physicalState, engine, starterPercent),
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

/** The engine of a plug-in hybrid does not run while it drives electrically. */
function engineTurnsPerMinute(
  model: VehicleModel,
  speedKph: number,
  stores: EnergyStores,
  move: MotionSegment['move'],
): number {
  const { hybrid } = model.body;
  if (hybrid !== undefined && !engineTurns(stores, hybrid.capacityKwh, move)) return 0;
  if (model.fuelType === 'ELECTRIC') return speedKph * MOTOR_RPM_PER_KPH;
  const [, ratio] = GEARS.find(([toKph]) => speedKph <= toKph) ?? [0, 31];
  return Math.max(speedKph * ratio, IDLE_RPM);
}

/**
 * The voltage of the low-voltage system. At rest it falls slowly from the last charge, with a worn battery
 * faster and deeper.
 */
export function onboardVolts(
  { speedMps, atS, chargedS }: PhysicalState,
  engine: EngineState,
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

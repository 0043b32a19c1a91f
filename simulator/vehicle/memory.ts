import type { VehicleModel } from '../../protocol/models/model.ts';
import { clamp } from '../arithmetic.ts';
import type { Intent, Journey, Switches } from './driver.ts';
import type { Condition } from './stretch.ts';

/** What must outlive the program for a vehicle to be the same one afterwards: the mileage never falls. Plain JSON. */
export interface VehicleMemory {
  readonly version: 1;
  readonly startMileageKm: number;
  readonly wayM: number;
  readonly energy: number;
  readonly backupPercent: number;
  readonly switches: Switches;
  readonly wish: Intent['wish'];
}

/** What to keep of a vehicle. */
export function memoryOf(journey: Journey, condition: Condition, startMileageKm: number): VehicleMemory {
  return {
    version: 1,
    startMileageKm,
    wayM: condition.wayM,
    energy: condition.energy,
    backupPercent: condition.backupPercent,
    switches: journey.switches,
    wish: journey.intent.wish,
  };
}

/** Bytes for flash. */
export function packMemory(memory: VehicleMemory): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(memory));
}

/** The memory in those bytes, or undefined where they hold none of this version. Never throws. */
export function unpackMemory(bytes: Uint8Array): VehicleMemory | undefined {
  let found: Partial<Record<keyof VehicleMemory, unknown>>;
  try {
    const parsed: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof parsed !== 'object' || parsed === null) return undefined;
    found = parsed;
  } catch {
    return undefined;
  }
  const { version, startMileageKm, wayM, energy, backupPercent, switches, wish } = found;
  if (version !== 1 || (wish !== 'drive' && wish !== 'rest') || !areSwitches(switches)) return undefined;
  if (!isAmount(startMileageKm) || !isAmount(wayM) || !isAmount(energy) || !isAmount(backupPercent)) {
    return undefined;
  }
  return { version, startMileageKm, wayM, energy, backupPercent, switches, wish };
}

/** The condition in which a remembered vehicle stands there again: cold, and no fuller than its model can be. */
export function conditionOf(memory: VehicleMemory, model: VehicleModel, ambientC: number): Condition {
  return {
    atS: 0,
    wayM: memory.wayM,
    speedMps: 0,
    energy: clamp(memory.energy, 0, model.body.energyCapacity),
    coolantC: ambientC,
    backupPercent: clamp(memory.backupPercent, 0, 100),
    chargedS: 0,
  };
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function areSwitches(value: unknown): value is Switches {
  if (typeof value !== 'object' || value === null) return false;
  const { ignitionOn, doorOpen, locked, drivingEnabled } = value as Partial<Record<keyof Switches, unknown>>;
  const each = [ignitionOn, doorOpen, locked, drivingEnabled];
  return each.every((state) => typeof state === 'boolean') && !(doorOpen === true && locked === true);
}

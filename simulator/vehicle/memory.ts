import type { VehicleModel } from '../../protocol/models/model.ts';
import { clamp } from '../arithmetic.ts';
import type { Intent, Journey, Switches } from './driver.ts';
import type { Equipment } from './equipment.ts';
import { ALL_WORK, type Mechanics, readMechanics } from './mechanics.ts';
import type { Condition } from './stretch.ts';

/** What must outlive the program for a vehicle to be the same one afterwards: the mileage never falls. Plain JSON. */
export interface VehicleMemory {
  readonly version: 1;
  readonly startMileageKm: number;
  readonly wayM: number;
  readonly energy: number;
  /** In the traction battery of a plug-in hybrid; absent: none. */
  readonly tractionKwh?: number;
  /** How often it was filled up on the way; absent: never. */
  readonly fillings?: number;
  readonly backupPercent: number;
  readonly switches: Switches;
  readonly wish: Intent['wish'];
  /** Share of the usual speed that the driver keeps to; absent: all of it. */
  readonly pace?: number;
  /** What is jammed or will be; absent: everything works. */
  readonly mechanics?: Mechanics;
  /** The route that somebody has put it on in place of the plan's; absent: that of the plan. */
  readonly chosen?: ChosenRoute;
  /** As kept-equipment.ts reads it, piece by piece; absent in pages of earlier versions. */
  readonly equipment?: unknown;
}

/** Where the way began along the route, and which route the plan named then. */
export interface ChosenRoute {
  readonly route: string;
  readonly startM: number;
  readonly instead: string;
}

/** What to keep of a vehicle. */
export function memoryOf(
  journey: Journey,
  condition: Condition,
  {
    startMileageKm,
    mechanics,
    chosen,
    equipment,
  }: {
    readonly startMileageKm: number;
    readonly mechanics: Mechanics;
    readonly chosen?: ChosenRoute;
    readonly equipment: Equipment;
  },
): VehicleMemory {
  return {
    version: 1,
    startMileageKm,
    wayM: condition.wayM,
    energy: condition.energy,
    ...(condition.tractionKwh === 0 ? {} : { tractionKwh: condition.tractionKwh }),
    ...(condition.fillings === 0 ? {} : { fillings: condition.fillings }),
    backupPercent: condition.backupPercent,
    switches: journey.switches,
    wish: journey.intent.wish,
    ...(journey.intent.pace === 1 ? {} : { pace: journey.intent.pace }),
    ...(mechanics === ALL_WORK ? {} : { mechanics }),
    ...(chosen === undefined ? {} : { chosen }),
    equipment,
  };
}

const writtenEquipment = new WeakMap<object, string>();

/** Bytes for flash. */
export function packMemory(memory: VehicleMemory): Uint8Array {
  const { equipment, ...rest } = memory;
  const text = JSON.stringify(rest);
  if (typeof equipment !== 'object' || equipment === null) return new TextEncoder().encode(text);
  // It is written again and again, and rarely another one.
  let written = writtenEquipment.get(equipment);
  if (written === undefined) {
    written = JSON.stringify(equipment);
    writtenEquipment.set(equipment, written);
  }
  return new TextEncoder().encode(`${text.slice(0, -1)},"equipment":${written}}`);
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
  const { version, startMileageKm, wayM, energy, backupPercent, wish } = found;
  const switches = readSwitches(found.switches);
  const mechanics = found.mechanics === undefined ? ALL_WORK : readMechanics(found.mechanics);
  if (version !== 1 || (wish !== 'drive' && wish !== 'rest')) return undefined;
  if (switches === undefined || mechanics === undefined) return undefined;
  if (!isAmount(startMileageKm) || !isAmount(wayM) || !isAmount(energy) || !isAmount(backupPercent)) {
    return undefined;
  }
  const { pace } = found;
  if (pace !== undefined && !(isAmount(pace) && pace > 0 && pace <= 1)) return undefined;
  const { tractionKwh, fillings } = found;
  if (tractionKwh !== undefined && !isAmount(tractionKwh)) return undefined;
  if (fillings !== undefined && !isAmount(fillings)) return undefined;
  const chosen = found.chosen === undefined ? undefined : readChosen(found.chosen);
  if (found.chosen !== undefined && chosen === undefined) return undefined;
  const rest = {
    ...(pace === undefined ? {} : { pace }),
    ...(mechanics === ALL_WORK ? {} : { mechanics }),
    ...(chosen === undefined ? {} : { chosen }),
    ...(tractionKwh === undefined ? {} : { tractionKwh }),
    ...(fillings === undefined ? {} : { fillings }),
    ...(found.equipment === undefined ? {} : { equipment: found.equipment }),
  };
  return { version, startMileageKm, wayM, energy, backupPercent, switches, wish, ...rest };
}

/** The condition in which a remembered vehicle stands there again: cold, and no fuller than its model can be. */
export function conditionOf(memory: VehicleMemory, model: VehicleModel, ambientC: number): Condition {
  return {
    atS: 0,
    wayM: memory.wayM,
    speedMps: 0,
    energy: clamp(memory.energy, 0, model.body.energyCapacity),
    tractionKwh: clamp(memory.tractionKwh ?? 0, 0, model.body.hybrid?.capacityKwh ?? 0),
    fillings: memory.fillings ?? 0,
    coolantC: ambientC,
    backupPercent: clamp(memory.backupPercent, 0, 100),
    chargedS: 0,
  };
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function readChosen(value: unknown): ChosenRoute | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { route, startM, instead }: Partial<Record<keyof ChosenRoute, unknown>> = value;
  if (typeof route !== 'string' || typeof instead !== 'string') return undefined;
  return typeof startM === 'number' && Number.isFinite(startM) ? { route, startM, instead } : undefined;
}

/** How the parts stand that a memory of an earlier version does not name. */
const UNNAMED = {
  topCaseOpen: false,
  topCaseLocked: true,
  standExtended: false,
  compartmentLocked: true,
  pluggedIn: false,
};

function readSwitches(value: unknown): Switches | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: Partial<Record<keyof Switches, unknown>> = { ...UNNAMED, ...value };
  const { ignitionOn, doorOpen, locked, drivingEnabled } = found;
  const { topCaseOpen, topCaseLocked, standExtended, compartmentLocked, pluggedIn } = found;
  if (!isState(ignitionOn) || !isState(doorOpen) || !isState(locked) || !isState(drivingEnabled))
    return undefined;
  if (!isState(topCaseOpen) || !isState(topCaseLocked)) return undefined;
  if (!isState(standExtended) || !isState(compartmentLocked) || !isState(pluggedIn)) return undefined;
  if ((doorOpen && locked) || (topCaseOpen && topCaseLocked)) return undefined;
  const cabin = { ignitionOn, doorOpen, locked, drivingEnabled };
  return { ...cabin, topCaseOpen, topCaseLocked, standExtended, compartmentLocked, pluggedIn };
}

function isState(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

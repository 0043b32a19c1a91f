import type { VehicleModel } from '../../../protocol/models/model.ts';
import { clamp } from '../../arithmetic.ts';
import type { DriverIntent, Journey, Switches } from '../driving/journey.ts';
import { ALL_WORK, type Mechanics, readMechanics } from '../driving/mechanics.ts';
import type { Equipment } from '../equipment/equipment.ts';
import { limits } from '../limits.ts';
import type { PhysicalState } from '../motion-segment.ts';

/** The state of a vehicle that must survive the end of the program: the mileage never falls. Plain JSON. */
export interface VehicleMemory {
  readonly version: 1;
  readonly startMileageKm: number;
  readonly wayM: number;
  readonly energy: number;
  /** In the traction battery of a plug-in hybrid; absent: none. */
  readonly tractionKwh?: number;
  /** How often it was refuelled on the way; absent: never. */
  readonly fillings?: number;
  readonly backupPercent: number;
  readonly switches: Switches;
  readonly wish: DriverIntent['wish'];
  /** The driver's share of the usual speed; absent: all of it. */
  readonly pace?: number;
  /** Parts that are jammed or will be; absent: everything works. */
  readonly mechanics?: Mechanics;
  /** The route on which it was put instead of the plan's; absent: the plan's. */
  readonly chosen?: ChosenRoute;
  /**
   * Read item by item by simulator/vehicle/equipment/saved-equipment.ts; absent in pages of earlier versions.
   */
  readonly equipment?: unknown;
}

/** The starting point along the route, and the route that the plan named at that time. */
export interface ChosenRoute {
  readonly route: string;
  readonly startM: number;
  readonly instead: string;
}

/** The memory to store of a vehicle. */
export function memoryOf(
  journey: Pick<Journey, 'switches' | 'intent'>,
  physicalState: PhysicalState,
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
    wayM: physicalState.wayM,
    energy: physicalState.energy,
    ...(physicalState.tractionKwh === 0 ? {} : { tractionKwh: physicalState.tractionKwh }),
    ...(physicalState.fillings === 0 ? {} : { fillings: physicalState.fillings }),
    backupPercent: physicalState.backupPercent,
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
  // It is written repeatedly and rarely changes.
  let written = writtenEquipment.get(equipment);
  if (written === undefined) {
    written = JSON.stringify(equipment);
    writtenEquipment.set(equipment, written);
  }
  return new TextEncoder().encode(`${text.slice(0, -1)},"equipment":${written}}`);
}

/** The memory in these bytes; undefined if they hold none of this version. Never throws. */
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
  if (pace !== undefined && !(isAmount(pace) && pace > 0 && pace <= limits.fastestPace)) return undefined;
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

/** The state of a restored vehicle: stationary, cold, and with at most the energy of its model. */
export function physicalStateOf(memory: VehicleMemory, model: VehicleModel, ambientC: number): PhysicalState {
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

/** The state of the parts that a memory of an earlier version does not contain. */
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

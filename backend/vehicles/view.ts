import { generationOf } from '../../protocol/hardware.ts';
import type { Generation } from '../../protocol/message.ts';
import type { VehicleModel } from '../../protocol/models/model.ts';
import { dateTime, dateTimeOrNull } from '../base/date-time.ts';
import { vehicleLifeStatus } from '../store/port/life-status.ts';
import { readState, takeStoredValues } from '../store/port/state-text.ts';
import type {
  BoxVehicle,
  FoundVehicle,
  LifeStatusValue,
  ListedVehicle,
  SetupStatus,
  Since as StoredSince,
  Vehicle,
} from '../store/port/stored-vehicle.ts';
import type { ModelKnowledge } from './capabilities.ts';
import { hasBox } from './find-vehicle.ts';
import { capabilitiesText, isBooked } from './vehicle-capabilities.ts';
import { MASTER_DATA, type MasterData } from './vehicle-fields.ts';

/** The telematics units, by the generation of their hardware. */
const UNITS: Readonly<Record<Generation, { readonly brand: string; readonly model: string }>> = {
  1: { brand: 'boxtwin', model: 'Box 1' },
  2: { brand: 'boxtwin', model: 'Box 2' },
};

/** Master data from the model, for fields that the vehicle's own record lacks. */
const FROM_MODEL: Readonly<Record<string, (model: VehicleModel) => string | number>> = {
  brand: (model) => model.brand,
  model: (model) => model.series,
  fuel_type: (model) => model.fuelType,
  vehicle_type: (model) => model.vehicleType,
  year_of_production: (model) => model.yearOfProduction,
  transmission: (model) => model.transmission,
};

/** A status and since when it is in force. */
interface SinceBody<T extends string> {
  readonly value: T;
  readonly modified_at: string;
}

export interface TelematicsUnit {
  readonly id: string;
  readonly brand: string;
  readonly model: string;
  readonly hardware_revision: number | null;
  readonly firmware_version: string | null;
  readonly installation_variant: 'OBD' | 'HARDWIRED' | null;
}

/** What its owner has told of a vehicle, and whether it can be reached. */
export interface VehicleData {
  readonly id: string;
  readonly fleet_id: string;
  readonly setup_status: SetupStatus;
  readonly life_status: SinceBody<LifeStatusValue>;
  readonly operation_status: SinceBody<'OPERATING' | 'GARAGE'>;
  readonly rental_status: SinceBody<'IN_RENTAL' | 'NOT_IN_RENTAL'>;
  readonly master_data: MasterData;
  readonly custom_fields: Readonly<Record<string, string>>;
  readonly tags: readonly string[];
  readonly maintenance_booked: boolean;
}

/** The rest of a listed vehicle, behind its capabilities. */
interface VehicleContact {
  readonly telematics_unit: TelematicsUnit | null;
  readonly shared_with?: string;
  readonly last_contact_at: string | null;
  readonly created_at: string;
  readonly modified_at: string;
}

/** The state that a vehicle reports: for each property its value and its time. */
export type StateBody = Record<string, { readonly timestamp: string; readonly value: unknown }>;

/** Who asks for a vehicle, and when: `viewer` is a fleet's id. */
export interface Viewing {
  readonly viewer: string;
  readonly models: ModelKnowledge;
  readonly nowMs: number;
}

/**
 * A vehicle as GET /vehicles lists it, as JSON. A property that every vehicle has is always present, and null while its
 * value is unknown (`vin`, `firmware_version`, `last_contact_at`); an occasional one (`shared_with`) is absent
 * otherwise. It is joined from parts, of which the capabilities are the largest: their text is made once.
 */
export function vehicleItemText(vehicle: ListedVehicle, viewing: Viewing): string {
  return `${itemBeginning(vehicle, viewing)}}`;
}

/** A vehicle as GET /vehicles/{id} returns it, as JSON: the item, and its state from all reports. */
export function vehicleDetailText(vehicle: FoundVehicle, viewing: Viewing): string {
  const state = stateText(vehicle.stateText, vehicle);
  return `${itemBeginning(vehicle, viewing)},"latest_vehicle_state":${state}}`;
}

/** A listed vehicle without its closing brace. */
function itemBeginning(vehicle: ListedVehicle, { viewer, models, nowMs }: Viewing): string {
  const data = JSON.stringify(visibleTo(viewer, vehicleData(vehicle, models, nowMs)));
  const contact = JSON.stringify(vehicleContact(vehicle, models));
  return `${data.slice(0, -1)},"capabilities":${capabilitiesText(vehicle, models)},${contact.slice(1, -1)}`;
}

export function vehicleData(vehicle: ListedVehicle, models: ModelKnowledge, nowMs: number): VehicleData {
  const life = vehicleLifeStatus(vehicle, nowMs);
  return {
    id: vehicle.id,
    fleet_id: vehicle.fleetId,
    setup_status: vehicle.setupStatus,
    life_status: { value: life.value, modified_at: dateTime(life.sinceMs) },
    operation_status: sinceBody(vehicle.operationStatus),
    rental_status: sinceBody(vehicle.rentalStatus),
    master_data: masterData(vehicle, models.findModel(vehicle.model)),
    custom_fields: vehicle.customFields,
    tags: vehicle.tags,
    maintenance_booked: vehicle.maintenance,
  };
}

function vehicleContact(vehicle: ListedVehicle, models: ModelKnowledge): VehicleContact {
  return {
    telematics_unit: hasBox(vehicle) ? telematicsUnit(vehicle, models.findModel(vehicle.model)) : null,
    ...(vehicle.sharedWith === undefined ? {} : { shared_with: vehicle.sharedWith }),
    last_contact_at: dateTimeOrNull(vehicle.box.lastContactMs),
    created_at: dateTime(vehicle.createdMs),
    modified_at: dateTime(vehicle.modifiedMs),
  };
}

/** What identifies a vehicle on the road: the only master data that a sharing partner sees. */
const VISIBLE_TO_PARTNERS: ReadonlySet<string> = new Set(['vin', 'license_plate', 'brand', 'model']);

/**
 * The same vehicle as `viewer` may see it, a fleet's id: a partner with whom it is shared sees neither the owner's tags
 * and fields nor more of the master data than what identifies the vehicle on the road.
 */
function visibleTo(viewer: string, data: VehicleData): VehicleData {
  if (data.fleet_id === viewer) return data;
  const master = Object.entries(data.master_data).map(([name, value]) => [
    name,
    VISIBLE_TO_PARTNERS.has(name) ? value : null,
  ]);
  return { ...data, master_data: Object.fromEntries(master) as MasterData, custom_fields: {}, tags: [] };
}

function sinceBody<T extends string>({ value, modifiedMs }: StoredSince<T>): SinceBody<T> {
  return { value, modified_at: dateTime(modifiedMs) };
}

function telematicsUnit(
  { boxId, box }: Pick<BoxVehicle, 'boxId'> & Pick<ListedVehicle, 'box'>,
  model: VehicleModel | undefined,
): TelematicsUnit {
  return {
    id: boxId,
    ...UNITS[generationOf(box.hardwareRevision, box.generation)],
    hardware_revision: box.hardwareRevision ?? null,
    firmware_version: box.firmware?.join('.') ?? null,
    installation_variant: model?.installation ?? null,
  };
}

/**
 * A vehicle state as in answers and messages: each property with its time and value. Empty if nothing is known. Values
 * that no longer apply (null) are absent.
 */
export function stateBody(
  state: Readonly<Record<string, { readonly timestampMs: number; readonly value: unknown }>>,
): StateBody {
  return Object.fromEntries(
    Object.entries(state)
      .filter(([, { value }]) => value !== null)
      .sort(([one], [other]) => byUnit(one, other))
      .map(([name, { timestampMs, value }]) => [name, { timestamp: dateTime(timestampMs), value }]),
  );
}

/**
 * The stored state of a vehicle as answers have it, without the maintenance properties if they are not booked any more.
 * It is joined from the stored text: nothing is parsed, nor written again.
 */
export function stateText(stored: string, booking: Pick<Vehicle, 'maintenance'>): string {
  const properties: string[] = [];
  const isWhole = takeStoredValues(stored, (name, timestampMs, json) => {
    if (json === 'null' || !isBooked(booking, name)) return;
    properties.push(`"${name}":{"timestamp":"${dateTime(timestampMs)}","value":${json}}`);
  });
  // Names consist of letters, digits and `_`, which come behind the quotation mark: this is their order, too.
  if (isWhole) return `{${properties.sort(byUnit).join()}}`;
  const shown = Object.entries(readState(stored)).filter(([name]) => isBooked(booking, name));
  return JSON.stringify(stateBody(Object.fromEntries(shown)));
}

/** In the order of UTF-16 code units. */
function byUnit(one: string, other: string): number {
  return one < other ? -1 : 1;
}

function masterData(vehicle: ListedVehicle, model: VehicleModel | undefined): MasterData {
  const data = Object.keys(MASTER_DATA).map((name) => {
    const told = vehicle.masterData[name] ?? null;
    return [name, told ?? (model === undefined ? null : (FROM_MODEL[name]?.(model) ?? null))];
  });
  // Stored values were validated by the same table when they were received.
  return Object.fromEntries(data) as MasterData;
}

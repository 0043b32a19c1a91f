import { generationOf } from '../../protocol/hardware.ts';
import type { Generation } from '../../protocol/message.ts';
import type { VehicleModel } from '../../protocol/models/model.ts';
import { dateTime, dateTimeOrNull } from '../base/date-time.ts';
import { vehicleLifeStatus } from '../store/port/life-status.ts';
import type {
  BoxVehicle,
  LifeStatusValue,
  SetupStatus,
  Since as StoredSince,
  Vehicle,
} from '../store/port/stored-vehicle.ts';
import type { ModelKnowledge } from './capabilities.ts';
import { hasBox } from './find-vehicle.ts';
import { bookedState, commandCapabilities, stateCapabilities } from './vehicle-capabilities.ts';
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

export interface VehicleItem {
  readonly id: string;
  readonly fleet_id: string;
  readonly setup_status: SetupStatus;
  readonly life_status: SinceBody<LifeStatusValue>;
  readonly operation_status: SinceBody<'OPERATING' | 'GARAGE'>;
  readonly rental_status: SinceBody<'IN_RENTAL' | 'NOT_IN_RENTAL'>;
  readonly master_data: MasterData;
  readonly custom_fields: Record<string, string>;
  readonly tags: string[];
  readonly maintenance_booked: boolean;
  readonly capabilities: { readonly commands: string[]; readonly vehicle_state: string[] };
  readonly telematics_unit: TelematicsUnit | null;
  readonly shared_with?: string;
  readonly last_contact_at: string | null;
  readonly created_at: string;
  readonly modified_at: string;
}

/** The state that a vehicle reports: for each property its value and its time. */
export type StateBody = Record<string, { readonly timestamp: string; readonly value: unknown }>;

export interface VehicleDetail extends VehicleItem {
  readonly latest_vehicle_state: StateBody;
}

/**
 * A vehicle as GET /vehicles lists it. A property that every vehicle has is always present, and null while its value is
 * unknown (`vin`, `firmware_version`, `last_contact_at`); an occasional one (`shared_with`) is absent otherwise.
 */
export function vehicleItem(vehicle: Vehicle, models: ModelKnowledge, nowMs: number): VehicleItem {
  const { box } = vehicle;
  const model = models.findModel(vehicle.model);
  const life = vehicleLifeStatus(vehicle, nowMs);
  return {
    id: vehicle.id,
    fleet_id: vehicle.fleetId,
    setup_status: vehicle.setupStatus,
    life_status: { value: life.value, modified_at: dateTime(life.sinceMs) },
    operation_status: sinceBody(vehicle.operationStatus),
    rental_status: sinceBody(vehicle.rentalStatus),
    master_data: masterData(vehicle, model),
    custom_fields: { ...vehicle.customFields },
    tags: [...vehicle.tags],
    maintenance_booked: vehicle.maintenance,
    capabilities: {
      commands: [...commandCapabilities(vehicle, models)],
      vehicle_state: [...stateCapabilities(vehicle, models)],
    },
    telematics_unit: hasBox(vehicle) ? telematicsUnit(vehicle, model) : null,
    ...(vehicle.sharedWith === undefined ? {} : { shared_with: vehicle.sharedWith }),
    last_contact_at: dateTimeOrNull(box.lastContactMs),
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
export function visibleTo<Item extends VehicleItem>(viewer: string, item: Item): Item {
  if (item.fleet_id === viewer) return item;
  const master = Object.entries(item.master_data).map(([name, value]) => [
    name,
    VISIBLE_TO_PARTNERS.has(name) ? value : null,
  ]);
  return { ...item, master_data: Object.fromEntries(master), custom_fields: {}, tags: [] };
}

function sinceBody<T extends string>({ value, modifiedMs }: StoredSince<T>): SinceBody<T> {
  return { value, modified_at: dateTime(modifiedMs) };
}

function telematicsUnit({ boxId, box }: BoxVehicle, model: VehicleModel | undefined): TelematicsUnit {
  return {
    id: boxId,
    ...UNITS[generationOf(box.hardwareRevision, box.generation)],
    hardware_revision: box.hardwareRevision ?? null,
    firmware_version: box.firmware?.join('.') ?? null,
    installation_variant: model?.installation ?? null,
  };
}

/** A vehicle as GET /vehicles/{id} returns it: the item, and its state from all reports. */
export function vehicleDetail(vehicle: Vehicle, models: ModelKnowledge, nowMs: number): VehicleDetail {
  return { ...vehicleItem(vehicle, models, nowMs), latest_vehicle_state: stateBody(bookedState(vehicle)) };
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
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { timestampMs, value }]) => [name, { timestamp: dateTime(timestampMs), value }]),
  );
}

function masterData(vehicle: Vehicle, model: VehicleModel | undefined): MasterData {
  const data = Object.keys(MASTER_DATA).map((name) => {
    const told = vehicle.masterData[name] ?? null;
    return [name, told ?? (model === undefined ? null : (FROM_MODEL[name]?.(model) ?? null))];
  });
  // Stored values were validated by the same table when they were received.
  return Object.fromEntries(data) as MasterData;
}

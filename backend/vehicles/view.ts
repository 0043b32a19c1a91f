import type { Generation } from '../../protocol/message.ts';
import type { VehicleModel } from '../../protocol/models/model.ts';
import { dateTime, dateTimeOrNull } from '../http/date-time.ts';
import type { SetupStatus, Vehicle } from '../store/store.ts';
import { type LifeStatusValue, lifeStatus } from './life-status.ts';

/** What the vehicle models tell, by the name of a model. */
export interface ModelKnowledge {
  findModel(model: string): VehicleModel | undefined;
  /** Vehicle state capabilities, UPPER_SNAKE_CASE. */
  capabilitiesOf(model: string): readonly string[];
  /** Command capabilities, UPPER_SNAKE_CASE. */
  commandCapabilitiesOf(model: string): readonly string[];
}

/** The telematics units, by the generation of their frames. */
const UNITS: Readonly<Record<Generation, { readonly brand: string; readonly model: string }>> = {
  1: { brand: 'boxtwin', model: 'Box 1' },
  2: { brand: 'boxtwin', model: 'Box 2' },
};

/** Master data that the model tells where the vehicle's own record does not. */
const FROM_MODEL: Readonly<Record<string, (model: VehicleModel) => string>> = {
  brand: (model) => model.brand,
  model: (model) => model.series,
  fuel_type: (model) => model.fuelType,
  vehicle_type: (model) => model.vehicleType,
};

/** A status and since when it is in force. */
interface Since<T extends string> {
  readonly value: T;
  readonly modified_at: string | null;
}

export interface VehicleItem {
  readonly id: string;
  readonly fleet_id: string;
  readonly setup_status: SetupStatus;
  readonly life_status: Since<LifeStatusValue>;
  readonly operation_status: Since<'OPERATING' | 'GARAGE'>;
  readonly rental_status: Since<'IN_RENTAL' | 'NOT_IN_RENTAL'>;
  readonly master_data: Record<string, string | number | null>;
  readonly custom_fields: Record<string, string>;
  readonly tags: string[];
  readonly capabilities: { readonly commands: string[]; readonly vehicle_state: string[] };
  readonly telematics_unit: {
    readonly id: string;
    readonly brand: string;
    readonly model: string;
    readonly hardware_revision: number | null;
    readonly firmware_version: string | null;
    readonly installation_variant: 'OBD' | 'HARDWIRED' | null;
  };
  readonly last_contact_at: string | null;
  readonly created_at: string;
  readonly modified_at: string;
}

/** What a vehicle tells of itself: by property, its value and when it was so. */
export type StateBody = Record<string, { readonly timestamp: string; readonly value: unknown }>;

export interface VehicleDetail extends VehicleItem {
  readonly latest_vehicle_state: StateBody;
}

const MASTER_DATA = [
  'vin',
  'license_plate',
  'brand',
  'model',
  'custom_name',
  'fuel_type',
  'year_of_production',
  'transmission',
  'vehicle_type',
] as const;

/**
 * A vehicle as GET /vehicles lists it. A property that a vehicle has by its nature is always there, and null while
 * its value is not known (`vin`, `firmware_version`, `last_contact_at`, the `modified_at` of ONLINE); one that it
 * has at times only (`shared_with`) is absent otherwise.
 */
export function vehicleItem(vehicle: Vehicle, models: ModelKnowledge, nowMs: number): VehicleItem {
  const { box } = vehicle;
  const model = models.findModel(vehicle.model);
  const life = lifeStatus(box, vehicle.createdMs, nowMs);
  const onboardedAt = dateTime(vehicle.createdMs);
  return {
    id: vehicle.id,
    fleet_id: vehicle.fleetId,
    setup_status: vehicle.setupStatus,
    life_status: { value: life.value, modified_at: dateTimeOrNull(life.modifiedMs) },
    // Every vehicle begins so, and nothing can change either of the two yet.
    operation_status: { value: FIRST_OPERATION_STATUS, modified_at: onboardedAt },
    rental_status: { value: 'NOT_IN_RENTAL', modified_at: onboardedAt },
    master_data: masterData(vehicle, model),
    custom_fields: {},
    tags: [...vehicle.tags],
    capabilities: {
      commands: [...models.commandCapabilitiesOf(vehicle.model)],
      vehicle_state: [...models.capabilitiesOf(vehicle.model)],
    },
    telematics_unit: {
      id: vehicle.boxId,
      ...UNITS[box.generation],
      hardware_revision: box.hardwareRevision ?? null,
      firmware_version: box.firmware?.join('.') ?? null,
      installation_variant: model?.installation ?? null,
    },
    last_contact_at: dateTimeOrNull(box.lastContactMs),
    created_at: onboardedAt,
    modified_at: dateTime(vehicle.modifiedMs),
  };
}

/** The operation status of a vehicle from its onboarding on. */
export const FIRST_OPERATION_STATUS = 'OPERATING';

/** A vehicle as GET /vehicles/{id} gives it: the item, and what all its reports together say. */
export function vehicleDetail(vehicle: Vehicle, models: ModelKnowledge, nowMs: number): VehicleDetail {
  return { ...vehicleItem(vehicle, models, nowMs), latest_vehicle_state: stateBody(vehicle.state) };
}

/** A vehicle state of service.md 2.4: each property with its time and value. Empty where nothing is known. */
export function stateBody(
  state: Readonly<Record<string, { readonly timestampMs: number; readonly value: unknown }>>,
): StateBody {
  return Object.fromEntries(
    Object.entries(state)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, { timestampMs, value }]) => [name, { timestamp: dateTime(timestampMs), value }]),
  );
}

function masterData(
  vehicle: Vehicle,
  model: VehicleModel | undefined,
): Record<string, string | number | null> {
  return Object.fromEntries(
    MASTER_DATA.map((name) => {
      const told = vehicle.masterData[name] ?? null;
      return [name, told ?? (model === undefined ? null : (FROM_MODEL[name]?.(model) ?? null))];
    }),
  );
}

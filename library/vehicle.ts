import type { Box, BoxPicture } from './box.ts';
import type { VehicleState } from './types/vehicle-state.ts';

/** A device, and the vehicle that it is in. */
export interface Device {
  /** 16 hex digits. */
  readonly boxId: string;
  /** `petrol-compact`, `electric-hatchback`, ... */
  readonly model: string;
  readonly vin: string;
  readonly licensePlate: string;
}

/** A vehicle that is set up. */
export interface RunningVehicle extends Device {
  readonly id: string;
}

/** A vehicle of a running service: one of its `vehicles`, its box, or an id of either. */
export type VehicleReference = RunningVehicle | Device | Box | string;

/** What the service says of a vehicle. */
export interface ServiceVehicle {
  readonly id: string;
  readonly setup_status: 'PENDING' | 'RUNNING' | 'SUCCEEDED' | 'FAILED';
  readonly life_status: { readonly value: 'ONLINE' | 'STANDBY' | 'OFFLINE' };
  /** `vehicle_state`: the properties that it can have, in capitals. */
  readonly capabilities: { readonly vehicle_state: readonly string[] };
  readonly latest_vehicle_state: VehicleState;
}

/** The three views of one vehicle at a moment. Without a record at the service its view is absent. */
export interface VehicleViews {
  readonly box: BoxPicture;
  readonly service?: ServiceVehicle;
  readonly atMs: number;
}

/** The ids of the box and of its vehicle; none where there are no views. */
export function idsIn(views: VehicleViews | string | undefined): readonly string[] {
  if (typeof views !== 'object') return [];
  const { boxId, vehicleId } = views.box;
  return vehicleId === null ? [boxId] : [boxId, vehicleId];
}

/** Reads one vehicle of a running service. */
export interface VehicleReader {
  /** Of the vehicle, or of a device that is in none. */
  readonly id: string;
  views(): Promise<VehicleViews>;
  /** The last requests of the test that name one of these ids, each with its answer: lines. */
  lastRequests(ids: readonly string[]): readonly string[];
  /** For the trace of a failed test. */
  note(text: string, result: string): void;
}

/** The readers of vehicles that were given out as objects. */
const readers = new WeakMap<object, VehicleReader>();

/** From now on this object is known as that vehicle. */
export function rememberReader<Known extends object>(known: Known, reader: VehicleReader): Known {
  readers.set(known, reader);
  return known;
}

/** Undefined: it is no vehicle of a running service, or a copy of one. */
export function readerOf(known: unknown): VehicleReader | undefined {
  return typeof known === 'object' && known !== null ? readers.get(known) : undefined;
}

import { ID_FORM } from '../../contract/limits.ts';
import { problem, type Refusal } from '../../contract/problems.ts';
import { quote } from '../base/quoted-text.ts';
import type { BoxVehicle, FoundVehicle, Vehicle } from '../store/port/stored-vehicle.ts';
import type { VehicleStore } from '../store/port/vehicle-store.ts';

const VEHICLE_ID = new RegExp(`^${ID_FORM}$`);

/**
 * The vehicle of that id, if the fleet owns it. One of another fleet, and an id of a wrong form, are missing
 * like one that does not exist. Rejects if the store fails.
 */
export async function findOwn(
  store: Pick<VehicleStore, 'find'>,
  fleetId: string,
  vehicleId: string,
): Promise<FoundVehicle | undefined> {
  const vehicle = await findVisible(store, fleetId, vehicleId);
  return vehicle?.fleetId === fleetId ? vehicle : undefined;
}

/** As `findOwn`; a vehicle that is shared with the fleet is found too. */
export async function findVisible(
  store: Pick<VehicleStore, 'find'>,
  fleetId: string,
  vehicleId: string,
): Promise<FoundVehicle | undefined> {
  if (!VEHICLE_ID.test(vehicleId)) return undefined;
  const vehicle = await store.find(vehicleId);
  return vehicle?.fleetId === fleetId || vehicle?.sharedWith === fleetId ? vehicle : undefined;
}

/** Why a fleet may not change a vehicle that `findOwn` does not return: a partner knows that it exists. */
export async function notOwnRefusal(
  store: Pick<VehicleStore, 'find'>,
  fleetId: string,
  vehicleId: string,
): Promise<Refusal> {
  return (await findVisible(store, fleetId, vehicleId)) === undefined
    ? unknownVehicle(vehicleId)
    : problem(
        'resource-not-found',
        `The vehicle ${quote(vehicleId)} belongs to another fleet; only its owner may change it.`,
      );
}

export function unknownVehicle(vehicleId: string): Refusal {
  return problem('resource-not-found', `There is no vehicle with the id ${quote(vehicleId)}.`);
}

/**
 * The refusal of a request whose vehicle was offboarded while it was carried out; undefined: the vehicle is still
 * there. `outcome`: a sentence about the outcome of the request. Rejects if the store fails.
 */
export async function offboardedMeanwhile(
  store: Pick<VehicleStore, 'find'>,
  { id, createdMs }: Vehicle,
  outcome: string,
): Promise<Refusal | undefined> {
  const found = await store.find(id);
  if (found?.createdMs === createdMs) return undefined;
  return problem(
    'resource-not-found',
    `The vehicle ${quote(id)} was offboarded while the request was carried out. ${outcome}`,
  );
}

export function hasBox<Of extends Pick<Vehicle, 'boxId'>>(
  vehicle: Of,
): vehicle is Of & Pick<BoxVehicle, 'boxId'> {
  return vehicle.boxId !== undefined;
}

import { problem, type Refusal } from '../http/problem.ts';
import { quote } from '../http/quote.ts';
import type { Vehicle, VehicleStore } from '../store/store.ts';

/** Vehicle ids: 5 to 12 of A-Z0-9. */
const VEHICLE_ID = /^[A-Z0-9]{5,12}$/;

/**
 * The vehicle of that id, if the fleet may know of it. One of another fleet, and an id of a wrong form, are as
 * missing as one that does not exist. Rejects where the store fails.
 */
export async function findOwn(
  store: Pick<VehicleStore, 'find'>,
  fleetId: string,
  vehicleId: string,
): Promise<Vehicle | undefined> {
  if (!VEHICLE_ID.test(vehicleId)) return undefined;
  const vehicle = await store.find(vehicleId);
  return vehicle?.fleetId === fleetId ? vehicle : undefined;
}

export function unknownVehicle(vehicleId: string): Refusal {
  return problem('resource-not-found', `There is no vehicle with the id ${quote(vehicleId)}.`);
}

import type { VehicleChange } from './onboarding.ts';
import type { Vehicle } from './vehicle-store.ts';

/** The vehicle after a change of what its owner can change, at `atMs`. */
export function changedVehicle(before: Vehicle, change: VehicleChange, atMs: number): Vehicle {
  const { sharedWith, operationStatus, rentalStatus, ...others } = change;
  return {
    ...before,
    ...others,
    ...(sharedWith === undefined ? {} : { sharedWith: sharedWith ?? undefined }),
    operationStatus: since(before.operationStatus, operationStatus, atMs),
    rentalStatus: since(before.rentalStatus, rentalStatus, atMs),
    revision: before.revision + 1,
    modifiedMs: atMs,
  };
}

/** A status that is set to what it is already keeps its time. */
function since<T extends string>(
  before: { readonly value: T; readonly modifiedMs: number },
  value: T | undefined,
  atMs: number,
): { readonly value: T; readonly modifiedMs: number } {
  return value === undefined || value === before.value ? before : { value, modifiedMs: atMs };
}

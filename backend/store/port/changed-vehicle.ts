import type { FoundVehicle } from './stored-vehicle.ts';
import type { VehicleChange } from './vehicle-store.ts';

/** The vehicle after an owner's change at `atMs`. */
export function changedVehicle(before: FoundVehicle, change: VehicleChange, atMs: number): FoundVehicle {
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

/** A status that is set to its present value keeps its time. */
function since<T extends string>(
  before: { readonly value: T; readonly modifiedMs: number },
  value: T | undefined,
  atMs: number,
): { readonly value: T; readonly modifiedMs: number } {
  return value === undefined || value === before.value ? before : { value, modifiedMs: atMs };
}

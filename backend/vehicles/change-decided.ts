import { type Condition, entityTag, matches } from '../http/etag.ts';
import { problem, type Refusal } from '../http/problem.ts';
import { changedVehicle } from '../store/changed-vehicle.ts';
import type { VehicleChange } from '../store/onboarding.ts';
import type { OutgoingMessage } from '../store/outbox-store.ts';
import type { Vehicle, VehicleStore } from '../store/vehicle-store.ts';
import { vehicleLimits } from './limits.ts';
import { findOwn, notOwn, unknownVehicle } from './own.ts';

/** Whose vehicle it is, and in which version it must be. */
export interface ChangeOf {
  readonly fleetId: string;
  readonly vehicleId: string;
  readonly condition: Condition;
}

/** What is to become of a vehicle as it is now: a change, a reason against it, or nothing at all. */
export type Decide = (vehicle: Vehicle) => VehicleChange | Refusal | undefined;

/** The message that a change leads to, where it leads to one. */
export type Tell = (before: Vehicle, after: Vehicle, atMs: number) => OutgoingMessage | undefined;

/**
 * Changes an own vehicle by what `decide` makes of it. Where somebody else has changed it between reading and writing,
 * it is decided anew upon what is true then, so that no change is lost; with If-Match that is a 412. What `tell`
 * makes of it is written with it. Rejects where the store fails.
 */
export async function changeDecided(
  store: Pick<VehicleStore, 'find' | 'change'>,
  { fleetId, vehicleId, condition }: ChangeOf,
  decide: Decide,
  nowMs: () => number,
  tell: Tell = () => undefined,
): Promise<Vehicle | Refusal> {
  for (let attempt = 0; attempt < vehicleLimits.changeAttempts; attempt += 1) {
    const vehicle = await findOwn(store, fleetId, vehicleId);
    if (vehicle === undefined) return notOwn(store, fleetId, vehicleId);
    if (!matches(condition, entityTag(vehicle.revision))) return modified(vehicle);
    const decided = decide(vehicle);
    if (decided === undefined) return vehicle;
    if ('problem' in decided) return decided;
    const atMs = nowMs();
    const message = tell(vehicle, changedVehicle(vehicle, decided, atMs), atMs);
    const messages = message === undefined ? [] : [message];
    const after = await store.change(vehicleId, decided, vehicle.revision, atMs, messages);
    if (after === 'missing') return unknownVehicle(vehicleId);
    if (after === 'vin-taken') {
      return problem(
        'conflicting-resource',
        `Another vehicle of the fleet has the VIN ${String(decided.masterData?.['vin'] ?? '')}.`,
      );
    }
    if (after !== 'modified') return after;
  }
  return problem('conflicting-resource', 'The vehicle is being changed by others all the time. Try again.');
}

/** The 412 of a vehicle that has another version than If-Match names. */
export function modified(vehicle: Pick<Vehicle, 'revision'>): Refusal {
  return problem(
    'resource-modified',
    `If-Match does not name the vehicle's version, which is ${entityTag(vehicle.revision)}.`,
  );
}

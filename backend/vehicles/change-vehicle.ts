import { problem, type Refusal } from '../../contract/problems.ts';
import { type EtagCondition, entityTag, matches } from '../base/etag.ts';
import { vehicleLimits } from '../base/limits.ts';
import { changedVehicle } from '../store/port/changed-vehicle.ts';
import type { OutgoingMessage } from '../store/port/outbox-store.ts';
import type { FoundVehicle, Vehicle } from '../store/port/stored-vehicle.ts';
import type { VehicleChange, VehicleStore } from '../store/port/vehicle-store.ts';
import { findOwn, notOwnRefusal, unknownVehicle } from './find-vehicle.ts';

/** The owner, and the expected version. */
export interface ChangeTarget {
  readonly fleetId: string;
  readonly vehicleId: string;
  readonly condition: EtagCondition;
}

/** The decision for the current vehicle: a change, a refusal, or nothing. */
export type DecideChange = (vehicle: Vehicle) => VehicleChange | Refusal | undefined;

/** The message about a change, if there is one. */
export type MessageOfChange = (before: Vehicle, after: Vehicle, atMs: number) => OutgoingMessage | undefined;

/**
 * Changes a vehicle of the own fleet to the result of `decide`. If another request has changed it between reading and
 * writing, `decide` runs again on the new state, so that no change is lost; with If-Match that is a 412. The message of
 * `tell` is written with the change. Rejects if the store fails.
 */
export async function changeVehicle(
  store: Pick<VehicleStore, 'find' | 'change'>,
  { fleetId, vehicleId, condition }: ChangeTarget,
  decide: DecideChange,
  nowMs: () => number,
  messageOf: MessageOfChange = () => undefined,
): Promise<FoundVehicle | Refusal> {
  for (let attempt = 0; attempt < vehicleLimits.changeAttempts; attempt += 1) {
    const vehicle = await findOwn(store, fleetId, vehicleId);
    if (vehicle === undefined) return notOwnRefusal(store, fleetId, vehicleId);
    if (!matches(condition, vehicle.revision)) return modified(vehicle);
    const decided = decide(vehicle);
    if (decided === undefined) return vehicle;
    if ('problem' in decided) return decided;
    const atMs = nowMs();
    const message = messageOf(vehicle, changedVehicle(vehicle, decided, atMs), atMs);
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
  return problem('conflicting-resource', 'Other requests keep changing the vehicle. Try again.');
}

/** The 412 of a vehicle that has another version than If-Match names. */
export function modified(vehicle: Pick<Vehicle, 'revision'>): Refusal {
  return problem(
    'resource-modified',
    `If-Match does not name the vehicle's version, which is ${entityTag(vehicle.revision)}.`,
  );
}

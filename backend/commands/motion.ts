import type { StateProperty, VehicleState } from '../store/vehicle-store.ts';
import { commandLimits } from './limits.ts';

/** Properties that tell a speed in km/h, the better witness first. */
const SPEEDS = ['speed_in_kph', 'gnss_speed_over_ground_in_kph'] as const;

/**
 * Whether the latest state proves that the vehicle moves at `nowMs`: its newest speed is so high that it cannot have
 * come to rest since, and no ignition has been seen OFF. What proves nothing is left to the box, which judges for itself.
 */
export function isMoving(state: VehicleState, nowMs: number): boolean {
  let newest: StateProperty | undefined;
  for (const name of SPEEDS) {
    const property = state[name];
    if (property === undefined || typeof property.value !== 'number') continue;
    if (newest === undefined || property.timestampMs > newest.timestampMs) newest = property;
  }
  if (newest === undefined || typeof newest.value !== 'number') return false;
  const ignition: StateProperty | undefined = state['ignition'];
  if (ignition?.value === 'OFF' && ignition.timestampMs >= newest.timestampMs) return false;
  const ageS = Math.max(0, nowMs - newest.timestampMs) / 1_000;
  return newest.value - ageS * commandLimits.brakingKphPerS > commandLimits.standingKph;
}

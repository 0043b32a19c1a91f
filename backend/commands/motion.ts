import type { StateProperty, VehicleState } from '../store/store.ts';
import { commandLimits } from './limits.ts';

/** Properties that tell a speed in km/h, the better witness first. */
const SPEEDS = ['speed_in_kph', 'gnss_speed_over_ground_in_kph'] as const;

/**
 * Whether the latest state says that the vehicle moves at `nowMs`: its newest speed is fresh and above standing, and
 * no ignition has been seen OFF since. What is stale says nothing; the box judges for itself in any case.
 */
export function isMoving(state: VehicleState, nowMs: number): boolean {
  let newest: StateProperty | undefined;
  for (const name of SPEEDS) {
    const property = state[name];
    if (property === undefined || typeof property.value !== 'number') continue;
    if (newest === undefined || property.timestampMs > newest.timestampMs) newest = property;
  }
  if (newest === undefined || typeof newest.value !== 'number') return false;
  if (nowMs - newest.timestampMs > commandLimits.speedFreshMs) return false;
  const ignition: StateProperty | undefined = state['ignition'];
  if (ignition?.value === 'OFF' && ignition.timestampMs >= newest.timestampMs) return false;
  return newest.value > commandLimits.standingKph;
}

import { has, type VehicleModel } from '../../protocol/models/model.ts';
import type { Stream } from '../../world/random.ts';
import { plugOf } from './energy.ts';
import type { VehicleMemory } from './memory.ts';

/** What a driver shuts and unplugs before driving. */
export const SHUT = {
  doorOpen: false,
  topCaseOpen: false,
  compartmentLocked: true,
  pluggedIn: false,
} as const;

/** How a new vehicle stands or goes. */
export function parkedOrDriving(model: VehicleModel, driving: boolean): VehicleMemory['switches'] {
  return {
    ...SHUT,
    // Who parks a car with a plug puts it in.
    pluggedIn: !driving && plugOf(model) !== undefined,
    ignitionOn: driving,
    locked: !driving && has(model, 'locked'),
    drivingEnabled: driving,
    topCaseLocked: true,
    standExtended: !driving && has(model, 'standExtended'),
  };
}

/** What differs between two vehicles of one model. */
export function drawn(stream: Stream) {
  return {
    mileageKm: stream.whole(40_000, 900_000) / 10,
    filledShare: stream.whole(250, 950) / 1_000,
    limitShare: stream.whole(92, 100) / 100,
    backupPercent: stream.whole(70, 100),
  };
}

import { hasPart, type VehicleModel } from '../../../protocol/models/model.ts';
import type { Stream } from '../../../world/random/random.ts';
import { plugOf } from '../energy/energy.ts';
import type { VehicleMemory } from './memory.ts';

/** What a driver shuts and unplugs before driving. */
export const SHUT = {
  doorOpen: false,
  topCaseOpen: false,
  compartmentLocked: true,
  pluggedIn: false,
} as const;

/** The differences between two vehicles of one model. */
export function drawnBuild(stream: Stream) {
  return {
    mileageKm: stream.whole(40_000, 900_000) / 10,
    filledShare: stream.whole(250, 950) / 1_000,
    limitShare: stream.whole(92, 100) / 100,
    backupPercent: stream.whole(70, 100),
  };
}

/** The memory of a new vehicle: it drives, or is parked, locked and immobilised. */
export function firstMemory(
  model: VehicleModel,
  { mileageKm, filledShare, backupPercent }: ReturnType<typeof drawnBuild>,
  driving: boolean,
  traction: Stream,
): VehicleMemory {
  const { energyCapacity, hybrid } = model.body;
  return {
    version: 1,
    startMileageKm: mileageKm,
    wayM: 0,
    energy: energyCapacity * filledShare,
    ...(hybrid === undefined ? {} : { tractionKwh: (hybrid.capacityKwh * traction.whole(10, 90)) / 100 }),
    backupPercent,
    switches: parkedOrDriving(model, driving),
    wish: driving ? 'drive' : 'rest',
  };
}

function parkedOrDriving(model: VehicleModel, driving: boolean): VehicleMemory['switches'] {
  return {
    ...SHUT,
    // A parked car with a plug is plugged in.
    pluggedIn: !driving && plugOf(model) !== undefined,
    ignitionOn: driving,
    locked: !driving && hasPart(model, 'locked'),
    drivingEnabled: driving,
    topCaseLocked: true,
    standExtended: !driving && hasPart(model, 'standExtended'),
  };
}

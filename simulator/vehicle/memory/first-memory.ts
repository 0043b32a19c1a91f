import { hasPart, type VehicleModel } from '../../../protocol/models/model.ts';
import type { Stream } from '../../../world/random/random.ts';
import { clamp } from '../../arithmetic.ts';
import type { BoxPlan } from '../../box-plan.ts';
import type { Route } from '../../routes/route.ts';
import { plugOf } from '../energy/energy.ts';
import type { ChosenRoute, VehicleMemory } from './memory.ts';

/** The state of openings and plug before driving. */
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

/**
 * Where a vehicle begins, and with which memory: with its own, or with a new one that `made` makes. Where its plan is to
 * replay a recorded drive, it is at the beginning of that, open and ready, and a new vehicle has the recorded mileage.
 */
export function beginning(
  plan: Pick<BoxPlan, 'driving' | 'route' | 'startFraction'>,
  { name, lengthM, drive }: Route,
  {
    memory,
    chosen,
    made,
  }: {
    readonly memory: VehicleMemory | undefined;
    readonly chosen: ChosenRoute | undefined;
    readonly made: () => VehicleMemory;
  },
): { readonly first: VehicleMemory; readonly startM: number } {
  const first = memory ?? made();
  const onPlan = lengthM * clamp(plan.startFraction, 0, 1);
  if (drive === undefined) return { first, startM: chosen?.startM ?? onPlan };
  const isPlanned = plan.driving && plan.route === name;
  const startMileageKm =
    memory === undefined ? (drive.fromMileageKm ?? first.startMileageKm) : first.startMileageKm;
  const ready = { ...SHUT, ignitionOn: true, locked: false, drivingEnabled: true, standExtended: false };
  // The later driver sits in it.
  const waiting = { pluggedIn: false, locked: false, drivingEnabled: true };
  const isNew = memory === undefined && plan.route === name;
  const atRest = isNew ? { ...first.switches, ...waiting } : first.switches;
  const begun: VehicleMemory = isPlanned
    ? { ...first, startMileageKm, wish: 'drive', switches: { ...first.switches, ...ready } }
    : { ...first, startMileageKm, switches: atRest };
  // A vehicle that parked during a recorded drive is at that place; one that drives begins the drive again.
  const startM = begun.wish === 'rest' ? chosen?.startM : undefined;
  return { first: begun, startM: startM ?? 0 - begun.wayM };
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

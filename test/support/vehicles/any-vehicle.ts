import fc from 'fast-check';
import { MODELS } from '../../../protocol/models/models.ts';
import type { BoxPlan } from '../../../simulator/box-plan.ts';
import { planFleet } from '../../../simulator/fleet/fleet-plan.ts';
import { ROUTES } from '../../../simulator/routes/routes.ts';
import type { VehicleMemory } from '../../../simulator/vehicle/memory/memory.ts';
import { makeVehicle, type PersistentVehicle } from '../../../simulator/vehicle/vehicle.ts';
import { seededRandom } from '../../../world/random/seeded-random.ts';

/** Monday, 5 January 2026, 08:00 UTC. */
export const START_MS = Date.UTC(2026, 0, 5, 8);

/** A vehicle of that seed with these parts of its plan, new or as it is remembered. */
export function vehicleOf(
  seed: number,
  change: Partial<BoxPlan> = {},
  memory?: VehicleMemory,
  atMs = START_MS,
): PersistentVehicle {
  const random = seededRandom(seed);
  const [plan] = planFleet(random, 1);
  if (plan === undefined) throw new Error('no plan');
  return makeVehicle({ ...plan, ...change }, random, atMs, memory);
}

export const anyVehicle = fc
  .record({
    seed: fc.integer(),
    model: fc.constantFrom(...MODELS.keys()),
    route: fc.constantFrom(...ROUTES.keys()),
    startFraction: fc.double({ min: 0, max: 1, noNaN: true }),
    driving: fc.boolean(),
  })
  .map(({ seed, ...change }) => ({ seed, change }));

/** Something that happens to a vehicle, with a name that prints. */
export type VehicleStep = readonly [name: string, value: boolean | number];

export const anyVehicleStep: fc.Arbitrary<VehicleStep> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 90_000 }).map((ms): VehicleStep => ['wait', ms]) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 1, max: 200 * 3_600_000 }).map((ms): VehicleStep => ['sleep', ms]),
  },
  { weight: 3, arbitrary: fc.constant<VehicleStep>(['drive', true]) },
  fc.constant<VehicleStep>(['park', true]),
  fc.boolean().map((to): VehicleStep => ['door', to]),
  fc.boolean().map((to): VehicleStep => ['ignition', to]),
  fc.boolean().map((to): VehicleStep => ['locked', to]),
  fc.boolean().map((to): VehicleStep => ['drivingEnabled', to]),
  fc.boolean().map((to): VehicleStep => ['topCaseLocked', to]),
  fc.boolean().map((to): VehicleStep => ['compartmentLocked', to]),
  fc.boolean().map((to): VehicleStep => ['lid', to]),
  fc.boolean().map((to): VehicleStep => ['stand', to]),
  fc.constantFrom<VehicleStep>(
    ['lock jams', true],
    ['lock jams', false],
    ['case jams', true],
    ['case jams', false],
  ),
  fc.boolean().map((to): VehicleStep => ['coverage', to]),
  fc.integer({ min: -5, max: 99 }).map((csq): VehicleStep => ['csq', csq]),
  fc.constant<VehicleStep>(['brown-out', true]),
);

/** Lets it happen; the time afterwards. */
export function applyVehicleStep(
  vehicle: PersistentVehicle,
  [name, value]: VehicleStep,
  atMs: number,
): number {
  if (name === 'wait' || name === 'sleep') {
    const toMs = atMs + Number(value);
    vehicle.advance(toMs);
    return toMs;
  }
  const to = value === true;
  if (name === 'drive') vehicle.drive();
  else if (name === 'park') vehicle.park();
  else if (name === 'door') vehicle.openDoor(to);
  else if (name === 'ignition') vehicle.turnIgnition(to);
  else if (name === 'locked' || name === 'drivingEnabled') vehicle.actuate({ set: name, to });
  else if (name === 'topCaseLocked' || name === 'compartmentLocked') vehicle.actuate({ set: name, to });
  else if (name === 'lid') vehicle.openTopCase(to);
  else if (name === 'stand') vehicle.putOnStand(to);
  else if (name === 'lock jams') vehicle.setMechanics({ lock: to ? 'jammed' : 'works' });
  else if (name === 'case jams') vehicle.setMechanics({ top_case: to ? 'failing' : 'works' });
  else if (name === 'coverage') vehicle.setCoverage(to);
  else if (name === 'csq') vehicle.setSignalQuality(Number(value));
  else vehicle.brownOut();
  return atMs;
}

/** The truth with the types that it has. */
export function truthOf(vehicle: PersistentVehicle) {
  return vehicle.truth() as {
    atMs: number;
    latitude: number;
    longitude: number;
    altitudeM: number;
    headingDegrees: number;
    speedKph: number;
    engineRpm: number;
    coolantTemperatureC: number;
    energyPercent: number;
    mileageKm: number;
    rangeKm: number;
    onboardVolts: number;
    ignitionOn: boolean;
    anyDoorOpen: boolean;
    locked: boolean;
    drivingEnabled: boolean;
    topCaseOpen: boolean;
    topCaseLocked: boolean;
    standExtended: boolean;
    compartmentLocked: boolean;
    distanceM: number;
    supplyMillivolts: number;
    backupPercent: number;
    engine: string;
    driverWish: string;
    csq: number;
    hasCoverage: boolean;
  };
}

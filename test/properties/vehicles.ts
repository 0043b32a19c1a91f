import fc from 'fast-check';
import { MODELS } from '../../protocol/models/models.ts';
import type { BoxPlan } from '../../simulator/fleet.ts';
import { planFleet } from '../../simulator/plan.ts';
import { ROUTES } from '../../simulator/routes/routes.ts';
import type { VehicleMemory } from '../../simulator/vehicle/memory.ts';
import type { KeptVehicle } from '../../simulator/vehicle/vehicle.ts';
import { makeVehicle } from '../../simulator/vehicle/vehicle.ts';
import { seededRandom } from '../../world/seeded-random.ts';

/** Monday, 5 January 2026, 08:00 UTC. */
export const START_MS = Date.UTC(2026, 0, 5, 8);

/** A vehicle of that seed with these parts of its plan, new or as it is remembered. */
export function vehicleOf(
  seed: number,
  change: Partial<BoxPlan> = {},
  memory?: VehicleMemory,
  atMs = START_MS,
): KeptVehicle {
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
export type Step = readonly [name: string, value: boolean | number];

export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 90_000 }).map((ms): Step => ['wait', ms]) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 200 * 3_600_000 }).map((ms): Step => ['sleep', ms]) },
  { weight: 3, arbitrary: fc.constant<Step>(['drive', true]) },
  fc.constant<Step>(['park', true]),
  fc.boolean().map((to): Step => ['door', to]),
  fc.boolean().map((to): Step => ['ignition', to]),
  fc.boolean().map((to): Step => ['locked', to]),
  fc.boolean().map((to): Step => ['drivingEnabled', to]),
  fc.boolean().map((to): Step => ['topCaseLocked', to]),
  fc.boolean().map((to): Step => ['compartmentLocked', to]),
  fc.boolean().map((to): Step => ['lid', to]),
  fc.boolean().map((to): Step => ['stand', to]),
  fc.constantFrom<Step>(['lock jams', true], ['lock jams', false], ['case jams', true], ['case jams', false]),
  fc.boolean().map((to): Step => ['coverage', to]),
  fc.integer({ min: -5, max: 99 }).map((csq): Step => ['csq', csq]),
  fc.constant<Step>(['brown-out', true]),
);

/** Lets it happen; the time afterwards. */
export function happen(vehicle: KeptVehicle, [name, value]: Step, atMs: number): number {
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
export function truthOf(vehicle: KeptVehicle) {
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

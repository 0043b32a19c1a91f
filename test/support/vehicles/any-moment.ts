import fc from 'fast-check';
import { QUANTITIES, type Quantity } from '../../../protocol/models/quantities.ts';
import {
  CARD_STATES,
  DRIVING_AIDS,
  type DrivingAid,
  GEARS,
  SEATS,
  SENSOR_STATES,
  type Seat,
  VEHICLE_OPENINGS,
  type VehicleOpening,
} from '../../../simulator/vehicle/equipment/equipment.ts';
import { LEVEL_NAMES } from '../../../simulator/vehicle/equipment/levels.ts';
import type { VehicleOperation } from '../../../simulator/vehicle/equipment/vehicle-operations.ts';
import type { PersistentVehicle } from '../../../simulator/vehicle/vehicle.ts';
import { anyVehicleStep, applyVehicleStep, type VehicleStep } from './any-vehicle.ts';

const percent = fc.double({ min: 0, max: 100, noNaN: true });
const keys = <Name extends string>(table: Readonly<Record<Name, unknown>>) =>
  fc.constantFrom(...(Object.keys(table) as Name[]));
const kind = <Kind extends VehicleOperation['kind']>(name: Kind) => fc.constant(name);

/** Anything that people can do to a vehicle, possible or not. */
export const anyOperation: fc.Arbitrary<VehicleOperation> = fc.oneof(
  fc.record({ kind: kind('opening'), what: keys<VehicleOpening>(VEHICLE_OPENINGS), open: fc.boolean() }),
  fc.record({ kind: kind('charge'), connected: fc.boolean() }),
  fc.record({ kind: kind('refuel'), percent }),
  fc.record({
    kind: kind('belt'),
    seat: keys<Seat>(SEATS),
    fastened: fc.constantFrom(true, false, undefined),
  }),
  fc.record({ kind: kind('key'), present: fc.boolean() }),
  fc.record({
    kind: kind('card'),
    slot: fc.integer({ min: 1, max: 3 }),
    state: fc.constantFrom(...CARD_STATES),
  }),
  fc.record({ kind: kind('gear'), position: fc.constantFrom(...GEARS, undefined) }),
  fc.record({ kind: kind('aid'), what: keys<DrivingAid>(DRIVING_AIDS), enabled: fc.boolean() }),
  fc.record({ kind: kind('wear'), what: fc.constantFrom(...LEVEL_NAMES), percent }),
  fc.record({
    kind: kind('due'),
    what: fc.constantFrom('serviceKm', 'oilKm'),
    left: fc.integer({ min: -9_000, max: 30_000 }),
  }),
  fc.record({
    kind: kind('due'),
    what: fc.constantFrom('serviceDay', 'oilDay', 'brakeFluidDay'),
    left: fc.integer({ min: -900, max: 900 }),
  }),
  fc.record({ kind: kind('trouble-code'), code: fc.integer({ min: 1, max: 0xffff }), active: fc.boolean() }),
  fc.record({ kind: kind('workshop') }),
  fc.record({
    kind: kind('sensor'),
    quantity: keys<Quantity>(QUANTITIES),
    state: fc.constantFrom(...SENSOR_STATES),
  }),
  fc.record({
    kind: kind('battery'),
    port: fc.constantFrom(1, 2),
    percent: fc.option(percent, { nil: undefined }),
  }),
);

/** A moment of a random day: an incident, an action, or hours without either. */
export type Moment = { readonly step: VehicleStep } | { readonly deed: VehicleOperation };

export const anyMoment: fc.Arbitrary<Moment> = fc.oneof(
  { weight: 3, arbitrary: anyVehicleStep.map((step) => ({ step })) },
  { weight: 2, arbitrary: anyOperation.map((deed) => ({ deed })) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 60_000, max: 4 * 3_600_000 }).map((ms): Moment => ({ step: ['sleep', ms] })),
  },
);

/** Lets the moment pass; the time after it. */
export function applyMoment(vehicle: PersistentVehicle, moment: Moment, atMs: number): number {
  if ('step' in moment) return applyVehicleStep(vehicle, moment.step, atMs);
  vehicle.operate(moment.deed);
  return atMs;
}

import fc from 'fast-check';
import { QUANTITIES, type Quantity } from '../../protocol/models/quantities.ts';
import type { Deed } from '../../simulator/vehicle/deeds.ts';
import {
  AIDS,
  type Aid,
  CARD_STATES,
  GEARS,
  OPENINGS,
  type Opening,
  SEATS,
  SENSOR_STATES,
  type Seat,
} from '../../simulator/vehicle/equipment.ts';
import { LEVEL_NAMES } from '../../simulator/vehicle/levels.ts';
import type { KeptVehicle } from '../../simulator/vehicle/vehicle.ts';
import { anyStep, happen, type Step } from './vehicles.ts';

const percent = fc.double({ min: 0, max: 100, noNaN: true });
const keys = <Name extends string>(table: Readonly<Record<Name, unknown>>) =>
  fc.constantFrom(...(Object.keys(table) as Name[]));
const kind = <Kind extends Deed['kind']>(name: Kind) => fc.constant(name);

/** Anything that people can do to a vehicle, possible or not. */
export const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ kind: kind('opening'), what: keys<Opening>(OPENINGS), open: fc.boolean() }),
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
  fc.record({ kind: kind('aid'), what: keys<Aid>(AIDS), enabled: fc.boolean() }),
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

/** A moment of a random day: something happens, somebody does something, or hours go by. */
export type Moment = { readonly step: Step } | { readonly deed: Deed };

export const anyMoment: fc.Arbitrary<Moment> = fc.oneof(
  { weight: 3, arbitrary: anyStep.map((step) => ({ step })) },
  { weight: 2, arbitrary: anyDeed.map((deed) => ({ deed })) },
  {
    weight: 2,
    arbitrary: fc.integer({ min: 60_000, max: 4 * 3_600_000 }).map((ms): Moment => ({ step: ['sleep', ms] })),
  },
);

/** Lets the moment pass; the time after it. */
export function live(vehicle: KeptVehicle, moment: Moment, atMs: number): number {
  if ('step' in moment) return happen(vehicle, moment.step, atMs);
  vehicle.tend(moment.deed);
  return atMs;
}

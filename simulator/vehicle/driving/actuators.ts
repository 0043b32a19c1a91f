import { hasPart, type VehicleModel } from '../../../protocol/models/model.ts';
import type { Actuation } from '../sensing/vehicle-ports.ts';
import type { Switches } from './journey.ts';
import { type Mechanics, type MovablePart, mechanicsWith } from './mechanics.ts';

type Moving = Exclude<Actuation['set'], 'attention'>;

interface Output {
  readonly part: MovablePart;
  /** An obstacle, regardless of the part's condition. */
  readonly isBlocked: (switches: Switches, to: boolean, motion: VehicleMotion) => boolean;
}

/** A vehicle that moves off is under way already, though its speed is still 0. */
export interface VehicleMotion {
  readonly speedMps: number;
  readonly isUnderWay: boolean;
}

const OUTPUTS: Readonly<Record<Moving, Output>> = {
  /** A bolt cannot be thrown on an open door. */
  locked: { part: 'lock', isBlocked: ({ doorOpen }, to) => to && doorOpen },
  /** The relay is in the starter's circuit: it is never opened under way. */
  drivingEnabled: { part: 'immobilizer', isBlocked: (_switches, to, { speedMps }) => !to && speedMps > 0 },
  topCaseLocked: { part: 'top_case', isBlocked: ({ topCaseOpen }, to) => to && topCaseOpen },
  /** A spring latch below the seat: it is opened by a pulse and shut by hand, and a rider's weight holds it. */
  compartmentLocked: {
    part: 'battery_compartment',
    isBlocked: (_switches, to, { isUnderWay }) => to || isUnderWay,
  },
};

/** The condition of the parts that the vehicle has. */
export function partsOf(model: VehicleModel, mechanics: Mechanics): Readonly<Partial<Mechanics>> {
  const moving = Object.entries(OUTPUTS) as [Moving, Output][];
  const parts = moving.filter(([set]) => hasPart(model, set)).map(([, { part }]) => part);
  return Object.fromEntries(parts.map((part) => [part, mechanics[part]]));
}

/** The result of an output's attempt to move its part. */
export type PartMovement =
  | { readonly moved: false; readonly accepted: boolean }
  | { readonly moved: true; readonly mechanics: Mechanics };

/**
 * Whether a part moves: not if the vehicle has none, if there is an obstacle, or if it is jammed. A part that is
 * already in the wanted position is accepted without a movement.
 */
export function movePart(
  model: VehicleModel,
  mechanics: Mechanics,
  switches: Switches,
  motion: VehicleMotion,
  { set, to }: { readonly set: Moving; readonly to: boolean },
): PartMovement {
  const { part, isBlocked } = OUTPUTS[set];
  if (!hasPart(model, set) || isBlocked(switches, to, motion)) return { moved: false, accepted: false };
  if (switches[set] === to) return { moved: false, accepted: true };
  const condition = mechanics[part];
  if (condition === 'jammed') return { moved: false, accepted: false };
  const isWornOut = condition === 'failing';
  return { moved: true, mechanics: isWornOut ? mechanicsWith(mechanics, { [part]: 'jammed' }) : mechanics };
}

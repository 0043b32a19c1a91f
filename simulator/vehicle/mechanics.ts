import { has, type VehicleModel } from '../../protocol/models/model.ts';
import type { Switches } from './driver.ts';
import type { Actuation } from './senses.ts';

/** What a box's outputs move. */
export const PARTS = ['lock', 'immobilizer', 'top_case', 'battery_compartment'] as const;
export type Part = (typeof PARTS)[number];

/** `failing`: it moves once more, and is jammed then. */
export const CONDITIONS = ['works', 'failing', 'jammed'] as const;
export type Mechanism = (typeof CONDITIONS)[number];

export type Mechanics = Readonly<Record<Part, Mechanism>>;

export const ALL_WORK: Mechanics = {
  lock: 'works',
  immobilizer: 'works',
  top_case: 'works',
  battery_compartment: 'works',
};

/** The mechanics with some changes; the one value `ALL_WORK` where everything works. */
export function mechanicsWith(before: Mechanics, change: Readonly<Partial<Mechanics>>): Mechanics {
  const after = { ...before, ...change };
  return PARTS.every((part) => after[part] === 'works') ? ALL_WORK : after;
}

/** The mechanics that a memory holds, or undefined where it holds none. */
export function readMechanics(value: unknown): Mechanics | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found = value as Readonly<Record<string, unknown>>;
  let mechanics = ALL_WORK;
  for (const part of PARTS) {
    const condition = CONDITIONS.find((one) => one === found[part]);
    if (condition === undefined) return undefined;
    mechanics = mechanicsWith(mechanics, { [part]: condition });
  }
  return mechanics;
}

type Moving = Exclude<Actuation['set'], 'attention'>;

interface Output {
  readonly part: Part;
  /** What stands in the way, whatever the part's condition. */
  readonly isBlocked: (switches: Switches, to: boolean, motion: Motion) => boolean;
}

/** A vehicle that moves off is under way already, though its speed is still 0. */
export interface Motion {
  readonly speedMps: number;
  readonly isUnderWay: boolean;
}

const OUTPUTS: Readonly<Record<Moving, Output>> = {
  /** A bolt cannot be thrown on an open door. */
  locked: { part: 'lock', isBlocked: ({ doorOpen }, to) => to && doorOpen },
  /** The relay sits in the starter's circuit: nobody cuts it under way. */
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
  const parts = moving.filter(([set]) => has(model, set)).map(([, { part }]) => part);
  return Object.fromEntries(parts.map((part) => [part, mechanics[part]]));
}

/** What comes of an output's try to move its part. */
export type Movement =
  | { readonly moved: false; readonly accepted: boolean }
  | { readonly moved: true; readonly mechanics: Mechanics };

/**
 * Whether a part moves: not where the vehicle has none, where something stands in its way, or where it is jammed. What
 * stands already as it should is accepted without a movement.
 */
export function movement(
  model: VehicleModel,
  mechanics: Mechanics,
  switches: Switches,
  motion: Motion,
  { set, to }: { readonly set: Moving; readonly to: boolean },
): Movement {
  const { part, isBlocked } = OUTPUTS[set];
  if (!has(model, set) || isBlocked(switches, to, motion)) return { moved: false, accepted: false };
  if (switches[set] === to) return { moved: false, accepted: true };
  const condition = mechanics[part];
  if (condition === 'jammed') return { moved: false, accepted: false };
  const isWornOut = condition === 'failing';
  return { moved: true, mechanics: isWornOut ? mechanicsWith(mechanics, { [part]: 'jammed' }) : mechanics };
}

import type { VehicleModel } from '../../protocol/models/model.ts';
import type { Quantity } from '../../protocol/models/quantities.ts';
import { distanceM, type Place } from '../../simulator/arithmetic.ts';

/** The physical truth at one moment, by the names of vehicle/held.ts. */
export type Truth = Readonly<Record<string, unknown>>;

/** What of a vehicle decides how finely a value can be told. */
export interface Grain {
  readonly model: VehicleModel | undefined;
  /** Of a property that its maker's cloud tells: half of the step in which the maker writes it; absent: a box tells. */
  readonly makerStep?: number | undefined;
}

/** How one property follows from the physics. Written from the contract alone: nothing of the service is used. */
export interface TrueValue {
  /** Whose sensor says it; absent: the box measures it itself. */
  readonly quantity?: Quantity;
  /** What the property would be then; undefined: there is nothing to say. */
  readonly says: (truth: Truth, grain: Grain) => unknown;
  /** Whether a value can be what was so at one of these moments. None of them has nothing to say. */
  readonly fits: (value: unknown, truths: readonly Truth[], grain: Grain, timestampMs: number) => boolean;
}

/** What rounding to a last digit, and half a step of the raw signal, can be off; and what floating point can. */
const ROUNDING = 1e-6;

/** Half of the last of so many digits behind the point. */
function halfDigit(decimals: number): number {
  return 0.5 / Number(`1${'0'.repeat(decimals)}`);
}

/** A whole step of a quantity's raw signals in the vehicle's model, in its unit. */
export function stepOf({ model }: Grain, quantity: Quantity): number {
  const steps = (model?.rows ?? []).filter((row) => row.quantity === quantity).map(({ factor }) => factor);
  return Math.max(0, ...steps);
}

/** A sensor that works and has a value. */
export function sensed(truth: Truth, quantity: string): unknown {
  const { sensors } = truth;
  const isBroken = typeof sensors === 'object' && sensors !== null && quantity in sensors;
  const value = truth[quantity];
  return isBroken || value === 'unavailable' ? undefined : value;
}

/** Whether the sensor said at one of these moments that it had failed. */
export function hasFailed(truths: readonly Truth[], quantity: string): boolean {
  return truths.some(
    ({ sensors }) => (sensors as Readonly<Record<string, unknown>> | undefined)?.[quantity] === 'failed',
  );
}

/** A number that changes evenly between two moments: within what it was at the lowest and at the highest. */
export function isBetween(value: unknown, told: readonly unknown[], tolerance: number): boolean {
  const numbers = told.filter((one) => typeof one === 'number');
  if (typeof value !== 'number' || numbers.length === 0) return false;
  const most = tolerance + ROUNDING;
  return value >= Math.min(...numbers) - most && value <= Math.max(...numbers) + most;
}

/** A number as the sensor of a quantity tells it; `error`: of that sensor. */
export function measure(quantity: Quantity, decimals: number, error = 0): TrueValue {
  const says = (truth: Truth) => sensed(truth, quantity);
  return {
    quantity,
    says,
    fits: (value, truths, grain) => {
      const step = grain.makerStep ?? stepOf(grain, quantity) / 2;
      return isBetween(value, truths.map(says), step + halfDigit(decimals) + error);
    },
  };
}

/** A number that the box measures itself. `step`: half of the widest step on the wire. */
export function reading(
  says: (truth: Truth) => unknown,
  { step, decimals, error }: { readonly step: number; readonly decimals: number; readonly error: number },
): TrueValue {
  return {
    says,
    fits: (value, truths, { makerStep }) =>
      isBetween(value, truths.map(says), (makerStep ?? step) + halfDigit(decimals) + error),
  };
}

/** One of what it was at these moments. */
export function word(says: TrueValue['says'], quantity?: Quantity): TrueValue {
  return {
    ...(quantity === undefined ? {} : { quantity }),
    says,
    fits: (value, truths, grain) => truths.some((truth) => says(truth, grain) === value),
  };
}

/** One word for true and one for false. */
export function either(quantity: Quantity, yes: unknown, no: unknown): TrueValue {
  return word((truth) => {
    const value = sensed(truth, quantity);
    return typeof value === 'boolean' ? (value ? yes : no) : undefined;
  }, quantity);
}

/** An angle; a vehicle turns evenly between two moments that follow each other. */
export function angle(says: (truth: Truth) => unknown, tolerance: number): TrueValue {
  return {
    says,
    fits: (value, truths, { makerStep = 0 }) => {
      if (typeof value !== 'number') return false;
      const angles = truths.map(says).filter((one) => typeof one === 'number');
      const turned = angles.map((one, index) => apart(one, angles[index + 1] ?? one));
      return angles.some(
        (one, index) =>
          apart(value, one) <=
          tolerance + makerStep + Math.max(turned[index] ?? 0, turned[index - 1] ?? 0) + ROUNDING,
      );
    },
  };
}

function apart(one: number, other: number): number {
  const degrees = Math.abs(one - other) % 360;
  return degrees > 180 ? 360 - degrees : degrees;
}

/** A place on the way between two moments that follow each other. */
export function place(says: (truth: Truth) => Place | undefined, toleranceM: number): TrueValue {
  return {
    says,
    fits: (value, truths) => {
      const told = value as { readonly lat?: unknown; readonly lon?: unknown } | null;
      if (typeof told?.lat !== 'number' || typeof told.lon !== 'number') return false;
      const here = { latitude: told.lat, longitude: told.lon };
      const places = truths.map(says).filter((one) => one !== undefined);
      return places.some((one, index) => {
        const next = places[index + 1] ?? one;
        return distanceM(here, one) <= toleranceM + distanceM(one, next);
      });
    },
  };
}

/**
 * An object of parts: each as its own value says at one moment, or up to the next, and none is left out that has a word.
 * `isWhole`: it is told with all of its parts, or not at all.
 */
export function parts(table: Readonly<Record<string, TrueValue>>, isWhole = false): TrueValue {
  const names = Object.keys(table);
  const says = (truth: Truth, grain: Grain) => {
    const told = names.map((name) => [name, table[name]?.says(truth, grain)] as const);
    const known = told.filter(([, value]) => value !== undefined);
    return known.length === 0 || (isWhole && known.length < names.length)
      ? undefined
      : Object.fromEntries(known);
  };
  return {
    says,
    fits: (value, truths, grain, timestampMs) => {
      if (typeof value !== 'object' || value === null) return false;
      const told = value as Readonly<Record<string, unknown>>;
      if (Object.keys(told).some((name) => !names.includes(name))) return false;
      return truths.some((truth, index) => {
        // What changes evenly is between two moments that follow each other.
        const around = [truth, truths[index + 1] ?? truth];
        return names.every((name) => {
          const row = table[name];
          const one = told[name];
          const isTold = around.map((here) => row?.says(here, grain) !== undefined);
          if (one === undefined) return isTold.includes(false);
          return isTold.includes(true) && row?.fits(one, around, grain, timestampMs) === true;
        });
      });
    },
  };
}

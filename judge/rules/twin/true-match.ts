import type { VehicleModel } from '../../../protocol/models/model.ts';
import type { Quantity } from '../../../protocol/models/quantities.ts';
import { distanceM, type GeoPoint } from '../../../simulator/arithmetic.ts';

/** The physical truth at one moment, by the names of simulator/vehicle/memory/vehicle-state.ts. */
export type PhysicalTruth = Readonly<Record<string, unknown>>;

/** What determines the precision of a vehicle's values. */
export interface Precision {
  readonly model: VehicleModel | undefined;
  /**
   * For a property from the maker's cloud: half of the step in which the maker gives it. Absent: it comes
   * from a box.
   */
  readonly makerStep?: number | undefined;
}

/**
 * How one property follows from the physics. Written from the contract alone, without code of the service.
 */
export interface TrueProperty {
  /** The quantity whose sensor gives it; absent: the box measures it itself. */
  readonly quantity?: Quantity;
  /** The true value at a moment; undefined: there is none. */
  readonly says: (truth: PhysicalTruth, precision: Precision) => unknown;
  /** Whether a value was true at one of these moments. Each moment has a true value. */
  readonly fits: (
    value: unknown,
    truths: readonly PhysicalTruth[],
    precision: Precision,
    timestampMs: number,
  ) => boolean;
}

/** Tolerances: rounding to the last digit, half a step of the raw signal, and floating point. */
const ROUNDING = 1e-6;

/** Half of the last of this many decimals. */
function halfDigit(decimals: number): number {
  return 0.5 / Number(`1${'0'.repeat(decimals)}`);
}

/** The step of a quantity's raw signal in the vehicle's model, in the unit of the quantity. */
export function stepOf({ model }: Precision, quantity: Quantity): number {
  const steps = (model?.rows ?? []).filter((row) => row.quantity === quantity).map(({ factor }) => factor);
  return Math.max(0, ...steps);
}

/** The value of a sensor that works; undefined: it has failed or has none. */
export function sensed(truth: PhysicalTruth, quantity: string): unknown {
  const { sensors } = truth;
  const isBroken = typeof sensors === 'object' && sensors !== null && quantity in sensors;
  const value = truth[quantity];
  return isBroken || value === 'unavailable' ? undefined : value;
}

/** Whether the sensor reported a failure at one of these moments. */
export function hasFailed(truths: readonly PhysicalTruth[], quantity: string): boolean {
  return truths.some(
    ({ sensors }) => (sensors as Readonly<Record<string, unknown>> | undefined)?.[quantity] === 'failed',
  );
}

/** Whether a number that changes evenly is between the lowest and the highest of the true values. */
export function isBetween(value: unknown, told: readonly unknown[], tolerance: number): boolean {
  const numbers = told.filter((one) => typeof one === 'number');
  if (typeof value !== 'number' || numbers.length === 0) return false;
  const most = tolerance + ROUNDING;
  return value >= Math.min(...numbers) - most && value <= Math.max(...numbers) + most;
}

/** A number that the sensor of a quantity gives; `error`: of that sensor. */
export function measure(quantity: Quantity, decimals: number, error = 0): TrueProperty {
  const says = (truth: PhysicalTruth) => sensed(truth, quantity);
  return {
    quantity,
    says,
    fits: (value, truths, precision) => {
      const step = precision.makerStep ?? stepOf(precision, quantity) / 2;
      return isBetween(value, truths.map(says), step + halfDigit(decimals) + error);
    },
  };
}

/** A number that the box measures itself. `step`: half of the widest step on the wire. */
export function reading(
  says: (truth: PhysicalTruth) => unknown,
  { step, decimals, error }: { readonly step: number; readonly decimals: number; readonly error: number },
): TrueProperty {
  return {
    says,
    fits: (value, truths, { makerStep }) =>
      isBetween(value, truths.map(says), (makerStep ?? step) + halfDigit(decimals) + error),
  };
}

/** A value that must equal one of the true values. */
export function word(says: TrueProperty['says'], quantity?: Quantity): TrueProperty {
  return {
    ...(quantity === undefined ? {} : { quantity }),
    says,
    fits: (value, truths, precision) => truths.some((truth) => says(truth, precision) === value),
  };
}

/** A boolean quantity as one of two values. */
export function either(quantity: Quantity, yes: unknown, no: unknown): TrueProperty {
  return word((truth) => {
    const value = sensed(truth, quantity);
    return typeof value === 'boolean' ? (value ? yes : no) : undefined;
  }, quantity);
}

/** An angle; a vehicle turns evenly between two consecutive moments. */
export function angle(says: (truth: PhysicalTruth) => unknown, tolerance: number): TrueProperty {
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

/** A position on the way between two consecutive moments. */
export function place(
  says: (truth: PhysicalTruth) => GeoPoint | undefined,
  toleranceM: number,
): TrueProperty {
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
 * An object: each part must be true at one moment, or between it and the next, and no part with a true value
 * may be missing. `isWhole`: it has all of its parts or is absent.
 */
export function parts(table: Readonly<Record<string, TrueProperty>>, isWhole = false): TrueProperty {
  const names = Object.keys(table);
  const says = (truth: PhysicalTruth, precision: Precision) => {
    const told = names.map((name) => [name, table[name]?.says(truth, precision)] as const);
    const known = told.filter(([, value]) => value !== undefined);
    return known.length === 0 || (isWhole && known.length < names.length)
      ? undefined
      : Object.fromEntries(known);
  };
  return {
    says,
    fits: (value, truths, precision, timestampMs) => {
      if (typeof value !== 'object' || value === null) return false;
      const told = value as Readonly<Record<string, unknown>>;
      if (Object.keys(told).some((name) => !names.includes(name))) return false;
      return truths.some((truth, index) => {
        // Numbers that change evenly are compared with two consecutive moments.
        const around = [truth, truths[index + 1] ?? truth];
        return names.every((name) => {
          const row = table[name];
          const one = told[name];
          const isTold = around.map((here) => row?.says(here, precision) !== undefined);
          if (one === undefined) return isTold.includes(false);
          return isTold.includes(true) && row?.fits(one, around, precision, timestampMs) === true;
        });
      });
    },
  };
}

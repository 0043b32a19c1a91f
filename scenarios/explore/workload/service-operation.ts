import type { RandomSource } from '../../language/vary/draw.ts';
import type { DrawnPart } from '../../language/vary/step-action.ts';
import type { TimedStep } from './operation.ts';

/** The input of a service operation. */
export interface ServiceContext {
  readonly source: RandomSource;
  readonly atMs: number;
  /** Its vehicles, as steps name them. */
  readonly on: { readonly on: DrawnPart };
  /** Unique names of clients, tokens and subscriptions in the run. */
  readonly nameOf: (what: string) => string;
}

/** The result of an operation: vehicles of its own, so that nothing else in the run interferes. */
export interface DrawnService {
  /** A group of the fleet, without its name. */
  readonly group: DrawnPart;
  readonly clients?: readonly DrawnPart[];
  readonly steps: readonly TimedStep[];
}

/** One kind of work that tests a promise of the service. */
export interface ServiceOperationRow {
  readonly does: string;
  readonly draw: (context: ServiceContext) => DrawnService;
}

/** A parked vehicle, on an ideal network, with nothing configured. */
export const STANDING: DrawnPart = { count: 1, driving: false, features: 'none' };

/** A step of an operation, at this time after its beginning. */
export function stepAt({ atMs }: Pick<ServiceContext, 'atMs'>, afterMs: number, step: DrawnPart): TimedStep {
  return { atMs: atMs + Math.max(0, Math.round(afterMs)), step };
}

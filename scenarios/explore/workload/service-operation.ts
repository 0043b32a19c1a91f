import type { RandomSource } from '../../language/vary/draw.ts';
import type { DrawnPart } from '../../language/vary/step-action.ts';
import type { TimedStep } from './operation.ts';

/** What a service operation is drawn for. */
export interface ServiceContext {
  readonly source: RandomSource;
  readonly atMs: number;
  /** Its vehicles, as steps name them. */
  readonly on: { readonly on: DrawnPart };
  /** Names of clients, tokens and subscriptions that no other operation of the run has. */
  readonly nameOf: (what: string) => string;
}

/** What an operation brings with it: vehicles of its own, so that nothing else of the run keeps it from its aim. */
export interface DrawnService {
  /** A group of the fleet, without its name. */
  readonly group: DrawnPart;
  readonly clients?: readonly DrawnPart[];
  readonly steps: readonly TimedStep[];
}

/** One kind of work that is about a promise of the service. */
export interface ServiceOperationRow {
  readonly does: string;
  readonly draw: (context: ServiceContext) => DrawnService;
}

/** A vehicle that stands, on an ideal network, with nothing configured. */
export const STANDING: DrawnPart = { count: 1, driving: false, features: 'none' };

/** A step of an operation, so much after its beginning. */
export function stepAt({ atMs }: Pick<ServiceContext, 'atMs'>, afterMs: number, step: DrawnPart): TimedStep {
  return { atMs: atMs + Math.max(0, Math.round(afterMs)), step };
}

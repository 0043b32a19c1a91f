import type { Fact } from '../evidence/fact.ts';
import type { SimulatedVehicle } from '../evidence/simulated-vehicle.ts';

/** Weather that reorders messages. No network does that within one connection. */
const OVERTAKEN = /^weather (?:delay|reorder)$/;

/**
 * Whether weather may have held back a hello of the vehicle's box, or its second copy, so that it arrived after later
 * messages: the service treats the box as not ready, and as having lost its sequences, until the next record.
 */
export function wasHelloHeldBack({ number }: SimulatedVehicle, facts: readonly Fact[]): boolean {
  return facts.some(
    (fact) =>
      fact.kind === 'fault' &&
      (OVERTAKEN.test(fact.name) || (fact.name === 'weather double' && fact.detail.includes('"by"'))) &&
      fact.detail.includes('"hello"') &&
      fact.vehicles.includes(number),
  );
}

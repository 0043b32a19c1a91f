import type { Fact } from '../run/fact.ts';
import type { SimulatedVehicle } from '../testbed/port/simulated-vehicle.ts';

/** Weather in which what is sent later arrives earlier. Over one connection no network does that. */
const OVERTAKEN = /^weather (?:delay|reorder)$/;

/**
 * Whether weather may have held back a hello of the vehicle's box, so that it came behind what was sent after it: the service
 * takes the box for one that is not ready, and that has forgotten its sequences, until the next record.
 */
export function wasHelloHeldBack({ number }: SimulatedVehicle, facts: readonly Fact[]): boolean {
  return facts.some(
    (fact) =>
      fact.kind === 'fault' &&
      OVERTAKEN.test(fact.name) &&
      fact.detail.includes('"hello"') &&
      fact.vehicles.includes(number),
  );
}

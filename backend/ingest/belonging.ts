import type { Frame } from '../../protocol/message.ts';
import type { JournalPosition, Vehicle } from '../store/vehicle-store.ts';

/** What decides whether a record tells of the vehicle in which its box is now. */
export interface Belonging {
  readonly vehicle: Pick<Vehicle, 'setupStatus' | 'createdMs'>;
  readonly journal: Pick<JournalPosition, 'setUpAt'>;
}

/**
 * Whether a record of the present epoch tells of the vehicle. A box that changes fleets still has in its journal what
 * it saw in its last vehicle; none of that may reach the next owner. So nothing counts before the vehicle is set up,
 * nothing that stands in the journal before the box's word that it is, and nothing whose clock lies before the
 * onboarding. A clock of 0 (the box did not know the time) is judged by its place in the journal alone.
 */
export function tellsOfVehicle(
  { vehicle, journal }: Belonging,
  { sequence, clockMs }: Pick<Frame, 'sequence' | 'clockMs'>,
): boolean {
  return (
    vehicle.setupStatus === 'SUCCEEDED' &&
    sequence > (journal.setUpAt ?? 0) &&
    (clockMs === 0 || clockMs >= vehicle.createdMs)
  );
}

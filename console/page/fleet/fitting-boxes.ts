import { address } from '../state/address.ts';
import { vehicles } from '../state/fleet.ts';
import { makeVehicleFilter } from './vehicle-filter.ts';

/** The boxes that fit what is looked for in the list. */
export function fittingBoxes(): readonly string[] {
  const fits = makeVehicleFilter(address.value.params['find'] ?? '');
  return [...vehicles.values()].filter(fits).map(({ boxId }) => boxId);
}

import { address } from '../state/address.ts';
import { vehicles } from '../state/fleet.ts';
import { makeVehicleFilter } from './vehicle-filter.ts';

/** The boxes that match the filter of the list. */
export function matchingBoxes(): readonly string[] {
  const fits = makeVehicleFilter(address.value.params['find'] ?? '');
  return [...vehicles.values()].filter(fits).map(({ boxId }) => boxId);
}

/** Whether an action applies to one box, or to all that match the filter of the list. */
export function AllMatching({ isOn, change }: { readonly isOn: boolean; change(isOn: boolean): void }) {
  return (
    <label>
      <input type="checkbox" checked={isOn} onChange={(event) => change(event.currentTarget.checked)} /> Apply
      to all {matchingBoxes().length} listed
    </label>
  );
}

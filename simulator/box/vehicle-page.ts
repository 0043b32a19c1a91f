import { type FlashOperation, LazyPage } from '../../world/flash/flash.ts';
import { packMemory, type VehicleMemory } from '../vehicle/memory/memory.ts';

/** The page of a box's flash in which the host stores the vehicle; the firmware ignores it. */
export const vehiclePageKey = 'vehicle';

/** The write that stores the vehicle; its memory is collected when the page is written. */
export function vehiclePage(memory: () => VehicleMemory): FlashOperation {
  return new LazyPage(vehiclePageKey, () => packMemory(memory()));
}

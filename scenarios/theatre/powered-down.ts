import type { FleetBox } from '../../simulator/fleet.ts';
import { limits } from '../../simulator/limits.ts';

/**
 * Whether a box has powered down because its supply is low or cut, as it should. It is back with the supply and not
 * before, and what it holds stays in its flash: that is the vehicle's business, and nothing that the way could heal.
 */
export function isPoweredDown(box: Pick<FleetBox, 'belief' | 'truth'>): boolean {
  if (box.belief()['power'] !== 'asleep') return false;
  const { supplyMillivolts, ignitionOn } = box.truth();
  return Number(supplyMillivolts) < (ignitionOn === true ? limits.restoreMillivolts : limits.wakeMillivolts);
}

import type { FleetBox } from '../../../../simulator/box/fleet-box.ts';
import { limits } from '../../../../simulator/limits.ts';

/**
 * Whether a box is expected to be offline: its supply is low or cut, or its card is suspended and stays so
 * until it is activated. Asks the card itself, since the box only knows that no network accepts it.
 */
export function isExpectedOffline(box: Pick<FleetBox, 'snapshot' | 'truth' | 'sim'>): boolean {
  return box.sim() === 'suspended' || isPoweredDown(box);
}

/**
 * Whether a box has powered down because its supply is low or cut, as it should. It only returns with the
 * supply and keeps its records in flash, so waiting cannot heal this.
 */
export function isPoweredDown(box: Pick<FleetBox, 'snapshot' | 'truth'>): boolean {
  if (box.snapshot()['power'] !== 'asleep') return false;
  const { supplyMillivolts, ignitionOn } = box.truth();
  return Number(supplyMillivolts) < (ignitionOn === true ? limits.restoreMillivolts : limits.wakeMillivolts);
}

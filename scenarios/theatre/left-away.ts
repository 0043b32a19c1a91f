import type { FleetBox } from '../../simulator/fleet.ts';
import { isPoweredDown } from './powered-down.ts';

/**
 * Whether a box is away because somebody has left it so: its supply is low or cut, or its card is suspended, and stays
 * so until somebody activates it. By the card itself: a box knows no more than that no network takes it.
 */
export function isLeftAway(box: Pick<FleetBox, 'belief' | 'truth' | 'sim'>): boolean {
  return box.sim() === 'suspended' || isPoweredDown(box);
}

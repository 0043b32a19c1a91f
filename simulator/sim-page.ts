import type { FlashOperation } from '../world/flash.ts';
import type { SimState } from './firmware/state.ts';

/** There while the card is suspended: it is the card's, so that the firmware never sees it. */
export const suspendedKey = 'sim-suspended';

/** What is written when the card becomes that. Detached from a network, a card is as suspended as it was. */
export function suspensionPage(to: SimState): FlashOperation | undefined {
  if (to === 'suspended') return { put: suspendedKey, bytes: Uint8Array.of(1) };
  return to === 'active' ? { erase: suspendedKey } : undefined;
}

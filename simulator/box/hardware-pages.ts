import { type FlashOperation, LazyPage } from '../../world/flash/flash.ts';
import type { SimState } from '../firmware/core/box-hardware.ts';
import { packMemory, type VehicleMemory } from '../vehicle/memory/memory.ts';

/**
 * The page is present once the clock's counter has jumped. It belongs to the clock, so the firmware never
 * sees it.
 */
export const jumpKey = 'rtc-jump';

/** The write that stores the sum of the counter's jumps. */
export function jumpPage(jumpedMs: number): FlashOperation {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, jumpedMs);
  return { put: jumpKey, bytes };
}

/** The sum of the counter's jumps; 0 without a page. */
export function readJump(bytes: Uint8Array | undefined): number {
  if (bytes?.byteLength !== 8) return 0;
  const jumpedMs = new DataView(bytes.buffer, bytes.byteOffset).getFloat64(0);
  return Number.isFinite(jumpedMs) ? jumpedMs : 0;
}

/** The page is present while the SIM is suspended. It belongs to the SIM, so the firmware never sees it. */
export const suspendedKey = 'sim-suspended';

/**
 * The write that stores the SIM's state. Detaching it from a network does not change whether it is suspended.
 */
export function suspensionPage(to: SimState): FlashOperation | undefined {
  if (to === 'suspended') return { put: suspendedKey, bytes: Uint8Array.of(1) };
  return to === 'active' ? { erase: suspendedKey } : undefined;
}

/** The page of a box's flash in which the host stores the vehicle; the firmware ignores it. */
export const vehiclePageKey = 'vehicle';

/** The write that stores the vehicle; its memory is collected when the page is written. */
export function vehiclePage(memory: () => VehicleMemory): FlashOperation {
  return new LazyPage(vehiclePageKey, () => packMemory(memory()));
}

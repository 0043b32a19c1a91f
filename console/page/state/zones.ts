import { signal } from '@preact/signals';
import type { DeadZone, ZoneShape } from '../../stream/zones.ts';
import { ask } from './ask.ts';
import { lookWhileSeen } from './look-while-seen.ts';

const LOOK_MS = 1_000;

/** The dead zones that are there, and one that is being drawn. */
export const zones = signal<readonly DeadZone[]>([]);
export const drawnZone = signal<ZoneShape | undefined>(undefined);

let endLooking: (() => void) | undefined;

/** Looks at the zones now, and from time to time while there are some: vehicles come and go. */
export async function lookAtZones(): Promise<void> {
  endLooking?.();
  zones.value = await ask<readonly DeadZone[]>('/console/zones');
  if (zones.value.length > 0) endLooking = lookWhileSeen(LOOK_MS, lookAgain);
}

/** False once there are none. */
async function lookAgain(): Promise<boolean> {
  // The console is away for a moment: what was known stands.
  zones.value = await ask<readonly DeadZone[]>('/console/zones').catch(() => zones.value);
  return zones.value.length > 0;
}

/** Rejects with why it cannot be laid. */
export async function layZone(shape: ZoneShape): Promise<void> {
  await ask('/console/zones', shape);
  await lookAtZones();
}

export async function liftZone(id: string): Promise<void> {
  await ask(`/console/zones/${id}/lift`, {});
  await lookAtZones();
}

import { signal } from '@preact/signals';
import type { DeadZone, ZoneShape } from '../../stream/map.ts';
import { ask } from './ask.ts';
import { pollWhileVisible } from './poll-while-visible.ts';

const POLL_MS = 1_000;

/** The dead zones, and the one that the user draws. */
export const zones = signal<readonly DeadZone[]>([]);
export const drawnZone = signal<ZoneShape | undefined>(undefined);

let endPolling = (): void => {};

/**
 * Loads the zones now, and polls while there are some: vehicles enter and leave. Of two concurrent calls one continues
 * to poll.
 */
export async function loadZones(): Promise<void> {
  zones.value = await ask<readonly DeadZone[]>('/console/zones');
  endPolling();
  endPolling = zones.value.length > 0 ? pollWhileVisible(POLL_MS, reload) : () => {};
}

/** False: there are none left. */
async function reload(): Promise<boolean> {
  // While the console does not answer, the last answer remains.
  zones.value = await ask<readonly DeadZone[]>('/console/zones').catch(() => zones.value);
  return zones.value.length > 0;
}

/** Rejects with the reason of a refusal. */
export async function addZone(shape: ZoneShape): Promise<void> {
  await ask('/console/zones', shape);
  await loadZones();
}

export async function removeZone(id: string): Promise<void> {
  await ask(`/console/zones/${id}/remove`, {});
  await loadZones();
}

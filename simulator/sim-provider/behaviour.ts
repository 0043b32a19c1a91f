import { sleep, type Time } from '../../world/time/time.ts';
import type { SimProviderFault } from './fault.ts';
import { limits } from './limits.ts';

/** How a provider's interface behaves, whatever it is asked. */
export const SIM_PROVIDER_MODES = ['works', 'error', 'silent', 'slow', 'rate-limited'] as const;

export type SimProviderMode = (typeof SIM_PROVIDER_MODES)[number];

/** Waits as long as a provider in this mode does. Returns how it fails; undefined: it answers. */
export async function misbehave(mode: SimProviderMode, time: Time): Promise<SimProviderFault | undefined> {
  switch (mode) {
    case 'works':
      return undefined;
    case 'slow':
      await sleep(time, limits.slowMs);
      return undefined;
    case 'silent':
      await sleep(time, limits.silentMs);
      return 'unavailable';
    case 'error':
      return 'unavailable';
    case 'rate-limited':
      return 'rate-limited';
    default:
      return mode satisfies never;
  }
}

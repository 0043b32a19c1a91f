import { sleep, type Time } from '../../world/time.ts';
import type { Fault } from './fault.ts';
import { limits } from './limits.ts';

/** How a provider's interface behaves: what it does with its callers, whatever they ask. */
export const MODES = ['works', 'error', 'silent', 'slow', 'rate-limited'] as const;

export type Mode = (typeof MODES)[number];

/** Lets the time pass that a provider in this mode takes, and says how it fails; undefined: it answers. */
export async function misbehave(mode: Mode, time: Time): Promise<Fault | undefined> {
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

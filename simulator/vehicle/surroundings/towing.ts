import { limits } from '../limits.ts';

/** The parked vehicle is towed along its street. */
export interface TowOrder {
  readonly distanceM: number;
  /** Lifted at one end. On its own wheels it stays level. */
  readonly lifted: boolean;
}

export interface Tow extends TowOrder {
  readonly sinceMs: number;
}

/** How far it has been towed at that time. */
export function towedM({ distanceM, sinceMs }: Tow, atMs: number): number {
  return Math.min(distanceM, (Math.max(0, atMs - sinceMs) / 1_000) * limits.towingMps);
}

/** When it is let down; in whole milliseconds. */
export function towEndMs({ distanceM, sinceMs }: Tow): number {
  return sinceMs + Math.ceil((distanceM / limits.towingMps) * 1_000);
}

/** The tilt of the vehicle against level, in degrees. */
export function tiltDegrees(tow: Tow | undefined): number {
  return tow?.lifted === true ? limits.liftedDegrees : 0;
}

/** The motion under tow wakes a sleeping box each second. */
export function nextTowMs(tow: Tow | undefined, nowMs: number): number {
  if (tow === undefined) return Number.POSITIVE_INFINITY;
  const secondMs = tow.sinceMs + (Math.floor((nowMs - tow.sinceMs) / 1_000) + 1) * 1_000;
  return Math.min(secondMs, towEndMs(tow));
}

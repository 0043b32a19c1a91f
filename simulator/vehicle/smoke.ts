import { limits } from './limits.ts';

/** Somebody smokes in the vehicle: fine particles at this concentration for that long, then it is aired. */
export interface SmokeOrder {
  readonly concentrationUgPerM3: number;
  readonly durationMs: number;
}

export interface Smoke extends SmokeOrder {
  readonly sinceMs: number;
}

/** Fine particles in the cabin, in micrograms per cubic metre. */
export function smokeUgPerM3(smoke: Smoke | undefined, atMs: number): number {
  if (smoke === undefined || atMs >= smokeEndMs(smoke)) return limits.cleanAirUgPerM3;
  return Math.max(smoke.concentrationUgPerM3, limits.cleanAirUgPerM3);
}

export function smokeEndMs({ sinceMs, durationMs }: Smoke): number {
  return sinceMs + durationMs;
}

/** When the air clears; infinite: it is clear. */
export function nextSmokeMs(smoke: Smoke | undefined, nowMs: number): number {
  const endMs = smoke === undefined ? 0 : smokeEndMs(smoke);
  return endMs > nowMs ? endMs : Number.POSITIVE_INFINITY;
}

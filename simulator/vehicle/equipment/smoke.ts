import { limits } from '../limits.ts';

/** Smoke in the vehicle: fine particles at this concentration for this time, then the cabin is aired. */
export interface SmokeOrder {
  readonly concentrationUgPerM3: number;
  readonly durationMs: number;
}

export interface CabinSmoke extends SmokeOrder {
  readonly sinceMs: number;
}

/** Fine particles in the cabin, in micrograms per cubic metre. */
export function smokeUgPerM3(smoke: CabinSmoke | undefined, atMs: number): number {
  if (smoke === undefined || atMs >= smokeEndMs(smoke)) return limits.cleanAirUgPerM3;
  return Math.max(smoke.concentrationUgPerM3, limits.cleanAirUgPerM3);
}

export function smokeEndMs({ sinceMs, durationMs }: CabinSmoke): number {
  return sinceMs + durationMs;
}

/** When the air clears; infinite: it is clear. */
export function nextSmokeMs(smoke: CabinSmoke | undefined, nowMs: number): number {
  const endMs = smoke === undefined ? 0 : smokeEndMs(smoke);
  return endMs > nowMs ? endMs : Number.POSITIVE_INFINITY;
}

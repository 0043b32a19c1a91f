import { limits } from './limits.ts';

/** A part of a way, and how long it takes. */
export interface TimedWay {
  readonly wayM: number;
  readonly passedS: number;
}

/** The speed below which half of the way is driven. Undefined: there is no way. */
export function usualSpeedMps(ways: readonly TimedWay[]): number | undefined {
  const moving = ways
    .filter(({ wayM, passedS }) => wayM > 0 && passedS > 0)
    .map(({ wayM, passedS }) => ({ wayM, mps: wayM / passedS }))
    .sort((one, other) => one.mps - other.mps);
  let leftM = moving.reduce((sum, { wayM }) => sum + wayM, 0) / 2;
  for (const { wayM, mps } of moving) {
    leftM -= wayM;
    if (leftM <= 0) return mps;
  }
  return undefined;
}

/** Whether a vehicle can be driven at that speed for half of a way. */
export function isUsualSpeed(mps: number): boolean {
  return mps >= limits.leastUsualMps && mps <= limits.mostUsualMps;
}

import type { Random } from '../../../world/random/random.ts';
import type { GeoPoint } from '../../arithmetic.ts';
import type { RadioSetting } from '../../box-plan.ts';
import { type ReceiverNoise, receiverNoiseOf } from '../../gnss/receiver.ts';
import { type Coverage, coverageOf, csqOf, noiseSeedOf } from '../../radio/coverage.ts';
import { noiseAlong } from '../../radio/lattice-noise.ts';
import { limits } from '../../radio/limits.ts';
import { type Route, spotAt } from '../../routes/route.ts';

/** The antennas of one vehicle, and the coverage around them. It never changes. */
export interface Antennas {
  readonly radio: RadioSetting;
  readonly coverage: Coverage;
  /** How much better its antenna is than the usual one. */
  readonly antennaDb: number;
  /** The seed of its modem's measurement noise. */
  readonly measuring: number;
  readonly receiver: ReceiverNoise;
}

/** The middle of the range from which a vehicle's antenna is drawn, and half of its width, as +CSQ. */
const MIDDLE_CSQ = 20;
const HALF_CSQ = 8;

/**
 * The antennas of a vehicle whose streams begin with `who`; `drawnCsq`: 12 to 28, how good its antenna is.
 */
export function antennasOf(
  random: Random,
  who: string,
  drawnCsq: number,
  radio: RadioSetting | undefined,
): Antennas {
  return {
    radio: radio ?? 'ideal',
    coverage: coverageOf(random),
    antennaDb: ((drawnCsq - MIDDLE_CSQ) / HALF_CSQ) * limits.antennaMostDb,
    measuring: noiseSeedOf(random, `${who}/modem`),
    receiver: receiverNoiseOf(random, who),
  };
}

/** The level received by its antenna at this place, in dBm. */
export function arrivingDbm({ coverage, antennaDb }: Antennas, place: GeoPoint): number {
  return coverage.levelDbm(place) + antennaDb;
}

/**
 * Whether the vehicle has no network there. This is only simulated with the `road` setting, and only while
 * moving: a modem at rest has the time to repeat each block, which gains some 15 dB (3GPP TS 36.300, coverage
 * enhancement mode B).
 */
export function isOutOfReach({ radio }: Antennas, levelDbm: number, isAtRest: boolean): boolean {
  return radio === 'road' && !isAtRest && levelDbm < limits.leastDbm;
}

/** The true +CSQ at this level; wherever there is a network it is sufficient for it. */
export function csqThere(levelDbm: number): number {
  return csqOf(Math.max(levelDbm, limits.leastDbm));
}

/** +CSQ as the modem measures it at that time. */
export function measuredCsq({ measuring }: Antennas, levelDbm: number, atMs: number): number {
  const { measuringDb, measuringMostDb, measuringS } = limits;
  const noise = measuringDb * noiseAlong(measuring, atMs / 1_000 / measuringS);
  const off = Math.max(-measuringMostDb, Math.min(noise, measuringMostDb));
  return csqOf(Math.max(levelDbm, limits.leastDbm) + off);
}

/**
 * A function that returns whether the vehicle, this far along its way, is in reach of a site although it is
 * not now, or vice versa; undefined: that cannot happen. `givenCsq`: a signal set from outside.
 */
export function edgeOfReach(
  antennas: Antennas,
  { route, startM }: { readonly route: Route; readonly startM: number },
  givenCsq: number | undefined,
  nowM: number,
): ((wayM: number) => boolean) | undefined {
  if (antennas.radio === 'ideal' || givenCsq !== undefined) return undefined;
  const isOut = (wayM: number): boolean =>
    isOutOfReach(antennas, arrivingDbm(antennas, spotAt(route, startM + wayM)), false);
  const isOutNow = isOut(nowM);
  return (wayM) => isOut(wayM) !== isOutNow;
}

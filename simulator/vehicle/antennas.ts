import type { Random } from '../../world/random.ts';
import type { Place } from '../arithmetic.ts';
import { type ReceiverNoise, receiverNoiseOf } from '../gnss/receiver.ts';
import { type Coverage, coverageOf, csqOf, nameOf } from '../radio/coverage.ts';
import { noiseAlong } from '../radio/lattice.ts';
import { limits } from '../radio/limits.ts';
import type { RadioSetting } from '../radio/setting.ts';
import { type Route, spotAt } from '../routes/route.ts';

/** The antennas of one vehicle, and what is in the air around them. It never changes. */
export interface Antennas {
  readonly radio: RadioSetting;
  readonly coverage: Coverage;
  /** By how much its antenna is better than the usual one. */
  readonly antennaDb: number;
  /** Of the noise with which its modem measures. */
  readonly measuring: number;
  readonly receiver: ReceiverNoise;
}

/** The middle of the span from which a vehicle's antenna is drawn, and half of its width, as +CSQ. */
const MIDDLE_CSQ = 20;
const HALF_CSQ = 8;

/** Of a vehicle whose streams begin with `who`; `drawnCsq`: 12 to 28, how good its antenna is. */
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
    measuring: nameOf(random, `${who}/modem`),
    receiver: receiverNoiseOf(random, who),
  };
}

/** What reaches its antenna there, in dBm. */
export function arrivingDbm({ coverage, antennaDb }: Antennas, place: Place): number {
  return coverage.levelDbm(place) + antennaDb;
}

/**
 * Whether the vehicle has no network there. Only on a road, and only under way: a modem at rest has the time to send
 * each block again and again, which carries some 15 dB further (3GPP TS 36.300, coverage enhancement mode B).
 */
export function isOutOfReach({ radio }: Antennas, levelDbm: number, isAtRest: boolean): boolean {
  return radio === 'road' && !isAtRest && levelDbm < limits.leastDbm;
}

/** +CSQ as it really is there; where there is a network it is enough for that. */
export function csqThere(levelDbm: number): number {
  return csqOf(Math.max(levelDbm, limits.leastDbm));
}

/** +CSQ as the modem measures it then. */
export function measuredCsq({ measuring }: Antennas, levelDbm: number, atMs: number): number {
  const { measuringDb, measuringMostDb, measuringS } = limits;
  const noise = measuringDb * noiseAlong(measuring, atMs / 1_000 / measuringS);
  const off = Math.max(-measuringMostDb, Math.min(noise, measuringMostDb));
  return csqOf(Math.max(levelDbm, limits.leastDbm) + off);
}

/**
 * Whether a vehicle so far along its way is in reach of a site where it is not now, or the other way round; undefined:
 * that cannot be. `givenCsq`: a signal that somebody has set.
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

import type { ResetReason } from '../../protocol/message.ts';
import type { GnssFix } from '../../protocol/signals.ts';
import type { Random, Stream } from '../../world/random/random.ts';
import { clamp, cos, degrees, EARTH_RADIUS_M, radians, turnDegrees, wrapDegrees } from '../arithmetic.ts';
import { noiseSeedOf } from '../radio/coverage.ts';
import { hashed, noiseAlong, noiseOver } from '../radio/lattice-noise.ts';
import { mapPointOf } from '../radio/map-point.ts';
import type { RouteSpot } from '../routes/route.ts';
import { SENSOR_ERRORS } from '../sensor-errors.ts';
import { limits } from './limits.ts';
import type { Reception } from './reception.ts';

/** The noise seeds of one receiver. */
export interface ReceiverNoise {
  /** For the buildings along the streets and their multipath: the same for all receivers. */
  readonly houses: number;
  readonly echoes: number;
  /** The receiver's own. */
  readonly ranges: number;
  readonly doppler: number;
  readonly course: number;
}

/** The seeds of the receiver of `who`, from the streams `radio/houses` and `<who>/gnss`. */
export function receiverNoiseOf(random: Random, who: string): ReceiverNoise {
  const houses = noiseSeedOf(random, 'radio/houses');
  const own = noiseSeedOf(random, `${who}/gnss`);
  return {
    houses,
    echoes: hashed(houses, 1),
    ranges: hashed(own, 1),
    doppler: hashed(own, 2),
    course: hashed(own, 3),
  };
}

/** The true motion of the antenna. */
export interface AntennaMotion {
  readonly spot: RouteSpot;
  readonly speedMps: number;
  /** Distance travelled since the vehicle was made. */
  readonly wayM: number;
  readonly atMs: number;
  /** The ignition is off: a receiver that knows that it is stationary reports no speed. */
  readonly isAtRest: boolean;
}

/**
 * A receiver's report: the position with an error that drifts within minutes (ranges) and from building to
 * building (multipath), and speed and course from Doppler with separate errors. Without satellites it uses
 * dead reckoning with wheels and gyroscope from the last position. Every error is limited by its row of
 * SENSOR_ERRORS.
 */
export function gnssReadingOf(motion: AntennaMotion, reception: Reception, noise: ReceiverNoise): GnssFix {
  const { spot, speedMps } = motion;
  const { quality, satellites, hdop } = reception;
  // Called for each look at the vehicle, so no intermediate objects are built.
  const { latitude, longitude, altitudeM } = quality === 0 ? spot : placeOf(motion, reception, noise);
  const isMeasured = quality === 1 || quality === 2;
  const speedKph = isMeasured ? dopplerKph(motion, hdop, noise) : speedMps * 3.6;
  const headingDegrees = isMeasured ? courseDegrees(motion, hdop, noise) : spot.headingDegrees;
  return { quality, satellites, hdop, latitude, longitude, altitudeM, speedKph, headingDegrees };
}

function placeOf({ spot, atMs }: AntennaMotion, { quality, hdop }: Reception, noise: ReceiverNoise) {
  const atRanges = atMs / 1_000 / limits.rangeS;
  const rangeM = hdop * (quality === 2 ? limits.correctedRangeM : limits.rangeM);
  const ofRange = (axis: number) => rangeM * noiseAlong(noise.ranges ^ axis, atRanges);
  const at = mapPointOf(spot);
  const [east, north] = [at.eastM / limits.echoWayM, at.northM / limits.echoWayM];
  const ofEchoes = (axis: number) => limits.echoesM[spot.sky] * noiseOver(noise.echoes ^ axis, east, north);
  // Each axis has half of the variance of the horizontal error.
  const eastM = ofRange(1) * HALF + ofEchoes(1);
  const northM = ofRange(2) * HALF + ofEchoes(2);
  const off = Math.sqrt(eastM * eastM + northM * northM);
  // A little less than is allowed: the earth is round, and the last digits are rounded.
  const most = SENSOR_ERRORS.position.most * 0.99;
  const share = off > most ? most / off : 1;
  const upM = limits.upwards * (ofRange(3) + ofEchoes(3));
  const { most: highest } = SENSOR_ERRORS.altitude_in_meters;
  const longitude =
    spot.longitude + degrees((share * eastM) / (EARTH_RADIUS_M * cos(radians(spot.latitude))));
  return {
    latitude: clamp(spot.latitude + degrees((share * northM) / EARTH_RADIUS_M), -90, 90),
    longitude: Math.abs(longitude) > 180 ? turnDegrees(0, longitude) : longitude,
    altitudeM: spot.altitudeM + clamp(upM, -highest, highest),
  };
}

const HALF = Math.sqrt(0.5);

function dopplerKph({ speedMps, atMs, isAtRest }: AntennaMotion, hdop: number, noise: ReceiverNoise): number {
  if (isAtRest) return 0;
  const off = limits.dopplerMps * hdop * 3.6 * noiseAlong(noise.doppler, atMs / 1_000 / limits.dopplerS);
  const { most } = SENSOR_ERRORS.gnss_speed_over_ground_in_kph;
  return Math.max(0, speedMps * 3.6 + clamp(off, -most, most));
}

/**
 * The course of the Doppler speed. It is held at a standstill, as the noise depends on the distance
 * travelled.
 */
function courseDegrees({ spot, speedMps, wayM }: AntennaMotion, hdop: number, noise: ReceiverNoise): number {
  const across = limits.dopplerMps * hdop * noiseAlong(noise.course, wayM / limits.courseM);
  // A small angle is its own tangent.
  const aside = degrees(across / Math.max(speedMps, limits.heldMps));
  const { most } = SENSOR_ERRORS.heading_in_degrees;
  return wrapDegrees(spot.headingDegrees + clamp(aside, -most, most));
}

/**
 * A receiver's memory when its box starts. Cold: nothing. Warm: the approximate positions of the satellites.
 * Hot: their orbits, since its backup memory had power. Undefined: only the processor was reset, and the
 * receiver kept running.
 */
const KNOWS: Readonly<Record<ResetReason, keyof typeof limits.firstFixMs | undefined>> = {
  GENERAL: 'cold',
  POWER_DOWN_MODE: 'warm',
  BROWN_OUT: 'hot',
  UNKNOWN: 'hot',
  BACKUP: undefined,
  WATCHDOG: undefined,
  SOFTWARE: undefined,
  USER: undefined,
};

/** How long after such a start a receiver has its first fix, in milliseconds. */
export function firstFixAfterMs(reason: ResetReason, stream: Stream): number {
  const knows = KNOWS[reason];
  if (knows === undefined) return 0;
  const [shortest, longest] = limits.firstFixMs[knows];
  return stream.whole(shortest, longest);
}

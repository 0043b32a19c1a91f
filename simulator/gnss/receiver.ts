import type { GnssFix } from '../../protocol/signals.ts';
import type { Random } from '../../world/random.ts';
import { clamp, cos, degrees, EARTH_RADIUS_M, radians, turnDegrees, wrapDegrees } from '../arithmetic.ts';
import { nameOf } from '../radio/coverage.ts';
import { spotOf } from '../radio/land.ts';
import { hashed, noiseAlong, noiseOver } from '../radio/lattice.ts';
import type { Spot } from '../routes/route.ts';
import { SENSOR_ERRORS } from '../vehicle/sensor-errors.ts';
import { limits } from './limits.ts';
import type { Reception } from './reception.ts';

/** The noises of one receiver. */
export interface ReceiverNoise {
  /** Of the houses beside the streets, and of the echoes between them: the same for everybody. */
  readonly houses: number;
  readonly echoes: number;
  /** Its own. */
  readonly ranges: number;
  readonly doppler: number;
  readonly course: number;
}

/** Those of the receiver of `who`, of the streams `radio/houses` and `<who>/gnss`. */
export function receiverNoiseOf(random: Random, who: string): ReceiverNoise {
  const houses = nameOf(random, 'radio/houses');
  const own = nameOf(random, `${who}/gnss`);
  return {
    houses,
    echoes: hashed(houses, 1),
    ranges: hashed(own, 1),
    doppler: hashed(own, 2),
    course: hashed(own, 3),
  };
}

/** What the antenna really does. */
export interface Motion {
  readonly spot: Spot;
  readonly speedMps: number;
  /** Way travelled since the vehicle was made. */
  readonly wayM: number;
  readonly atMs: number;
  /** The ignition is off: a receiver that knows that it stands says no speed. */
  readonly isAtRest: boolean;
}

/**
 * What a receiver says of that: the place with an error that drifts within minutes (ranges) and from house to house
 * (echoes), speed and direction from Doppler with errors of their own. Without satellites it reckons on with wheels and
 * gyroscope, from the last place. Every error is cut off at its row of SENSOR_ERRORS.
 */
export function readingOf(motion: Motion, reception: Reception, noise: ReceiverNoise): GnssFix {
  const { spot, speedMps } = motion;
  const { quality, satellites, hdop } = reception;
  // Of each look at the vehicle one: no parts are put together.
  const { latitude, longitude, altitudeM } = quality === 0 ? spot : placeOf(motion, reception, noise);
  const isMeasured = quality === 1 || quality === 2;
  const speedKph = isMeasured ? dopplerKph(motion, hdop, noise) : speedMps * 3.6;
  const headingDegrees = isMeasured ? courseDegrees(motion, hdop, noise) : spot.headingDegrees;
  return { quality, satellites, hdop, latitude, longitude, altitudeM, speedKph, headingDegrees };
}

function placeOf({ spot, atMs }: Motion, { quality, hdop }: Reception, noise: ReceiverNoise) {
  const atRanges = atMs / 1_000 / limits.rangeS;
  const rangeM = hdop * (quality === 2 ? limits.correctedRangeM : limits.rangeM);
  const ofRange = (axis: number) => rangeM * noiseAlong(noise.ranges ^ axis, atRanges);
  const at = spotOf(spot);
  const [east, north] = [at.eastM / limits.echoWayM, at.northM / limits.echoWayM];
  const ofEchoes = (axis: number) => limits.echoesM[spot.sky] * noiseOver(noise.echoes ^ axis, east, north);
  // Of what is off in the plane each axis has its half.
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

function dopplerKph({ speedMps, atMs, isAtRest }: Motion, hdop: number, noise: ReceiverNoise): number {
  if (isAtRest) return 0;
  const off = limits.dopplerMps * hdop * 3.6 * noiseAlong(noise.doppler, atMs / 1_000 / limits.dopplerS);
  const { most } = SENSOR_ERRORS.gnss_speed_over_ground_in_kph;
  return Math.max(0, speedMps * 3.6 + clamp(off, -most, most));
}

/** The direction of the Doppler speed. Held at a standstill, as the noise runs along the way. */
function courseDegrees({ spot, speedMps, wayM }: Motion, hdop: number, noise: ReceiverNoise): number {
  const across = limits.dopplerMps * hdop * noiseAlong(noise.course, wayM / limits.courseM);
  // A small angle is its own tangent.
  const aside = degrees(across / Math.max(speedMps, limits.heldMps));
  const { most } = SENSOR_ERRORS.heading_in_degrees;
  return wrapDegrees(spot.headingDegrees + clamp(aside, -most, most));
}

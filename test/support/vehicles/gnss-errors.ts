import type { GnssFix } from '../../../protocol/signals.ts';
import { distanceM, turnDegrees } from '../../../simulator/arithmetic.ts';
import { SENSOR_ERRORS } from '../../../simulator/sensor-errors.ts';

/** How far readings are off, each beside its bound. */
export function gnssErrorsOf(fix: GnssFix, truth: { readonly [Name in keyof GnssFix]?: number }) {
  const { position, altitude_in_meters, heading_in_degrees, gnss_speed_over_ground_in_kph } = SENSOR_ERRORS;
  const { latitude = 0, longitude = 0, altitudeM = 0, headingDegrees = 0, speedKph = 0 } = truth;
  return [
    ['position', distanceM({ latitude, longitude }, fix), position.most],
    ['altitude', Math.abs(fix.altitudeM - altitudeM), altitude_in_meters.most],
    ['heading', Math.abs(turnDegrees(headingDegrees, fix.headingDegrees)), heading_in_degrees.most],
    ['speed', Math.abs(fix.speedKph - speedKph), gnss_speed_over_ground_in_kph.most],
  ] as const;
}

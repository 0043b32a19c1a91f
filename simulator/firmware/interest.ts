import { limits } from '../limits.ts';
import type { Interest } from '../vehicle/quiet.ts';
import type { BoxState } from './state.ts';

/**
 * What a look at the inputs must find for anything to come of it but the next look; undefined: the box does not look
 * by itself, or has something under way for which each look counts.
 */
export function interestOf({ ram, flash }: BoxState): Interest | undefined {
  const { sampler, detection } = ram;
  if (sampler.lookAt === undefined || sampler.seen?.ignitionOn !== true) return undefined;
  const isBusy =
    ram.power !== 'up' ||
    ram.source !== 'supply' ||
    ram.hang !== undefined ||
    ram.leaving !== undefined ||
    ram.setup !== undefined ||
    ram.calibration !== undefined;
  const { blow, crash, braking, cornering, parked, smoky } = detection;
  const isDetecting = [blow, crash, braking, cornering, parked, smoky].some((one) => one !== undefined);
  if (isBusy || isDetecting) return undefined;
  const { values } = flash.configuration;
  const never = Number.POSITIVE_INFINITY;
  const isTracking = values['tracking.enabled'] === 1;
  const isFelt = values['driving.enabled'] === 1;
  return {
    fromMs: sampler.lookAt,
    everyMs: limits.lookMs,
    mostMs: sampler.lookAt + limits.quietMs,
    dueMs: isTracking ? sampler.reportedAt + values['tracking.timeIntervalS'] * 1_000 : never,
    wayM: isTracking ? sampler.reportedDistanceM + values['tracking.distanceIntervalM'] : never,
    headingDegrees: sampler.reportedHeadingDegrees,
    turnDegrees: isTracking ? values['tracking.headingChangeDegrees'] : never,
    turnSpeedKph: limits.headingSpeedKph,
    feltMg: isFelt
      ? Math.min(
          values['driving.crashAccelerationMg'],
          values['driving.brakingAccelerationMg'],
          values['driving.corneringAccelerationMg'],
        )
      : never,
  };
}

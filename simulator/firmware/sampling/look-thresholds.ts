import { limits } from '../../limits.ts';
import type { LookThresholds } from '../../vehicle/sensing/next-significant-look.ts';
import type { BoxState } from '../core/state.ts';

/**
 * The changes of the inputs that make a look necessary. Undefined: the box does not sample periodically,
 * or has something in progress for which each look counts.
 */
export function lookThresholdsOf({ ram, flash }: BoxState): LookThresholds | undefined {
  const { sampler, detection } = ram;
  if (sampler.lookAt === undefined || sampler.seen?.ignitionOn !== true) return undefined;
  const isBusy =
    ram.power !== 'up' ||
    ram.powerSource !== 'supply' ||
    ram.hang !== undefined ||
    ram.goingOffline !== undefined ||
    ram.setup !== undefined ||
    ram.calibration !== undefined;
  const { impactEpisode, crash, braking, cornering, parked, smokeEpisode } = detection;
  const isDetecting = [impactEpisode, crash, braking, cornering, parked, smokeEpisode].some(
    (one) => one !== undefined,
  );
  if (isBusy || isDetecting) return undefined;
  const { values } = flash.configuration;
  const never = Number.POSITIVE_INFINITY;
  const isTracking = values['tracking.enabled'] === 1;
  const isFelt = values['driving.enabled'] === 1;
  return {
    fromMs: sampler.lookAt,
    everyMs: limits.lookMs,
    latestMs: sampler.lookAt + limits.longestSkipMs,
    dueMs: isTracking ? sampler.reportedAt + values['tracking.timeIntervalS'] * 1_000 : never,
    distanceM: isTracking ? sampler.reportedDistanceM + values['tracking.distanceIntervalM'] : never,
    headingDegrees: sampler.reportedHeadingDegrees,
    turnDegrees: isTracking ? values['tracking.headingChangeDegrees'] : never,
    turnSpeedKph: limits.headingSpeedKph,
    accelerationMg: isFelt
      ? Math.min(
          values['driving.crashAccelerationMg'],
          values['driving.brakingAccelerationMg'],
          values['driving.corneringAccelerationMg'],
        )
      : never,
  };
}

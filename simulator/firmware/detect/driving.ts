import { limits } from '../../limits.ts';
import type { AccelerationInterval } from '../../vehicle/sensing/accelerometer-buffer.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import { readSignals } from '../commands/workshop.ts';
import type { StepContext } from '../core/step-context.ts';
import { type Episode, extendedEpisode, isOver, lastedMs, quantizedMg } from './accelerometer.ts';
import { recordMeasuredEvent } from './measured-event.ts';

/**
 * Heavy braking and harsh cornering: at least as strong as configured. Tyres build up such forces slowly and
 * only up to a limit, so the sensor's slow path treats anything shorter or stronger as an impact. An episode
 * within a crash is reported only as a crash.
 */
export function detectDrivingEvents(
  context: StepContext,
  sensors: SensorInputs,
  interval: AccelerationInterval,
): void {
  const { values } = context.flash.configuration;
  const { detection } = context.ram;
  const along = quantizedMg(interval.longitudinalMg);
  const across = quantizedMg(interval.lateralMg);
  if (along !== 0 && Math.abs(along) <= limits.drivingMostMg) {
    const isHeavy = -along >= values['driving.brakingAccelerationMg'];
    const braking = nextEpisode(detection.braking, isHeavy, interval, along);
    if (braking !== detection.braking) endBraking(context, sensors, detection.braking, braking);
    context.ram.detection = { ...context.ram.detection, braking };
  }
  if (across !== 0 && Math.abs(across) <= limits.drivingMostMg) {
    const isHarsh = Math.abs(across) >= values['driving.corneringAccelerationMg'];
    const cornering = nextEpisode(detection.cornering, isHarsh, interval, across);
    if (cornering !== detection.cornering) endCornering(context, sensors, detection.cornering, cornering);
    context.ram.detection = { ...context.ram.detection, cornering };
  }
}

function nextEpisode(
  before: Episode | undefined,
  isStrong: boolean,
  interval: AccelerationInterval,
  mg: number,
): Episode | undefined {
  if (!isStrong) return undefined;
  // A bend in the other direction is a new episode.
  const sameWay = before !== undefined && Math.sign(before.peakMg) === Math.sign(mg);
  return extendedEpisode(sameWay ? before : undefined, interval, mg);
}

/** Records the episodes that are over by now. */
export function endDrivingEpisodes(context: StepContext, sensors: SensorInputs): void {
  const { braking, cornering } = context.ram.detection;
  if (braking !== undefined && isOver(braking, context.at)) {
    context.ram.detection = { ...context.ram.detection, braking: undefined };
    endBraking(context, sensors, braking, undefined);
  }
  if (cornering !== undefined && isOver(cornering, context.at)) {
    context.ram.detection = { ...context.ram.detection, cornering: undefined };
    endCornering(context, sensors, cornering, undefined);
  }
}

function endBraking(
  context: StepContext,
  sensors: SensorInputs,
  was: Episode | undefined,
  is: Episode | undefined,
): void {
  if (!isToBeReported(context, was, is)) return;
  recordMeasuredEvent(
    context,
    readSignals(context, sensors),
    { fromMs: was.fromMs, place: sensors.fix },
    {
      braking: {
        peakMg: Math.abs(was.peakMg),
        durationMs: lastedMs(was),
        speedBeforeKph: was.speedFromKph,
        speedAfterKph: was.speedToKph,
      },
    },
  );
}

function endCornering(
  context: StepContext,
  sensors: SensorInputs,
  was: Episode | undefined,
  is: Episode | undefined,
): void {
  if (!isToBeReported(context, was, is)) return;
  recordMeasuredEvent(
    context,
    readSignals(context, sensors),
    { fromMs: was.fromMs, place: sensors.fix },
    {
      cornering: {
        peakMg: Math.abs(was.peakMg),
        durationMs: lastedMs(was),
        speedKph: Math.max(was.speedFromKph, was.speedToKph),
        bend: was.peakMg > 0 ? 'right' : 'left',
      },
    },
  );
}

function isToBeReported(
  context: StepContext,
  was: Episode | undefined,
  is: Episode | undefined,
): was is Episode {
  if (was === undefined || is?.fromMs === was.fromMs) return false;
  if (lastedMs(was) < limits.drivingLeastMs) return false;
  const { crash, impactEpisode } = context.ram.detection;
  const reported = crash ?? (impactEpisode?.isReported === true ? impactEpisode : undefined);
  return reported === undefined || was.fromMs > reported.toMs || was.toMs < reported.fromMs;
}

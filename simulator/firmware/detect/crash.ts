import { wireLimits } from '../../../protocol/limits.ts';
import type { AccelerationInterval } from '../../vehicle/sensing/accelerometer-buffer.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import { readSignals } from '../commands/workshop.ts';
import type { StepContext } from '../core/step-context.ts';
import {
  type Episode,
  extendedEpisode,
  follows,
  impactSide,
  lastedMs,
  quantizedMg,
  strongest,
} from './accelerometer.ts';
import type { CrashRecording } from './detection-state.ts';
import { recordMeasuredEvent } from './measured-event.ts';

const NOTHING: CrashRecording['samples'] = Array.from(
  { length: wireLimits.crashSamples },
  () => [0, 0] as const,
);

/**
 * A crash is an acceleration along or across the vehicle of at least the configured strength that lasts at least as
 * long as configured. The following accelerations are gathered for the configured time and reported in the event.
 * Further blows meanwhile belong to the same crash.
 */
export function detectCrash(
  context: StepContext,
  sensors: SensorInputs,
  interval: AccelerationInterval,
): void {
  const { values } = context.flash.configuration;
  const { detection } = context.ram;
  const mg = strongest(interval);
  const isStrong = Math.abs(mg) >= values['driving.crashAccelerationMg'];
  const impactEpisode = isStrong ? extendedEpisode(detection.impactEpisode, interval, mg) : undefined;
  let { crash } = detection;
  if (crash === undefined) {
    if (
      impactEpisode !== undefined &&
      !impactEpisode.isReported &&
      lastedMs(impactEpisode) >= values['driving.crashDurationMs']
    )
      crash = startedCrash(context, sensors, interval, impactEpisode);
  } else if (impactEpisode !== undefined) crash = anotherImpact(crash, impactEpisode, interval);
  if (crash !== undefined) crash = { ...crash, samples: gathered(crash, interval) };
  const reported =
    impactEpisode !== undefined && crash !== undefined
      ? { ...impactEpisode, isReported: true }
      : impactEpisode;
  // A piece across may come between two along; it still ends the episode that it does not belong to.
  context.ram.detection = {
    ...detection,
    impactEpisode: reported ?? surviving(detection.impactEpisode, interval),
    crash,
  };
}

/** A weak piece that began before the blow was over does not end it. */
function surviving(impactEpisode: Episode | undefined, interval: AccelerationInterval): Episode | undefined {
  return impactEpisode !== undefined &&
    follows(impactEpisode, interval) &&
    interval.toMs <= impactEpisode.toMs
    ? impactEpisode
    : undefined;
}

function startedCrash(
  context: StepContext,
  sensors: SensorInputs,
  interval: AccelerationInterval,
  impactEpisode: Episode,
): CrashRecording {
  return {
    fromMs: impactEpisode.fromMs,
    toMs: impactEpisode.toMs,
    peakMg: Math.abs(impactEpisode.peakMg),
    direction: impactSide(interval),
    gatheringMs: context.flash.configuration.values['driving.crashGatheringS'] * 1_000,
    samples: NOTHING,
    place: sensors.fix,
  };
}

function anotherImpact(
  crash: CrashRecording,
  impactEpisode: Episode,
  interval: AccelerationInterval,
): CrashRecording {
  const peakMg = Math.abs(impactEpisode.peakMg);
  const isLonger = impactEpisode.fromMs <= crash.toMs;
  return {
    ...crash,
    toMs: isLonger ? Math.max(crash.toMs, impactEpisode.toMs) : crash.toMs,
    ...(peakMg > crash.peakMg ? { peakMg, direction: impactSide(interval) } : {}),
  };
}

function gathered(
  { fromMs, gatheringMs, samples }: CrashRecording,
  interval: AccelerationInterval,
): CrashRecording['samples'] {
  const partMs = gatheringMs / wireLimits.crashSamples;
  return samples.map((sample, index) => {
    const beginsMs = fromMs + index * partMs;
    if (interval.fromMs >= beginsMs + partMs || interval.toMs <= beginsMs) return sample;
    return [
      stronger(sample[0], quantizedMg(interval.longitudinalMg)),
      stronger(sample[1], quantizedMg(interval.lateralMg)),
    ];
  });
}

function stronger(one: number, other: number): number {
  return Math.abs(other) > Math.abs(one) ? other : one;
}

/** When the gathering is over; undefined: nothing is gathered. */
export function crashDueAt({ ram }: Pick<StepContext, 'ram'>): number | undefined {
  const { crash } = ram.detection;
  return crash === undefined ? undefined : Math.ceil(crash.fromMs + crash.gatheringMs);
}

/**
 * Reports the crash with the gathered values: its time is over, or the box cannot continue. Without `sensors` nothing
 * else can be read any more.
 */
export function reportCrash(context: StepContext, sensors?: SensorInputs): void {
  const { crash } = context.ram.detection;
  if (crash === undefined) return;
  context.ram.detection = { ...context.ram.detection, crash: undefined };
  const gatheredMs = Math.max(0, Math.min(Math.round(context.at - crash.fromMs), crash.gatheringMs));
  const parts = Math.ceil((gatheredMs / crash.gatheringMs) * wireLimits.crashSamples);
  const signals = sensors === undefined ? {} : readSignals(context, sensors);
  recordMeasuredEvent(context, signals, crash, {
    crash: {
      peakMg: crash.peakMg,
      durationMs: lastedMs(crash),
      direction: crash.direction,
      gatheredMs,
      samples: crash.samples.slice(0, parts),
    },
  });
}

import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import { readSignals } from '../commands/workshop.ts';
import type { StepContext } from '../core/step-context.ts';
import type { SmokeEpisode } from './detection-state.ts';
import { recordMeasuredEvent } from './measured-event.ts';

/**
 * Smoke is a concentration of particles of at least the configured height for at least the configured time. Reported
 * once, as soon as that time is over. The box may sleep meanwhile, since the sensor wakes it when the air changes.
 */
export function detectSmoke(context: StepContext, sensors: SensorInputs): void {
  const { values } = context.flash.configuration;
  const { detection } = context.ram;
  const thresholdUgPerM3 = values['smoke.concentrationUgPerM3'];
  if (values['smoke.enabled'] !== 1) {
    if (detection.smokeEpisode !== undefined)
      context.ram.detection = { ...detection, smokeEpisode: undefined };
    return;
  }
  const kept =
    detection.smokeEpisode?.thresholdUgPerM3 === thresholdUgPerM3 ? detection.smokeEpisode : undefined;
  // Smoke up to now may have lasted long enough, even if the air is clear at this moment.
  const before = kept && reportedIfDue(context, sensors, kept);
  const now = Math.round(sensors.smokeUgPerM3);
  const fresh = { since: context.at, peakUgPerM3: now, thresholdUgPerM3, isReported: false };
  const smoky =
    now < thresholdUgPerM3
      ? undefined
      : before === undefined
        ? fresh
        : { ...before, peakUgPerM3: Math.max(before.peakUgPerM3, now) };
  if (smoky !== detection.smokeEpisode)
    context.ram.detection = { ...context.ram.detection, smokeEpisode: smoky };
}

function reportedIfDue(
  context: StepContext,
  sensors: SensorInputs,
  smokeEpisode: SmokeEpisode,
): SmokeEpisode {
  if (context.at < (smokeDueAt(context, smokeEpisode) ?? Number.POSITIVE_INFINITY)) return smokeEpisode;
  recordMeasuredEvent(
    context,
    readSignals(context, sensors),
    { fromMs: smokeEpisode.since, place: sensors.fix },
    {
      smoke: { concentrationUgPerM3: smokeEpisode.peakUgPerM3, durationMs: context.at - smokeEpisode.since },
    },
  );
  return { ...smokeEpisode, isReported: true };
}

/** When it will have lasted long enough; undefined: there is none, or it is reported. */
export function smokeDueAt(
  { flash }: Pick<StepContext, 'flash'>,
  smokeEpisode: SmokeEpisode | undefined,
): number | undefined {
  if (smokeEpisode === undefined || smokeEpisode.isReported) return undefined;
  return smokeEpisode.since + flash.configuration.values['smoke.durationS'] * 1_000;
}

import type { Sensitivity } from '../../../protocol/measured.ts';
import { limits } from '../../limits.ts';
import type { AccelerationInterval } from '../../vehicle/sensing/accelerometer-buffer.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import { readSignals } from '../commands/workshop.ts';
import type { StepContext } from '../core/step-context.ts';
import { quantizedMg } from './accelerometer.ts';
import { damageDetection } from './calibration.ts';
import { crashDueAt, detectCrash, reportCrash } from './crash.ts';
import { detectDrivingEvents, endDrivingEpisodes } from './driving.ts';
import { recordMeasuredEvent } from './measured-event.ts';
import { detectShock } from './parked.ts';

/**
 * Processes the accelerometer's new values by the configuration in force. To be called before the other inputs are
 * read: the last sampled ignition state applies to these values. If the box was busy with its flash meanwhile, the
 * ignition may be on now: the values may show a crash of a vehicle that drove off.
 */
export function detectFromAccelerometer(context: StepContext, sensors: SensorInputs): void {
  const { values } = context.flash.configuration;
  const isDriving = values['driving.enabled'] === 1;
  const isParking = values['parking.enabled'] === 1;
  const damage = damageDetection(context.flash);
  if (!isDriving) stopDrivingDetection(context, sensors);
  const { detection } = context.ram;
  if (!isDriving && !isParking && damage === 'off') {
    if (detection.lastHandledNumber !== undefined)
      context.ram.detection = { ...detection, lastHandledNumber: undefined };
    return;
  }
  const { accelerations } = sensors;
  const latest = accelerations.at(-1)?.number ?? detection.lastHandledNumber ?? 0;
  const lastHandledNumber = detection.lastHandledNumber ?? latest;
  const wasOn = context.ram.sampler.seen?.ignitionOn ?? sensors.ignitionOn;
  const mayHaveDriven = isDriving && (wasOn || sensors.ignitionOn);
  if (latest > lastHandledNumber) {
    // They are numbered without a gap, so that the new ones are the last ones.
    for (const interval of accelerations.slice(
      Math.max(0, accelerations.length - (latest - lastHandledNumber)),
    )) {
      if (damage === 'on') detectDamage(context, sensors, interval);
      if (interval.structureMg > 0) continue;
      if (mayHaveDriven) {
        detectCrash(context, sensors, interval);
        detectDrivingEvents(context, sensors, interval);
      }
      if (isParking && !wasOn && !mayHaveDriven) detectShock(context, sensors, interval);
    }
  }
  if (latest !== context.ram.detection.lastHandledNumber)
    context.ram.detection = { ...context.ram.detection, lastHandledNumber: latest };
  if (!isDriving) return;
  endDrivingEpisodes(context, sensors);
  if (context.at >= (crashDueAt(context) ?? Number.POSITIVE_INFINITY)) reportCrash(context, sensors);
}

/** Driving events are switched off: an episode under way is not reported, unless it is a crash. */
function stopDrivingDetection(context: StepContext, sensors: SensorInputs): void {
  reportCrash(context, sensors);
  const { impactEpisode, braking, cornering } = context.ram.detection;
  if (impactEpisode === undefined && braking === undefined && cornering === undefined) return;
  context.ram.detection = {
    ...context.ram.detection,
    impactEpisode: undefined,
    braking: undefined,
    cornering: undefined,
  };
}

const SENSITIVITY = { 1: 'low', 2: 'medium', 3: 'high' } as const satisfies Record<number, Sensitivity>;

function detectDamage(
  context: StepContext,
  sensors: SensorInputs,
  { structureMg, side, fromMs }: AccelerationInterval,
): void {
  const level = levelOf(context.flash.configuration.values['damage.sensitivity']);
  const strengthMg = quantizedMg(structureMg);
  if (side === undefined || strengthMg < limits.damageMg[level]) return;
  recordMeasuredEvent(
    context,
    readSignals(context, sensors),
    { fromMs, place: sensors.fix },
    {
      damage: { strengthMg, sensitivity: SENSITIVITY[level], side },
    },
  );
}

function levelOf(sensitivity: number): 1 | 2 | 3 {
  if (sensitivity <= 1) return 1;
  return sensitivity >= 3 ? 3 : 2;
}

/** With the ignition off nothing else looks: an episode is over shortly after its last piece. */
export function episodesEndAt({ detection, sampler }: StepContext['ram']): number | undefined {
  const { braking, cornering } = detection;
  if ((braking === undefined && cornering === undefined) || sampler.lookAt !== undefined) return undefined;
  const lastMs = Math.max(braking?.toMs ?? 0, cornering?.toMs ?? 0);
  return Math.ceil(lastMs) + limits.accelerationGapMs + 1;
}

import { limits } from '../../limits.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import { calibratedKey, calibratedPage } from '../core/pages.ts';
import type { FlashPart } from '../core/state.ts';
import type { StepContext } from '../core/step-context.ts';
import { recordEvent } from '../sampling/sampler.ts';

/** Begins the calibration that a new configuration or a boot requires, and cancels one that is no longer wanted. */
export function operateCalibration(context: StepContext): void {
  const activation = context.flash.configuration.values['damage.activation'];
  if (activation === 0 || activation === context.flash.calibrated) context.ram.calibration = undefined;
  else if (context.ram.calibration?.activation !== activation) {
    context.ram.calibration = { activation, until: context.at + limits.calibrationMs };
  }
}

/** Ends it once its time is over. Without room in the journal for the event it is retried later. */
export function endCalibration(context: StepContext, sensors: SensorInputs): void {
  const { calibration } = context.ram;
  if (calibration === undefined || context.at < calibration.until) return;
  if (recordEvent(context, sensors, 'damage-calibrated') === undefined) {
    context.ram.calibration = { ...calibration, until: context.at + limits.calibrationMs };
    return;
  }
  context.ram.calibration = undefined;
  context.flash.calibrated = calibration.activation;
  context.writes.push({ put: calibratedKey, bytes: calibratedPage(calibration.activation) });
}

export const DAMAGE_DETECTION_STATES = ['off', 'calibrating', 'on'] as const;

/** The state of damage detection. */
export function damageDetection({
  configuration,
  calibrated,
}: Pick<FlashPart, 'configuration' | 'calibrated'>): (typeof DAMAGE_DETECTION_STATES)[number] {
  const activation = configuration.values['damage.activation'];
  if (activation === 0) return 'off';
  return activation === calibrated ? 'on' : 'calibrating';
}

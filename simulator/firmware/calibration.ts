import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';
import { calibratedKey, calibratedPage } from './pages.ts';
import { tell } from './sampler.ts';
import type { FlashPart } from './state.ts';
import type { Turn } from './turn.ts';

/**
 * Damage detection listens to the vehicle for a while before it can tell damage from its daily shaking. Each activation
 * is calibrated once; flash holds which one was, so that a reset in the middle begins it anew and one afterwards does
 * not.
 */
export interface Calibration {
  readonly activation: number;
  readonly until: number;
}

/** Begins what a new configuration or a boot asks for, and lets go of what is not wanted any more. */
export function tendCalibration(turn: Turn): void {
  const activation = turn.flash.configuration.values['damage.activation'];
  if (activation === 0 || activation === turn.flash.calibrated) turn.ram.calibration = undefined;
  else if (turn.ram.calibration?.activation !== activation) {
    turn.ram.calibration = { activation, until: turn.at + limits.calibrationMs };
  }
}

/** Ends it where its time is over. Without room in the journal for the event it is tried again later. */
export function endCalibration(turn: Turn, senses: Senses): void {
  const { calibration } = turn.ram;
  if (calibration === undefined || turn.at < calibration.until) return;
  if (tell(turn, senses, 'damage-calibrated') === undefined) {
    turn.ram.calibration = { ...calibration, until: turn.at + limits.calibrationMs };
    return;
  }
  turn.ram.calibration = undefined;
  turn.flash.calibrated = calibration.activation;
  turn.writes.push({ put: calibratedKey, bytes: calibratedPage(calibration.activation) });
}

/** How damage detection stands. */
export function damageDetection({
  configuration,
  calibrated,
}: Pick<FlashPart, 'configuration' | 'calibrated'>): 'off' | 'calibrating' | 'on' {
  const activation = configuration.values['damage.activation'];
  if (activation === 0) return 'off';
  return activation === calibrated ? 'on' : 'calibrating';
}

import type { Side } from '../../../protocol/measured.ts';
import type { GeoPoint } from '../../arithmetic.ts';
import type { Episode } from './accelerometer.ts';

/** The state of the detection features. It is lost with the RAM; a crash is reported before. */
export interface Detection {
  /** The number of the last acceleration that was handled; undefined: no feature reads them. */
  readonly lastHandledNumber: number | undefined;
  /** The acceleration that is strong enough for a crash. */
  readonly impactEpisode: Episode | undefined;
  readonly crash: CrashRecording | undefined;
  readonly braking: Episode | undefined;
  readonly cornering: Episode | undefined;
  readonly parked: ParkedState | undefined;
  readonly smokeEpisode: SmokeEpisode | undefined;
}

export const noDetection: Detection = {
  lastHandledNumber: undefined,
  impactEpisode: undefined,
  crash: undefined,
  braking: undefined,
  cornering: undefined,
  parked: undefined,
  smokeEpisode: undefined,
};

/** A detected crash, while the accelerations after it are gathered. */
export interface CrashRecording {
  readonly fromMs: number;
  readonly toMs: number;
  readonly peakMg: number;
  readonly direction: Side;
  readonly gatheringMs: number;
  /** In equal parts of the gathering: the strongest along and across. */
  readonly samples: readonly (readonly [longitudinalMg: number, lateralMg: number])[];
  /** Where it happened. */
  readonly place: GeoPoint | undefined;
}

/** The state in which a vehicle was left, to detect a tow. */
export interface ParkedState {
  /** Its parking position, once GNSS knows it; and the slope there. */
  readonly place: GeoPoint | undefined;
  readonly tiltDegrees: number;
  /** When it first and last differed from the look before; undefined: it is at rest. */
  readonly movingSince: number | undefined;
  readonly movedAt: number | undefined;
  readonly seenAt: GeoPoint | undefined;
  readonly seenTilt: number;
  /** When it began to lean. */
  readonly leansSince: number | undefined;
  readonly isReported: boolean;
}

/** Smoke above the threshold, since when and how much at most. */
export interface SmokeEpisode {
  readonly since: number;
  readonly peakUgPerM3: number;
  /** The threshold of the measurement: another one restarts it. */
  readonly thresholdUgPerM3: number;
  readonly isReported: boolean;
}

/**
 * Damage detection calibrates for a while before it can distinguish damage from normal vibration. Each activation is
 * calibrated once; flash holds the calibrated one, so that a reset during calibration restarts it and a later one does
 * not.
 */
export interface DamageCalibration {
  readonly activation: number;
  readonly until: number;
}

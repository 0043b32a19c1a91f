import type { Side } from '../../../protocol/measured.ts';
import type { GeoPoint } from '../../arithmetic.ts';
import type { Episode } from './accelerometer.ts';

/** What the features that detect something have under way. It is lost with the RAM; a crash is told before. */
export interface Detection {
  /** The number of the last acceleration that was handled; undefined: nobody listens. */
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

/** A crash that was noticed, while what comes after it is gathered. */
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

/** How a vehicle was left, to tell whether somebody takes it away. */
export interface ParkedState {
  /** Where it was put, once GNSS knows; and the slope there. */
  readonly place: GeoPoint | undefined;
  readonly tiltDegrees: number;
  /** When it was first and last seen otherwise than at the look before; undefined: it stands still. */
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
  /** Against which it was measured: another one begins anew. */
  readonly thresholdUgPerM3: number;
  readonly isReported: boolean;
}

/**
 * Damage detection listens to the vehicle for a while before it can tell damage from its daily shaking. Each activation
 * is calibrated once; flash holds which one was, so that a reset in the middle begins it anew and one afterwards does
 * not.
 */
export interface DamageCalibration {
  readonly activation: number;
  readonly until: number;
}

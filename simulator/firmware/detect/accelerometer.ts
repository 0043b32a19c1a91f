import type { Side } from '../../../protocol/measured.ts';
import { limits } from '../../limits.ts';
import type { AccelerationInterval } from '../../vehicle/sensing/accelerometer-buffer.ts';

/** A period with an acceleration at or above a threshold, joined from consecutive intervals. */
export interface Episode {
  readonly fromMs: number;
  readonly toMs: number;
  /** The strongest value, in whole thousandths of gravity; signed like the axis. */
  readonly peakMg: number;
  readonly speedFromKph: number;
  readonly speedToKph: number;
  /** Its event has been recorded. */
  readonly isReported: boolean;
}

/** The episode extended by one more interval; a new one if the interval does not follow immediately. */
export function extendedEpisode(
  before: Episode | undefined,
  interval: AccelerationInterval,
  mg: number,
): Episode {
  const { fromMs, toMs, speedFromKph, speedToKph } = interval;
  if (before === undefined || !follows(before, interval)) {
    return { fromMs, toMs, peakMg: mg, speedFromKph, speedToKph, isReported: false };
  }
  const peakMg = Math.abs(mg) > Math.abs(before.peakMg) ? mg : before.peakMg;
  return { ...before, toMs: Math.max(before.toMs, toMs), peakMg, speedToKph };
}

export function follows(
  before: Pick<Episode, 'toMs'>,
  { fromMs }: Pick<AccelerationInterval, 'fromMs'>,
): boolean {
  return fromMs <= before.toMs + limits.accelerationGapMs;
}

/** Whether an episode was over before `at`, so that nothing can extend it any more. */
export function isOver(episode: Episode, at: number): boolean {
  return episode.toMs + limits.accelerationGapMs < at;
}

export function lastedMs({ fromMs, toMs }: Pick<Episode, 'fromMs' | 'toMs'>): number {
  return Math.round(toMs - fromMs);
}

/** The sensor's output: whole thousandths of gravity, within its range. */
export function quantizedMg(mg: number): number {
  return Math.round(Math.max(-limits.accelerometerMg, Math.min(mg, limits.accelerometerMg)));
}

/** The stronger of both axes, signed. */
export function strongest({
  longitudinalMg,
  lateralMg,
}: Pick<AccelerationInterval, 'longitudinalMg' | 'lateralMg'>): number {
  return quantizedMg(Math.abs(lateralMg) > Math.abs(longitudinalMg) ? lateralMg : longitudinalMg);
}

/** The side of the vehicle that was hit, from the direction in which it was pushed. */
export function impactSide({
  longitudinalMg,
  lateralMg,
}: Pick<AccelerationInterval, 'longitudinalMg' | 'lateralMg'>): Side {
  if (Math.abs(lateralMg) > Math.abs(longitudinalMg)) return lateralMg > 0 ? 'left' : 'right';
  return longitudinalMg < 0 ? 'front' : 'rear';
}

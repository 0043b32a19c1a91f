import type { Side } from '../../protocol/measured.ts';
import { limits } from '../limits.ts';
import type { Shake } from '../vehicle/shake.ts';

/** An acceleration at or above a threshold for as long as it lasted, put together from the pieces that were felt. */
export interface Episode {
  readonly fromMs: number;
  readonly toMs: number;
  /** The strongest, whole thousandths of gravity; signed as the axis is. */
  readonly peakMg: number;
  readonly speedFromKph: number;
  readonly speedToKph: number;
  /** Nothing more is told of it. */
  readonly isTold: boolean;
}

/** The episode with one more piece; the piece alone where it does not follow on it at once. */
export function prolonged(before: Episode | undefined, shake: Shake, mg: number): Episode {
  const { fromMs, toMs, speedFromKph, speedToKph } = shake;
  if (before === undefined || !follows(before, shake)) {
    return { fromMs, toMs, peakMg: mg, speedFromKph, speedToKph, isTold: false };
  }
  const peakMg = Math.abs(mg) > Math.abs(before.peakMg) ? mg : before.peakMg;
  return { ...before, toMs: Math.max(before.toMs, toMs), peakMg, speedToKph };
}

export function follows(before: Pick<Episode, 'toMs'>, { fromMs }: Pick<Shake, 'fromMs'>): boolean {
  return fromMs <= before.toMs + limits.shakeGapMs;
}

/** Whether an episode was over before `at`: nothing can be added to it any more. */
export function isOver(episode: Episode, at: number): boolean {
  return episode.toMs + limits.shakeGapMs < at;
}

export function lastedMs({ fromMs, toMs }: Pick<Episode, 'fromMs' | 'toMs'>): number {
  return Math.round(toMs - fromMs);
}

/** What the sensor gives out: whole thousandths of gravity, within its range. */
export function reading(mg: number): number {
  return Math.round(Math.max(-limits.accelerometerMg, Math.min(mg, limits.accelerometerMg)));
}

/** The stronger of both axes, signed. */
export function strongest({
  longitudinalMg,
  lateralMg,
}: Pick<Shake, 'longitudinalMg' | 'lateralMg'>): number {
  return reading(Math.abs(lateralMg) > Math.abs(longitudinalMg) ? lateralMg : longitudinalMg);
}

/** From where the vehicle was struck, by how it was pushed. */
export function struckFrom({ longitudinalMg, lateralMg }: Pick<Shake, 'longitudinalMg' | 'lateralMg'>): Side {
  if (Math.abs(lateralMg) > Math.abs(longitudinalMg)) return lateralMg > 0 ? 'left' : 'right';
  return longitudinalMg < 0 ? 'front' : 'rear';
}

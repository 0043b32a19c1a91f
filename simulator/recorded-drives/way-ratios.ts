import { distanceM, type GeoPoint } from '../arithmetic.ts';
import type { TimedSample } from './clock.ts';
import { limits } from './limits.ts';

/** How readings compare with the way. */
export interface WayRatios {
  /** The way as a share of its recorded length, for about ten equal stretches; empty: there are too few readings. */
  readonly ratios: readonly number[];
  /** The readings are close enough together for any factor; otherwise only for one of `limits.certainFactor` or more. */
  readonly isFine: boolean;
  /** The points are so far apart that straight lines between them cut bends. */
  readonly isSparse: boolean;
}

/** A piece of the way, and how long the readings make it. */
interface Piece {
  readonly wayM: number;
  readonly recordedM: number;
}

/** The way as a share of its length by the speeds. */
export function speedRatios(timed: readonly TimedSample[]): WayRatios {
  const usualS = usualStepS(timed);
  const pieces = speedPieces(timed, usualS);
  const ratios = ratiosOf(pieces, Math.max(limits.comparedWayM, lengthOf(pieces) / limits.comparedSteps));
  const isFine = ratios.length >= limits.comparedStretches;
  return { ratios: isFine ? ratios : [], isFine, isSparse: usualS > limits.closeS };
}

/** The way as a share of its length by the odometer. */
export function odometerRatios(timed: readonly TimedSample[]): WayRatios {
  const pieces = odometerPieces(timed);
  const wholeM = lengthOf(pieces);
  const spacingM = wholeM / Math.max(timed.length, 1);
  // A step is noticed at the next point only: long stretches make that error small.
  const leastM = Math.max(
    limits.comparedWayM,
    wholeM / limits.comparedSteps,
    limits.comparedSteps * spacingM,
  );
  const ratios = pieces.length < limits.certainSteps ? [] : ratiosOf(pieces, Math.min(leastM, wholeM));
  const isFine = pieces.length >= limits.comparedSteps && wholeM >= limits.comparedDriveM;
  return { ratios, isFine, isSparse: usualStepS(timed) > limits.closeS };
}

function ratiosOf(pieces: readonly Piece[], leastM: number): readonly number[] {
  const ratios: number[] = [];
  let stretch: Piece = { wayM: 0, recordedM: 0 };
  for (const { wayM, recordedM } of pieces) {
    stretch = { wayM: stretch.wayM + wayM, recordedM: stretch.recordedM + recordedM };
    if (stretch.wayM < leastM || stretch.wayM === 0) continue;
    ratios.push(stretch.recordedM > 0 ? stretch.wayM / stretch.recordedM : Number.POSITIVE_INFINITY);
    stretch = { wayM: 0, recordedM: 0 };
  }
  return ratios;
}

function lengthOf(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, { wayM }) => sum + wayM, 0);
}

function usualStepS(timed: readonly TimedSample[]): number {
  const steps = timed.slice(1).map(({ atS }, index) => atS - (timed[index]?.atS ?? atS));
  return steps.sort((one, other) => one - other)[steps.length >> 1] ?? 0;
}

/** Straight pieces that are longer than a receiver's errors, and short enough for bends. Gaps are none. */
function speedPieces(timed: readonly TimedSample[], usualS: number): readonly Piece[] {
  const pieces: Piece[] = [];
  const [gapS, longestS] = [Math.max(limits.gapS, 3 * usualS), Math.max(limits.comparedS, 5 * usualS)];
  let from: TimedSample | undefined;
  let before: TimedSample | undefined;
  let recordedM = 0;
  for (const sample of timed) {
    if (sample.speedMps === undefined || placeOf(sample) === undefined) continue;
    const isGap = before !== undefined && sample.atS - before.atS > gapS;
    if (from === undefined || before === undefined || isGap || sample.atS - from.atS > longestS) {
      [from, before, recordedM] = [sample, sample, 0];
      continue;
    }
    recordedM += (((before.speedMps ?? 0) + sample.speedMps) / 2) * (sample.atS - before.atS);
    before = sample;
    const wayM = wayBetween(from, sample);
    if (wayM < limits.driftM) continue;
    // A point where no vehicle can be is no way.
    if (wayM / (sample.atS - from.atS) <= limits.fastestMps) pieces.push({ wayM, recordedM });
    [from, recordedM] = [sample, 0];
  }
  return pieces;
}

/**
 * The pieces between two steps of the odometer. The way before its first step is unknown to it, and so is that before the first one
 * after a fall: a single wrong reading, or an odometer that was reset.
 */
function odometerPieces(timed: readonly TimedSample[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let wayM = 0;
  let from: TimedSample | undefined;
  let lastKm: number | undefined;
  let step: { readonly km: number; readonly wayM: number } | undefined;
  for (const sample of timed) {
    const { mileageKm } = sample;
    if (mileageKm === undefined || placeOf(sample) === undefined) continue;
    from ??= sample;
    const openM = wayBetween(from, sample);
    // Below that a receiver's errors add up.
    if (openM >= limits.driftM) [wayM, from] = [wayM + openM, sample];
    const atM = openM >= limits.driftM ? wayM : wayM + openM;
    if (lastKm !== undefined && mileageKm < lastKm) step = undefined;
    else if (lastKm !== undefined && mileageKm > lastKm) {
      if (step !== undefined)
        pieces.push({ wayM: Math.max(atM - step.wayM, 0), recordedM: (mileageKm - step.km) * 1_000 });
      step = { km: mileageKm, wayM: atM };
    }
    lastKm = mileageKm;
  }
  return pieces;
}

function placeOf({ latitude, longitude }: TimedSample): GeoPoint | undefined {
  if (latitude === undefined || longitude === undefined) return undefined;
  return latitude === 0 && longitude === 0 ? undefined : { latitude, longitude };
}

function wayBetween(one: TimedSample, other: TimedSample): number {
  const [from, to] = [placeOf(one), placeOf(other)];
  return from === undefined || to === undefined ? 0 : distanceM(from, to);
}

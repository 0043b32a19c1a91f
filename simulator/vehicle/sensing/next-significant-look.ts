import { headingAt } from '../../routes/route.ts';
import type { DriveContext, Journey } from '../driving/journey.ts';
import { type AccelerationSpan, extremesIn } from '../forces.ts';
import { type Travelled, travelled } from '../motion-segment.ts';

/**
 * The thresholds that make a look at a vehicle with its ignition on significant. Looks are `everyMs`
 * apart, starting at `fromMs`; unused thresholds are infinite.
 */
export interface LookThresholds {
  readonly fromMs: number;
  readonly everyMs: number;
  /** A look is never later than the first one from then on. */
  readonly latestMs: number;
  /** Something is due at the first look from then on. */
  readonly dueMs: number;
  /** The distance travelled since the vehicle was made, in metres. */
  readonly distanceM: number;
  /** A turn of this much from this heading, at this speed or more. */
  readonly headingDegrees: number;
  readonly turnDegrees: number;
  readonly turnSpeedKph: number;
  /** Along or across the vehicle, in thousandths of gravity. */
  readonly accelerationMg: number;
}

/**
 * The first look that must not be skipped: at it, or since the look before, something significant may happen.
 * This is known only up to the next standstill, where chance and the driver's intent decide. `madeMs`: the
 * origin of the vehicle's seconds. `isOtherwise`: whether the surroundings of the box are different that far
 * along the way.
 */
export function nextSignificantLookMs(
  journey: Journey,
  context: DriveContext,
  madeMs: number,
  thresholds: LookThresholds,
  isOtherwise?: (wayM: number) => boolean,
): number {
  const looks = looksOf(thresholds);
  let lastMs = looks.fromThen(Math.min(thresholds.latestMs, thresholds.dueMs));
  for (const segment of certainSegments(journey)) {
    const fromMs = madeMs + segment.from.atS * 1_000;
    const untilMs = madeMs + segment.untilS * 1_000;
    // Strong accelerations need every look: their duration is joined from the results of all looks.
    if (isStrong(segment, context, thresholds.accelerationMg))
      lastMs = Math.min(lastMs, looks.fromThen(fromMs));
    const endMs = Math.min(untilMs, lastMs);
    for (let atMs = looks.fromThen(fromMs); atMs < endMs; atMs += thresholds.everyMs)
      if (isSignificant(segment, context, (atMs - madeMs) / 1_000, thresholds, isOtherwise)) return atMs;
    if (lastMs <= untilMs) return lastMs;
    if (segment.isLast) return Math.min(lastMs, looks.fromThen(untilMs));
  }
  return lastMs;
}

function looksOf({ fromMs, everyMs }: LookThresholds) {
  return {
    /** The first look from then on. */
    fromThen: (thenMs: number): number =>
      thenMs <= fromMs ? fromMs : fromMs + Math.ceil((thenMs - fromMs) / everyMs) * everyMs,
  };
}

/** A part of the coming journey that only an intervention can change. */
type Certain = Travelled & { readonly isLast: boolean };

function* certainSegments({ segment, ahead, intent }: Journey): Generator<Certain> {
  // A maneuver begins at the next change of the acceleration.
  const moves = segment.move === undefined || intent.maneuver !== undefined ? [] : ahead;
  yield { ...segment, isLast: moves.length === 0 };
  let atS = segment.untilS;
  let wayM = segment.from.wayM + (segment.move?.lengthM ?? 0);
  for (const [index, move] of moves.entries()) {
    const untilS = atS + move.durationS;
    yield { from: { atS, wayM }, move, untilS, isLast: index === moves.length - 1 };
    atS = untilS;
    wayM += move.lengthM;
  }
}

function isStrong(segment: Certain, context: DriveContext, accelerationMg: number): boolean {
  if (segment.move === undefined || accelerationMg === Number.POSITIVE_INFINITY) return false;
  const { longitudinalMg, lateralMg } = extremesIn(segment, context, segment.from.atS, segment.untilS);
  // The sensor's output is in whole thousandths.
  return Math.max(size(longitudinalMg), size(lateralMg)) >= accelerationMg - 1;
}

function size([lowest, highest]: AccelerationSpan): number {
  return Math.max(-lowest, highest);
}

function isSignificant(
  segment: Certain,
  context: DriveContext,
  atS: number,
  thresholds: LookThresholds,
  isOtherwise?: (wayM: number) => boolean,
): boolean {
  if (segment.move === undefined) return segment.from.wayM >= thresholds.distanceM;
  const { wayM, speedMps } = travelled(segment, atS - segment.from.atS);
  const doneM = segment.from.wayM + wayM;
  if (doneM >= thresholds.distanceM || isOtherwise?.(doneM) === true) return true;
  if (speedMps * 3.6 < thresholds.turnSpeedKph || thresholds.turnDegrees === Number.POSITIVE_INFINITY)
    return false;
  const heading = headingAt(context.route, context.startM + doneM);
  const apart = Math.abs(heading - thresholds.headingDegrees) % 360;
  return (apart > 180 ? 360 - apart : apart) >= thresholds.turnDegrees;
}

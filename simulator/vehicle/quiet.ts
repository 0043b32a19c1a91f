import { headingAt } from '../routes/route.ts';
import type { Circumstances, Journey } from './driver.ts';
import { extremesIn, type Span } from './forces.ts';
import { type Travelled, travelled } from './stretch.ts';

/**
 * What a look at a vehicle with its ignition on must find for anything to come of it. Looks are `everyMs` apart from
 * `fromMs` on; thresholds of what is not asked for are infinite.
 */
export interface Interest {
  readonly fromMs: number;
  readonly everyMs: number;
  /** A look is never later than the first one from then on. */
  readonly mostMs: number;
  /** Something is due at the first look from then on. */
  readonly dueMs: number;
  /** A way travelled since the vehicle was made, in metres. */
  readonly wayM: number;
  /** So much away from that heading, at that speed or more. */
  readonly headingDegrees: number;
  readonly turnDegrees: number;
  readonly turnSpeedKph: number;
  /** Along or across the vehicle, in thousandths of gravity. */
  readonly feltMg: number;
}

/**
 * The first look that must not be left out: at it, or since the look before, there may be something of interest. It is
 * certain only up to the next standstill, where chance and the driver's wish decide. `madeMs`: when the vehicle's
 * seconds began. `isOtherwise`: whether so far along the way the box finds something else around it than now.
 */
export function nextOfInterestMs(
  journey: Journey,
  around: Circumstances,
  madeMs: number,
  interest: Interest,
  isOtherwise?: (wayM: number) => boolean,
): number {
  const looks = looksOf(interest);
  let lastMs = looks.fromThen(Math.min(interest.mostMs, interest.dueMs));
  for (const stretch of certainStretches(journey)) {
    const fromMs = madeMs + stretch.from.atS * 1_000;
    const untilMs = madeMs + stretch.untilS * 1_000;
    // What is strong is looked at each time: how long it lasts is put together from what each look finds.
    if (isStrong(stretch, around, interest.feltMg)) lastMs = Math.min(lastMs, looks.fromThen(fromMs));
    const endMs = Math.min(untilMs, lastMs);
    for (let atMs = looks.fromThen(fromMs); atMs < endMs; atMs += interest.everyMs)
      if (isOfInterest(stretch, around, (atMs - madeMs) / 1_000, interest, isOtherwise)) return atMs;
    if (lastMs <= untilMs) return lastMs;
    if (stretch.isLast) return Math.min(lastMs, looks.fromThen(untilMs));
  }
  return lastMs;
}

function looksOf({ fromMs, everyMs }: Interest) {
  return {
    /** The first look from then on. */
    fromThen: (thenMs: number): number =>
      thenMs <= fromMs ? fromMs : fromMs + Math.ceil((thenMs - fromMs) / everyMs) * everyMs,
  };
}

/** A part of the journey to come that nothing but an intervention changes. */
type Certain = Travelled & { readonly isLast: boolean };

function* certainStretches({ stretch, ahead, intent }: Journey): Generator<Certain> {
  // A maneuver begins at the next change of pace.
  const moves = stretch.move === undefined || intent.maneuver !== undefined ? [] : ahead;
  yield { ...stretch, isLast: moves.length === 0 };
  let atS = stretch.untilS;
  let wayM = stretch.from.wayM + (stretch.move?.lengthM ?? 0);
  for (const [index, move] of moves.entries()) {
    const untilS = atS + move.durationS;
    yield { from: { atS, wayM }, move, untilS, isLast: index === moves.length - 1 };
    atS = untilS;
    wayM += move.lengthM;
  }
}

function isStrong(stretch: Certain, around: Circumstances, feltMg: number): boolean {
  if (stretch.move === undefined || feltMg === Number.POSITIVE_INFINITY) return false;
  const { longitudinalMg, lateralMg } = extremesIn(stretch, around, stretch.from.atS, stretch.untilS);
  // The sensor gives out whole thousandths.
  return Math.max(size(longitudinalMg), size(lateralMg)) >= feltMg - 1;
}

function size([lowest, highest]: Span): number {
  return Math.max(-lowest, highest);
}

function isOfInterest(
  stretch: Certain,
  around: Circumstances,
  atS: number,
  interest: Interest,
  isOtherwise?: (wayM: number) => boolean,
): boolean {
  if (stretch.move === undefined) return stretch.from.wayM >= interest.wayM;
  const { wayM, speedMps } = travelled(stretch, atS - stretch.from.atS);
  const doneM = stretch.from.wayM + wayM;
  if (doneM >= interest.wayM || isOtherwise?.(doneM) === true) return true;
  if (speedMps * 3.6 < interest.turnSpeedKph || interest.turnDegrees === Number.POSITIVE_INFINITY)
    return false;
  const heading = headingAt(around.route, around.startM + doneM);
  const apart = Math.abs(heading - interest.headingDegrees) % 360;
  return (apart > 180 ? 360 - apart : apart) >= interest.turnDegrees;
}

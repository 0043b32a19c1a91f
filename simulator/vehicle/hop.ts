import type { BodyFacts } from '../../protocol/models/model.ts';
import { type Corner, corner, cornerBefore, onLoop, type Route } from '../routes/route.ts';
import type { Handling } from './handling.ts';
import { limits } from './limits.ts';

/**
 * A way of constant acceleration. A hop from standstill to the next red light is a row of them; speed and way are
 * closed formulas inside each, so that looking at a car more often changes nothing.
 */
export interface Move {
  readonly kind: 'accelerate' | 'cruise' | 'brake';
  readonly fromMps: number;
  readonly toMps: number;
  readonly lengthM: number;
  readonly durationS: number;
}

export interface Manners {
  /** Share of the speed limit that the driver keeps to, up to 1. */
  readonly limitShare: number;
  readonly body: BodyFacts;
  readonly handling: Handling;
}

/** Bends around which the driver goes faster than is comfortable, as ways along the route. */
export interface Sharp {
  readonly fromM: number;
  readonly toM: number;
  readonly lateralMps2: number;
}

/** A way to be driven without a stop. */
export interface Drive {
  /** Where it begins along the route, over any number of rounds. */
  readonly alongM: number;
  readonly fromMps: number;
  /** How long it is; the vehicle stands at its end. */
  readonly wayM: number;
  readonly sharp?: Sharp | undefined;
}

/** Ways shorter than this are left out of a hop. */
const SHORTEST_M = 1e-6;
/** Who stands so close to a light has waited for it already. */
const AT_LIGHT_M = 1;

/** One piece of a drive: how long it is, how fast it may be driven. */
interface Piece {
  readonly lengthM: number;
  readonly topMps: number;
}

/**
 * The way from standstill at `alongM` to the next light that `isRed` says is red, as a driver with these manners
 * drives it: never above the limit of the street, slower around corners, standing still at the end.
 */
export function hop(route: Route, alongM: number, manners: Manners, isRed: () => boolean): readonly Move[] {
  const wayM = wayToStop(route, alongM, (_corner, _aheadM) => isRed());
  return movesOver(route, { alongM, fromMps: 0, wayM }, manners);
}

/**
 * How far it is from `alongM` to the next light at which one must stop: that `isRed` says is red, which is asked for
 * each light in turn, or that follows on too many green ones. Where there is no light it is one round.
 */
export function wayToStop(
  route: Route,
  alongM: number,
  isRed: (corner: Corner, aheadM: number) => boolean,
): number {
  const first = cornerBefore(route, alongM);
  let wayM = corner(route, first).lengthM - (onLoop(route, alongM) - corner(route, first).startM);
  let leftM = wayM;
  for (let index = first, greens = 0; ; index += 1) {
    const next = corner(route, index + 1);
    const isRound = index - first >= route.corners.length;
    const meetsLight = next.light && leftM > AT_LIGHT_M;
    if (isRound || (meetsLight && (greens >= limits.greenInARow || isRed(next, wayM)))) return wayM;
    if (meetsLight) greens += 1;
    leftM = next.lengthM;
    wayM += leftM;
  }
}

/** Whether there is a light where a vehicle stands. */
export function isAtLight(route: Route, alongM: number): boolean {
  const index = cornerBefore(route, alongM);
  const { light, lengthM, startM } = corner(route, index);
  const doneM = onLoop(route, alongM) - startM;
  return (light && doneM <= AT_LIGHT_M) || (corner(route, index + 1).light && lengthM - doneM <= AT_LIGHT_M);
}

/**
 * The moves of a drive to standstill at its end. Streets and bends set the top speeds; where the drive begins too fast
 * for what comes, the driver brakes as hard as it takes.
 */
export function movesOver(route: Route, drive: Drive, manners: Manners): readonly Move[] {
  const pieces = piecesOf(route, drive, manners);
  const rate = manners.body.maximumAccelerationMps2 * limits.pedalShare;
  const speeds = nodeSpeeds(pieces, drive.fromMps, rate);
  return pieces.flatMap((piece, index) =>
    pieceMoves(piece, speeds[index] ?? 0, speeds[index + 1] ?? 0, rate),
  );
}

/** Neighbours that may be driven equally fast are one piece. */
function piecesOf(route: Route, drive: Drive, manners: Manners): readonly Piece[] {
  const pieces: Piece[] = [];
  const add = (lengthM: number, topMps: number) => {
    if (lengthM <= SHORTEST_M) return;
    const last = pieces.at(-1);
    if (last?.topMps === topMps) pieces[pieces.length - 1] = { lengthM: last.lengthM + lengthM, topMps };
    else pieces.push({ lengthM, topMps });
  };
  const first = cornerBefore(route, drive.alongM);
  let doneM = onLoop(route, drive.alongM) - corner(route, first).startM;
  let wayM = 0;
  for (let index = first; wayM < drive.wayM; index += 1) {
    const here = corner(route, index);
    const next = corner(route, index + 1);
    const streetMps = topSpeed(here, manners);
    const endM = Math.min(here.lengthM, doneM + drive.wayM - wayM);
    // The arc of the corner behind, the straight, the arc of the corner ahead.
    const cuts = [here.roundingM, here.lengthM - next.roundingM, here.lengthM];
    const bends = [here.curvaturePerM, 0, next.curvaturePerM];
    for (const [part, cutM] of cuts.entries()) {
      const toM = Math.min(cutM, endM);
      if (toM <= doneM) continue;
      const lateral = lateralOn(drive, manners, wayM);
      add(toM - doneM, Math.min(streetMps, bendSpeed(bends[part] ?? 0, lateral)));
      wayM += toM - doneM;
      doneM = toM;
    }
    if (endM < here.lengthM) break;
    doneM = 0;
  }
  return pieces;
}

function lateralOn({ alongM, sharp }: Drive, { handling }: Manners, wayM: number): number {
  const isSharp = sharp !== undefined && alongM + wayM >= sharp.fromM && alongM + wayM < sharp.toM;
  return isSharp ? sharp.lateralMps2 : handling.lateralMps2;
}

/** How fast a driver with these manners drives along a straight street. */
export function topSpeed(street: Corner, { limitShare, body }: Manners): number {
  return Math.min(street.limitKph * limitShare, body.topSpeedKph) / 3.6;
}

/** The speed at which a bend takes that much lateral acceleration: a = v² / r. */
export function bendSpeed(curvaturePerM: number, lateralMps2: number): number {
  const bend = Math.abs(curvaturePerM);
  return bend > 0 ? Math.sqrt(lateralMps2 / bend) : Number.POSITIVE_INFINITY;
}

/** Speeds at the ends of the pieces: backwards so that braking is enough, then forwards so that the engine is. */
function nodeSpeeds(pieces: readonly Piece[], fromMps: number, rate: number): readonly number[] {
  const speeds = pieces.map((piece, index) => Math.min(piece.topMps, pieces[index - 1]?.topMps ?? fromMps));
  speeds.push(0);
  for (let index = pieces.length - 1; index >= 1; index -= 1) {
    speeds[index] = reachable(speeds, index, pieces[index]?.lengthM ?? 0, index + 1, limits.brakingMps2);
  }
  speeds[0] = fromMps;
  for (let index = 0; index < pieces.length; index += 1) {
    speeds[index + 1] = reachable(speeds, index + 1, pieces[index]?.lengthM ?? 0, index, rate);
  }
  return speeds;
}

function reachable(
  speeds: readonly number[],
  wanted: number,
  wayM: number,
  from: number,
  rate: number,
): number {
  const fromMps = speeds[from] ?? 0;
  return Math.min(speeds[wanted] ?? 0, Math.sqrt(fromMps * fromMps + 2 * rate * wayM));
}

/** Accelerate to the highest speed that leaves room to brake, hold it, brake. v² = v₀² + 2as. */
function pieceMoves(
  { lengthM, topMps }: Piece,
  fromMps: number,
  toMps: number,
  rate: number,
): readonly Move[] {
  const braking = limits.brakingMps2;
  const from2 = fromMps * fromMps;
  const to2 = toMps * toMps;
  // Rounding of the speeds at its ends must not add up to a longer way than there is.
  if (from2 - to2 >= 2 * braking * lengthM) return [move('brake', fromMps, toMps, lengthM)];
  const meeting2 = (2 * rate * braking * lengthM + braking * from2 + rate * to2) / (rate + braking);
  const peakMps = Math.max(Math.min(topMps, Math.sqrt(meeting2)), fromMps, toMps);
  const peak2 = peakMps * peakMps;
  const upM = (peak2 - from2) / (2 * rate);
  const downM = (peak2 - to2) / (2 * braking);
  return [
    move('accelerate', fromMps, peakMps, upM),
    move('cruise', peakMps, peakMps, Math.max(lengthM - upM - downM, 0)),
    move('brake', peakMps, toMps, downM),
  ].filter((each) => each.lengthM > SHORTEST_M);
}

/** A move of that length; its mean speed is half of both ends' sum. */
export function move(kind: Move['kind'], fromMps: number, toMps: number, lengthM: number): Move {
  return { kind, fromMps, toMps, lengthM, durationS: lengthM === 0 ? 0 : (2 * lengthM) / (fromMps + toMps) };
}

/** Braking to standstill because somebody wants it now. */
export function stopping(fromMps: number): Move {
  return braking(fromMps, 0, limits.stoppingMps2);
}

/** Braking from one speed to a lower one with that deceleration. */
export function braking(fromMps: number, toMps: number, rateMps2: number): Move {
  return move('brake', fromMps, toMps, (fromMps * fromMps - toMps * toMps) / (2 * rateMps2));
}

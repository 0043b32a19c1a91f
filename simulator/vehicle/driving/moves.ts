import type { BodyFacts } from '../../../protocol/models/model.ts';
import { type Corner, corner, cornerBefore, onLoop, type Route } from '../../routes/route.ts';
import { limits } from '../limits.ts';
import type { Handling } from './handling.ts';

/**
 * A distance at constant acceleration. A drive from a standstill to the next red light is a list of moves.
 * Speed and distance are closed formulas within each, so observing a car more often changes nothing.
 */
export interface Move {
  readonly kind: 'accelerate' | 'cruise' | 'brake';
  readonly fromMps: number;
  readonly toMps: number;
  readonly lengthM: number;
  readonly durationS: number;
  /** Speed and length were recorded apart from each other; absent: the length is mean speed by time. */
  readonly isScaled?: true;
}

export interface DrivingStyle {
  /** Share of the speed limit that the driver keeps to, up to 1. */
  readonly limitShare: number;
  readonly body: BodyFacts;
  readonly handling: Handling;
}

/** Bends that the driver takes faster than is comfortable, as ranges along the route. */
export interface SharpBend {
  readonly fromM: number;
  readonly toM: number;
  readonly lateralMps2: number;
}

/** A distance to be driven without a stop. */
export interface PlannedDrive {
  /** Its start along the route, over any number of rounds. */
  readonly alongM: number;
  readonly fromMps: number;
  /** Its length; the vehicle is stationary at its end. */
  readonly wayM: number;
  readonly sharp?: SharpBend | undefined;
}

/** Shorter distances are left out of a drive. */
const SHORTEST_M = 1e-6;
/** A vehicle this close to a light has already waited for it. */
const AT_LIGHT_M = 1;

/** One piece of a drive: its length and its highest speed. */
interface Piece {
  readonly lengthM: number;
  readonly topMps: number;
}

/**
 * The distance from `alongM` to the next light where the vehicle must stop: one that is red by `isRed`, which
 * is called for each light in turn, or that follows too many green ones. Without a light it is one round.
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

/** Whether there is a light where a vehicle has stopped. */
export function isAtLight(route: Route, alongM: number): boolean {
  const index = cornerBefore(route, alongM);
  const { light, lengthM, startM } = corner(route, index);
  const doneM = onLoop(route, alongM) - startM;
  return (light && doneM <= AT_LIGHT_M) || (corner(route, index + 1).light && lengthM - doneM <= AT_LIGHT_M);
}

/**
 * The moves of a drive that ends in a standstill. Streets and bends set the top speeds. If the drive begins
 * too fast for what follows, the driver brakes as hard as necessary.
 */
export function movesOver(route: Route, drive: PlannedDrive, style: DrivingStyle): readonly Move[] {
  const pieces = piecesOf(route, drive, style);
  const rate = style.body.maximumAccelerationMps2 * limits.pedalShare;
  const speeds = nodeSpeeds(pieces, drive.fromMps, rate);
  return pieces.flatMap((piece, index) =>
    pieceMoves(piece, speeds[index] ?? 0, speeds[index + 1] ?? 0, rate),
  );
}

/** Neighbouring pieces with the same highest speed become one. */
function piecesOf(route: Route, drive: PlannedDrive, style: DrivingStyle): readonly Piece[] {
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
    const streetMps = topSpeed(here, style);
    const endM = Math.min(here.lengthM, doneM + drive.wayM - wayM);
    // The arc of the corner behind, the straight, the arc of the corner ahead.
    const cuts = [here.roundingM, here.lengthM - next.roundingM, here.lengthM];
    const bends = [here.curvaturePerM, 0, next.curvaturePerM];
    for (const [part, cutM] of cuts.entries()) {
      const toM = Math.min(cutM, endM);
      if (toM <= doneM) continue;
      const lateral = lateralOn(drive, style, wayM);
      add(toM - doneM, Math.min(streetMps, bendSpeed(bends[part] ?? 0, lateral)));
      wayM += toM - doneM;
      doneM = toM;
    }
    if (endM < here.lengthM) break;
    doneM = 0;
  }
  return pieces;
}

function lateralOn({ alongM, sharp }: PlannedDrive, { handling }: DrivingStyle, wayM: number): number {
  const isSharp = sharp !== undefined && alongM + wayM >= sharp.fromM && alongM + wayM < sharp.toM;
  return isSharp ? sharp.lateralMps2 : handling.lateralMps2;
}

/** The speed of a driver of this style along a straight street. */
export function topSpeed(street: Corner, { limitShare, body }: DrivingStyle): number {
  return Math.min(street.limitKph * limitShare, body.topSpeedKph) / 3.6;
}

/** The speed at which a bend causes this lateral acceleration: a = v² / r. */
export function bendSpeed(curvaturePerM: number, lateralMps2: number): number {
  const bend = Math.abs(curvaturePerM);
  return bend > 0 ? Math.sqrt(lateralMps2 / bend) : Number.POSITIVE_INFINITY;
}

/** Speeds at the ends of the pieces: backwards as braking allows, then forwards as the engine allows. */
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
  // Rounded speeds at its ends must not add up to more than its length.
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

/** A move of this length; its mean speed is the mean of both ends. */
export function move(kind: Move['kind'], fromMps: number, toMps: number, lengthM: number): Move {
  return { kind, fromMps, toMps, lengthM, durationS: lengthM === 0 ? 0 : (2 * lengthM) / (fromMps + toMps) };
}

/** Braking to a standstill immediately. */
export function stopping(fromMps: number): Move {
  return braking(fromMps, 0, limits.stoppingMps2);
}

/** Braking from one speed to a lower one with this deceleration. */
export function braking(fromMps: number, toMps: number, rateMps2: number): Move {
  return move('brake', fromMps, toMps, (fromMps * fromMps - toMps * toMps) / (2 * rateMps2));
}

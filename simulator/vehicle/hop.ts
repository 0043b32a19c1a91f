import type { BodyFacts } from '../../protocol/models/model.ts';
import { type Corner, corner, cornerBefore, onLoop, type Route } from '../routes/route.ts';
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
}

/** Ways shorter than this are left out of a hop. */
const SHORTEST_M = 1e-6;
/** Who stands so close to a light has waited for it already. */
const AT_LIGHT_M = 1;

/** One straight piece of a hop: how long it is, how fast it may be driven, how fast its end may be passed. */
interface Piece {
  readonly lengthM: number;
  readonly topMps: number;
  readonly endMps: number;
}

/**
 * The way from standstill at `alongM` to the next light that `isRed` says is red, as a driver with these manners
 * drives it: never above the limit of the street, slower around corners, standing still at the end.
 */
export function hop(route: Route, alongM: number, manners: Manners, isRed: () => boolean): readonly Move[] {
  const pieces = piecesAhead(route, alongM, manners, isRed);
  const accelerationMps2 = manners.body.maximumAccelerationMps2 * limits.pedalShare;
  const speeds = nodeSpeeds(pieces, accelerationMps2);
  return pieces.flatMap((piece, index) =>
    pieceMoves(piece, speeds[index] ?? 0, speeds[index + 1] ?? 0, accelerationMps2),
  );
}

function piecesAhead(route: Route, alongM: number, manners: Manners, isRed: () => boolean): readonly Piece[] {
  const pieces: Piece[] = [];
  const first = cornerBefore(route, alongM);
  let leftM = corner(route, first).lengthM - (onLoop(route, alongM) - corner(route, first).startM);
  for (let index = first, greens = 0; ; index += 1) {
    const here = corner(route, index);
    const next = corner(route, index + 1);
    const topMps = topSpeed(here, manners);
    // A loop without any light ends its hop after one round.
    const lastCorner = index - first >= route.corners.length;
    const meetsLight = next.light && leftM > AT_LIGHT_M;
    const stops = lastCorner || (meetsLight && (greens >= limits.greenInARow || isRed()));
    if (meetsLight) greens += 1;
    const endMps = Math.min(topMps, topSpeed(next, manners), cornerSpeed(next.turn));
    if (leftM > SHORTEST_M) pieces.push({ lengthM: leftM, topMps, endMps: stops ? 0 : endMps });
    if (stops) return pieces;
    leftM = next.lengthM;
  }
}

function topSpeed(street: Corner, { limitShare, body }: Manners): number {
  return Math.min(street.limitKph * limitShare, body.topSpeedKph) / 3.6;
}

/** What a driver dares around a corner, by its angle: 15 km/h at a right angle, anything below 10 degrees. */
function cornerSpeed(turn: number): number {
  const angle = Math.abs(turn);
  if (angle < 10) return Number.POSITIVE_INFINITY;
  return Math.max(50 - (angle - 10) * 0.45, 12) / 3.6;
}

/** Speeds at the ends of the pieces: backwards so that braking is enough, then forwards so that the engine is. */
function nodeSpeeds(pieces: readonly Piece[], accelerationMps2: number): readonly number[] {
  const speeds = [0, ...pieces.map((piece) => piece.endMps)];
  for (let index = pieces.length - 1; index >= 0; index -= 1) {
    speeds[index] = reachable(speeds, index, pieces[index]?.lengthM ?? 0, index + 1, limits.brakingMps2);
  }
  for (let index = 0; index < pieces.length; index += 1) {
    speeds[index + 1] = reachable(speeds, index + 1, pieces[index]?.lengthM ?? 0, index, accelerationMps2);
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
  return move('brake', fromMps, 0, (fromMps * fromMps) / (2 * limits.stoppingMps2));
}

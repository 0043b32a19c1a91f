import { corner, cornerBefore, onLoop, type Route } from '../../routes/route.ts';
import { limits } from '../limits.ts';
import {
  bendSpeed,
  braking,
  type DrivingStyle,
  type Move,
  movesOver,
  type PlannedDrive,
  type SharpBend,
  topSpeed,
} from './moves.ts';

/** The maneuvers that can be requested of a driver. */
export const MANEUVERS = ['heavy-braking', 'harsh-cornering', 'emergency-stop'] as const;

export interface Maneuver {
  readonly what: (typeof MANEUVERS)[number];
  /** The strength in m/s²: the deceleration, or the acceleration towards the inside of the bend. */
  readonly rateMps2: number;
}

/** The rest of a drive that includes the maneuver. */
export interface Replanned {
  readonly moves: readonly Move[];
}

/** After heavy braking the driver continues with this share of the speed. */
const LEFT_OVER = 0.35;
/** Bends this close are part of the same curve. */
const CURVE_M = 30;
/** The rounding error of added distances. */
const ROUNDING_M = 0.01;
/** More than this is a U-turn and not a bend. */
const SHARPEST_DEGREES = 135;
/** The share of the wanted acceleration that counts as reached. */
const REACHED = 0.98;

/**
 * The rest of a drive that includes the maneuver; undefined if it is not possible yet: the vehicle is too
 * slow, or no bend comes before its next stop. Braking ends before the drive does, since it is harder than
 * the driver's usual braking.
 */
export function replanned(
  route: Route,
  drive: PlannedDrive,
  style: DrivingStyle,
  { what, rateMps2 }: Maneuver,
): Replanned | undefined {
  if (what === 'harsh-cornering') return cornering(route, drive, style, rateMps2);
  if (drive.fromMps < limits.maneuverMps) return undefined;
  const toMps = what === 'emergency-stop' ? 0 : drive.fromMps * LEFT_OVER;
  const brake = braking(drive.fromMps, toMps, rateMps2);
  if (brake.lengthM > drive.wayM) return undefined;
  if (toMps === 0) return { moves: [brake] };
  const { alongM, wayM } = drive;
  const rest = { alongM: alongM + brake.lengthM, fromMps: toMps, wayM: wayM - brake.lengthM };
  return { moves: [brake, ...movesOver(route, rest, style)] };
}

function cornering(
  route: Route,
  drive: PlannedDrive,
  style: DrivingStyle,
  rateMps2: number,
): Replanned | undefined {
  const bend = nextBend(route, drive.alongM, style, rateMps2, drive.fromMps);
  if (bend === undefined || bend.toM > drive.alongM + drive.wayM) return undefined;
  const moves = movesOver(route, { ...drive, sharp: bend }, style);
  const speedMps = speedAfter(moves, bend.bendM - drive.alongM);
  return speedMps >= bend.speedMps * REACHED ? { moves } : undefined;
}

/** A bend that can be taken sharply. */
export interface Bend extends SharpBend {
  readonly bendM: number;
  readonly speedMps: number;
}

/**
 * The next bend along the route that causes this lateral acceleration at a speed that the streets allow and
 * that can be reached by then; undefined if one round has none.
 */
export function nextBend(
  route: Route,
  alongM: number,
  style: DrivingStyle,
  rateMps2: number,
  fromMps = 0,
): Bend | undefined {
  const first = cornerBefore(route, alongM);
  const pedal = style.body.maximumAccelerationMps2 * limits.pedalShare;
  let aheadM = corner(route, first).lengthM - (onLoop(route, alongM) - corner(route, first).startM);
  for (let index = first + 1; index <= first + route.corners.length; index += 1) {
    const here = corner(route, index);
    const speedMps = bendSpeed(here.curvaturePerM, rateMps2);
    const topMps = Math.min(topSpeed(here, style), topSpeed(corner(route, index - 1), style));
    const reachM = (speedMps * speedMps - fromMps * fromMps) / (2 * pedal);
    const isBend = Math.abs(here.turn) <= SHARPEST_DEGREES && speedMps <= topMps;
    if (isBend && aheadM - here.roundingM >= Math.max(reachM, 0)) {
      const bendM = alongM + aheadM;
      const [fromM, toM] = [bendM - here.roundingM - CURVE_M, bendM + here.roundingM + ROUNDING_M];
      return { fromM, toM, bendM, speedMps, lateralMps2: rateMps2 };
    }
    aheadM += here.lengthM;
  }
  return undefined;
}

/** The speed after this distance of a list of moves. */
function speedAfter(moves: readonly Move[], wayM: number): number {
  let leftM = wayM;
  for (const { fromMps, toMps, lengthM } of moves) {
    if (leftM <= lengthM) {
      const share = lengthM > 0 ? leftM / lengthM : 1;
      return Math.sqrt(fromMps * fromMps + (toMps * toMps - fromMps * fromMps) * share);
    }
    leftM -= lengthM;
  }
  return 0;
}

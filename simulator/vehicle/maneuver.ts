import { corner, cornerBefore, onLoop, type Route } from '../routes/route.ts';
import {
  bendSpeed,
  braking,
  type Drive,
  type Manners,
  type Move,
  movesOver,
  type Sharp,
  topSpeed,
} from './hop.ts';
import { limits } from './limits.ts';

/** What a driver can be made to do on the way. */
export const MANEUVERS = ['heavy-braking', 'harsh-cornering', 'emergency-stop'] as const;

export interface Maneuver {
  readonly what: (typeof MANEUVERS)[number];
  /** How hard, in m/s²: the deceleration, or the acceleration towards the inside of the bend. */
  readonly rateMps2: number;
}

/** The rest of a drive with the maneuver in it. */
export interface Replanned {
  readonly moves: readonly Move[];
}

/** After heavy braking the driver goes on with this share of the speed. */
const LEFT_OVER = 0.35;
/** Bends that are part of the same curve. */
const CURVE_M = 30;
/** Sums of ways differ by less. */
const ROUNDING_M = 0.01;
/** More than this is no bend but a turn back. */
const SHARPEST_DEGREES = 135;
/** The share of the wanted acceleration that counts as reached. */
const REACHED = 0.98;

/**
 * The rest of a drive with the maneuver in it; undefined where it cannot be done yet: the vehicle is too slow for it, or
 * no bend comes before it must stop. Braking ends before the drive does, since it is harder than the driver's own.
 */
export function replanned(
  route: Route,
  drive: Drive,
  manners: Manners,
  { what, rateMps2 }: Maneuver,
): Replanned | undefined {
  if (what === 'harsh-cornering') return cornering(route, drive, manners, rateMps2);
  if (drive.fromMps < limits.maneuverMps) return undefined;
  const toMps = what === 'emergency-stop' ? 0 : drive.fromMps * LEFT_OVER;
  const brake = braking(drive.fromMps, toMps, rateMps2);
  if (brake.lengthM > drive.wayM) return undefined;
  if (toMps === 0) return { moves: [brake] };
  const { alongM, wayM } = drive;
  const rest = { alongM: alongM + brake.lengthM, fromMps: toMps, wayM: wayM - brake.lengthM };
  return { moves: [brake, ...movesOver(route, rest, manners)] };
}

function cornering(route: Route, drive: Drive, manners: Manners, rateMps2: number): Replanned | undefined {
  const bend = nextBend(route, drive.alongM, manners, rateMps2, drive.fromMps);
  if (bend === undefined || bend.toM > drive.alongM + drive.wayM) return undefined;
  const moves = movesOver(route, { ...drive, sharp: bend }, manners);
  const speedMps = speedAfter(moves, bend.bendM - drive.alongM);
  return speedMps >= bend.speedMps * REACHED ? { moves } : undefined;
}

/** A bend that can be taken sharply. */
export interface Bend extends Sharp {
  readonly bendM: number;
  readonly speedMps: number;
}

/**
 * The next bend along the route that takes that much lateral acceleration at a speed that the streets allow and that
 * can be reached until then; undefined where one round has none.
 */
export function nextBend(
  route: Route,
  alongM: number,
  manners: Manners,
  rateMps2: number,
  fromMps = 0,
): Bend | undefined {
  const first = cornerBefore(route, alongM);
  const pedal = manners.body.maximumAccelerationMps2 * limits.pedalShare;
  let aheadM = corner(route, first).lengthM - (onLoop(route, alongM) - corner(route, first).startM);
  for (let index = first + 1; index <= first + route.corners.length; index += 1) {
    const here = corner(route, index);
    const speedMps = bendSpeed(here.curvaturePerM, rateMps2);
    const topMps = Math.min(topSpeed(here, manners), topSpeed(corner(route, index - 1), manners));
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

/** The speed after so much of a row of moves. */
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

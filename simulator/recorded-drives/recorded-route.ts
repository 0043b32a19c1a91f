import { bearingDegrees, clamp, distanceM, radians, turnDegrees } from '../arithmetic.ts';
import { limits as routeLimits } from '../routes/limits.ts';
import type { RecordedDrive } from '../routes/recorded-drive.ts';
import type { Corner, Route } from '../routes/route.ts';
import { limits } from './limits.ts';
import type { Node } from './nodes.ts';

/** After the end of the way, at the place of the end: a vehicle that stops late is still there. */
const ENDING_M = 20;

/**
 * The route of a recorded drive: its places one after the other, and then straight back to the first, which is
 * never driven. A route is a loop, and a recorded drive ends where it ends.
 */
export function recordedRoute(
  name: string,
  nodes: readonly Node[],
  speeds: readonly number[],
  drive: RecordedDrive,
): Route {
  const spots = spotsOf(nodes, speeds);
  const [first, last] = [spots[0], spots.at(-1)];
  let startM = 0;
  let beforeM = 0;
  let bearing = 0;
  const corners: Corner[] = [];
  const add = (spot: Spot, lengthM: number, ahead: number, turn: number, roundingM: number) => {
    corners.push({
      place: { latitude: spot.point.latitude, longitude: spot.point.longitude },
      altitudeM: spot.altitudeM,
      startM,
      lengthM,
      bearing: ahead,
      turn,
      roundingM,
      curvaturePerM: curvature(turn, roundingM, spot.mps),
      light: false,
      limitKph: routeLimits.fileLimitKph,
      sky: 'open',
    });
    startM += lengthM;
  };
  for (const [index, spot] of spots.entries()) {
    const next = spots[index + 1];
    if (next === undefined) break;
    const lengthM = distanceM(spot.point, next.point);
    const ahead = bearingDegrees(spot.point, next.point);
    const roundingM = Math.min(routeLimits.roundingM, beforeM / 2, lengthM / 2);
    add(spot, lengthM, ahead, index === 0 ? 0 : turnDegrees(bearing, ahead), roundingM);
    [beforeM, bearing] = [lengthM, ahead];
  }
  if (first !== undefined && last !== undefined) {
    add(last, ENDING_M, bearing, 0, 0);
    add(last, Math.max(distanceM(last.point, first.point), ENDING_M), bearing, 0, 0);
  }
  return { name, lengthM: startM, corners, drive };
}

/** A place of the way, with the highest speed there or just next to it. */
interface Spot {
  readonly point: Node['point'];
  readonly altitudeM: number;
  readonly mps: number;
}

/** The places that differ from the one before; heights that are missing are those of the place before. */
function spotsOf(nodes: readonly Node[], speeds: readonly number[]): readonly Spot[] {
  let altitudeM = nodes.find(({ point }) => point.altitudeM !== undefined)?.point.altitudeM ?? 0;
  const spots: Spot[] = [];
  for (const [index, { point }] of nodes.entries()) {
    altitudeM = point.altitudeM ?? altitudeM;
    const before = spots.at(-1);
    if (before !== undefined && distanceM(before.point, point) === 0) continue;
    const mps = Math.max(speeds[index - 1] ?? 0, speeds[index] ?? 0, speeds[index + 1] ?? 0);
    spots.push({ point, altitudeM, mps });
  }
  return spots;
}

/** The bend around a corner, as far as positions show it: no sharper than is comfortable at that speed. */
function curvature(turn: number, roundingM: number, mps: number): number {
  if (roundingM <= 0) return 0;
  const most = mps > 0 ? limits.lateralMps2 / (mps * mps) : Number.POSITIVE_INFINITY;
  return clamp(radians(turn) / (2 * roundingM), -most, most);
}

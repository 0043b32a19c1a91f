import { distanceM, type GeoPoint } from '../arithmetic.ts';
import type { Fix } from './fixes.ts';
import { limits } from './limits.ts';

/** A moment between two legs of a drive. */
export interface Node {
  readonly atS: number;
  readonly point: GeoPoint & { readonly altitudeM: number | undefined };
  /** The vehicle is stationary at this moment. */
  readonly isStill: boolean;
  /** As recorded; undefined: to be calculated. */
  readonly speedMps: number | undefined;
}

/**
 * The moments that make a drive: points apart from each other while it moves, and both ends of each standstill, in
 * which it keeps its place. `everyS`: the largest interval at a standstill, for other recorded values; undefined:
 * none.
 */
export function nodesOf(fixes: readonly Fix[], everyS: number | undefined): readonly Node[] {
  const standing = standstillsIn(fixes);
  const [first] = fixes;
  if (first === undefined) return [];
  const nodes: Node[] = [nodeAt(first, first, standing[0] === true)];
  for (let index = 1; index < fixes.length; index += 1) {
    const [before, fix, last] = [fixes[index - 1], fixes[index], nodes.at(-1)];
    if (before === undefined || fix === undefined || last === undefined) break;
    const [stood, isStill] = [standing[index - 1] === true, standing[index] === true];
    const isLast = index === fixes.length - 1;
    const wayM = distanceM(last.point, fix);
    const remains = stood && isStill && wayM < limits.driftM;
    if (remains) {
      if (isLast || (everyS !== undefined && fix.atS - last.atS >= everyS))
        nodes.push(nodeAt(fix, last.point, true));
      continue;
    }
    // The end of the standstill, in its place.
    if (stood && before.atS > last.atS) nodes.push(nodeAt(before, last.point, true));
    // A vehicle that has hardly moved for a while, and now has moved far, had not begun before.
    if (!stood && wayM >= limits.stepM && before.atS > last.atS && distanceM(before, fix) >= limits.stepM) {
      const isThere = distanceM(last.point, before) < limits.shiftM;
      nodes.push(nodeAt(before, isThere ? last.point : before, false));
    }
    const isNear = isStill && wayM < limits.shiftM;
    if (isStill || isLast || wayM >= limits.stepM)
      nodes.push(nodeAt(fix, isNear ? last.point : fix, isStill));
  }
  return nodes;
}

function nodeAt(fix: Fix, { latitude, longitude }: GeoPoint, isStill: boolean): Node {
  const point = { latitude, longitude, altitudeM: fix.altitudeM };
  return { atS: fix.atS, point, isStill, speedMps: isStill ? 0 : fix.speedMps };
}

/** Where it is stationary: by the recorded speed, or without one if it stays in one place for a while. */
function standstillsIn(fixes: readonly Fix[]): readonly boolean[] {
  const standing = fixes.map(({ speedMps }) => speedMps !== undefined && speedMps < limits.standingMps);
  for (let from = 0; from < fixes.length; from += 1) {
    const first = fixes[from];
    if (first === undefined || first.speedMps !== undefined) continue;
    let to = from;
    for (let next = from + 1; next < fixes.length; next += 1) {
      const fix = fixes[next];
      if (fix === undefined || fix.speedMps !== undefined || distanceM(first, fix) >= limits.stepM) break;
      to = next;
    }
    if ((fixes[to]?.atS ?? 0) - first.atS < limits.standingS) continue;
    standing.fill(true, from, to + 1);
    from = to;
  }
  return standing;
}

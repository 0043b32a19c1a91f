import { distanceM, type GeoPoint } from '../arithmetic.ts';
import { type RouteReading, routeFault } from '../routes/points.ts';
import type { Remarks } from '../routes/remarks.ts';
import { shownS, type TimedSample } from './clock.ts';
import type { DriveSamples } from './drive-sample.ts';
import { limits } from './limits.ts';

/** A moment at which the place is known. */
export interface Fix extends GeoPoint {
  readonly atS: number;
  readonly altitudeM: number | undefined;
  readonly speedMps: number | undefined;
}

/**
 * The moments with a place. Single points that no vehicle can reach are left out; a place from which the drive
 * continues, and which none can reach, is a fault.
 */
export function fixesOf(
  timed: readonly TimedSample[],
  placeOf: DriveSamples['placeOf'],
  remarks: Remarks,
): RouteReading<{ readonly fixes: readonly Fix[] }> {
  const known = timed.flatMap((sample) => {
    const point = placed(sample);
    if (point !== undefined) return { ...sample, ...point };
    remarks.add(
      'no place',
      () => placeOf(sample.index),
      () => 'has no place: the way is drawn straight to the next one.',
    );
    return [];
  });
  const fixes: Fix[] = [];
  for (let at = 0; at < known.length; at += 1) {
    const fix = known[at];
    const last = fixes.at(-1);
    if (fix === undefined) break;
    if (last !== undefined && fix.atS - last.atS < limits.leastStepS) continue;
    if (last !== undefined && !isReachable(last, fix)) {
      const goesOn = known
        .slice(at + 1, at + 1 + limits.strayPoints)
        .findIndex((next) => isReachable(last, next));
      const [wayM, passedS] = [distanceM(last, fix), fix.atS - last.atS];
      const far = `is ${Math.round(wayM)} m from the point before it, ${shownS(passedS)} later`;
      if (goesOn < 0)
        return routeFault(
          placeOf(fix.index),
          `${far}: that is ${Math.round((wayM / passedS) * 3.6)} km/h, and the drive goes on from there. Cut the file into two drives.`,
        );
      remarks.add(
        'stray',
        () => placeOf(fix.index),
        () => `${far}, where no vehicle can be: left out.`,
      );
      at += goesOn;
      continue;
    }
    if (last !== undefined) remarkGap(last, fix, () => placeOf(fix.index), remarks);
    const { atS, latitude, longitude, altitudeM, speedMps } = fix;
    fixes.push({ atS, latitude, longitude, altitudeM, speedMps });
  }
  if (fixes.length < 2) {
    const count = fixes.length === 0 ? 'no moment' : 'one moment only';
    return routeFault('', `has ${count} with a time and a place; a drive takes two at least.`);
  }
  return { fixes };
}

/** Receivers without a fix write the place 0, 0. */
function placed({ latitude, longitude }: TimedSample): GeoPoint | undefined {
  if (latitude === undefined || longitude === undefined) return undefined;
  return latitude === 0 && longitude === 0 ? undefined : { latitude, longitude };
}

function isReachable(from: Fix, to: GeoPoint & { readonly atS: number }): boolean {
  return distanceM(from, to) <= Math.max((to.atS - from.atS) * limits.fastestMps, limits.driftM);
}

function remarkGap(
  last: Fix,
  fix: GeoPoint & { readonly atS: number },
  placeOf: () => string,
  remarks: Remarks,
): void {
  const passedS = fix.atS - last.atS;
  if (passedS <= limits.gapS) return;
  const wayM = distanceM(last, fix);
  if (wayM < limits.gapM) return;
  remarks.add(
    'gap',
    placeOf,
    () =>
      `follows after ${shownS(passedS)} without a place, ${Math.round(wayM)} m away: the way between is drawn straight.`,
  );
}

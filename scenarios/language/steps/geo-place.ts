import { distanceM, type GeoPoint, turnDegrees } from '../../../simulator/arithmetic.ts';

/** A place on the map: a circle, or the interior of a polygon. */
export type GeoPlace =
  | { readonly around: GeoPoint; readonly radiusM: number }
  /** At least three corners; the last one is joined to the first. */
  | { readonly polygon: readonly GeoPoint[] };

/** Whether a point is in the place. A polygon is read on a flat map, which is precise enough for a city. */
export function isInPlace(place: GeoPlace, point: GeoPoint): boolean {
  if ('around' in place) return distanceM(place.around, point) <= place.radiusM;
  // A ray to the east crosses the border an odd number of times.
  const corners = place.polygon.map(({ latitude, longitude }) => ({
    north: latitude - point.latitude,
    east: turnDegrees(point.longitude, longitude),
  }));
  return corners.reduce((isInside, from, index) => {
    const to = corners[(index + 1) % corners.length] ?? from;
    if (from.north > 0 === to.north > 0) return isInside;
    const eastHere = from.east - (from.north * (to.east - from.east)) / (to.north - from.north);
    return eastHere > 0 ? !isInside : isInside;
  }, false);
}

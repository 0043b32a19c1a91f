import { cos, EARTH_RADIUS_M, type GeoPoint, radians } from '../arithmetic.ts';

/**
 * The country as a map in metres, used by the lattices. A degree of longitude is as wide as in the middle of
 * its band of ten degrees of latitude: in inhabited regions widths are correct to about a tenth. The map has
 * a seam where bands meet, at 46° and 56° north, and every ten degrees from there.
 */
export interface MapPoint {
  readonly eastM: number;
  readonly northM: number;
}

const NORTH_M_PER_DEGREE = radians(1) * EARTH_RADIUS_M;
const BAND_DEGREES = 10;
const FIRST_BAND = -94;
const WIDTHS = Array.from({ length: 19 }, (_, band) =>
  Math.max(cos(radians(FIRST_BAND + (band + 0.5) * BAND_DEGREES)), 0.1),
);

/** The position of a place on the map. */
export function mapPointOf({ latitude, longitude }: GeoPoint): MapPoint {
  const width = WIDTHS[Math.floor((latitude - FIRST_BAND) / BAND_DEGREES)] ?? 1;
  return { eastM: longitude * NORTH_M_PER_DEGREE * width, northM: latitude * NORTH_M_PER_DEGREE };
}

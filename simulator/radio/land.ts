import { cos, EARTH_RADIUS_M, type Place, radians } from '../arithmetic.ts';

/**
 * The land as a map in metres, on which lattices lie. A degree of longitude is as wide as in the middle of its band of
 * ten degrees of latitude: in the bands of the inhabited world widths are right to a tenth, or a little more. Bands meet
 * at 46° and 56° north, and every ten degrees from there, where the map has a seam.
 */
export interface Spot {
  readonly eastM: number;
  readonly northM: number;
}

const NORTH_M_PER_DEGREE = radians(1) * EARTH_RADIUS_M;
const BAND_DEGREES = 10;
const FIRST_BAND = -94;
const WIDTHS = Array.from({ length: 19 }, (_, band) =>
  Math.max(cos(radians(FIRST_BAND + (band + 0.5) * BAND_DEGREES)), 0.1),
);

/** Where a place lies on the map. */
export function spotOf({ latitude, longitude }: Place): Spot {
  const width = WIDTHS[Math.floor((latitude - FIRST_BAND) / BAND_DEGREES)] ?? 1;
  return { eastM: longitude * NORTH_M_PER_DEGREE * width, northM: latitude * NORTH_M_PER_DEGREE };
}

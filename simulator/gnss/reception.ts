import { cos, radians, sin } from '../arithmetic.ts';
import { LARGEST_NOISE, noiseOver } from '../radio/lattice-noise.ts';
import { mapPointOf } from '../radio/map-point.ts';
import type { RouteSpot, SkyView } from '../routes/route.ts';
import { type Satellite, satellitesOver } from './constellation.ts';
import { limits } from './limits.ts';

/**
 * The reception of a receiver: GGA quality (NMEA 0183), satellites in use, horizontal dilution of precision.
 */
export interface Reception {
  readonly quality: 0 | 1 | 2 | 6;
  readonly satellites: number;
  readonly hdop: number;
}

/** Without antenna or sky, and before the first fix. */
export const NO_RECEPTION: Reception = { quality: 0, satellites: 0, hdop: 25 };

/**
 * The reception at a spot and time. Buildings along the street hide low satellites across it, and none along
 * it. Their height follows from kind of street and place; `houses` is the seed of that noise. With too few
 * satellites, and below a roof, the box uses dead reckoning with wheels and gyroscope.
 */
export function receptionAt(spot: RouteSpot, atMs: number, houses: number): Reception {
  const all = satellitesOver(spot, atMs);
  const bearing = radians(spot.headingDegrees);
  const [eastward, northward] = [cos(bearing), -sin(bearing)];
  const acrossOf = ({ east, north }: Satellite): number => Math.abs(east * eastward + north * northward);
  if (spot.sky === 'covered') {
    const { coveredElevation, coveredRatio, leastSatellites } = limits;
    const low = all.filter((one) => one.up < coveredElevation && one.up > coveredRatio * acrossOf(one));
    return reckoned(Math.min(low.length, leastSatellites - 1));
  }
  const ratio = ratioAt(spot, spot.sky, houses);
  const seen = all.filter((one) => one.up > ratio * acrossOf(one));
  if (seen.length < limits.leastSatellites) return reckoned(seen.length);
  const hdop = hdopOf(seen);
  if (!(hdop <= limits.worstHdop)) return reckoned(limits.leastSatellites - 1);
  // In a canyon the geostationary satellites that send corrections are hidden.
  return { quality: spot.sky === 'open' ? 2 : 1, satellites: seen.length, hdop };
}

function reckoned(satellites: number): Reception {
  return { quality: 6, satellites, hdop: limits.reckonedHdop };
}

/** Twice the height of the buildings divided by the width of the street. */
function ratioAt(spot: RouteSpot, sky: Exclude<SkyView, 'covered'>, houses: number): number {
  const { eastM, northM } = mapPointOf(spot);
  const noise = noiseOver(houses, eastM / limits.housesM, northM / limits.housesM);
  const share = (noise + LARGEST_NOISE) / (2 * LARGEST_NOISE);
  const [from, to] = sky === 'open' ? [limits.openFrom, limits.openTo] : [limits.canyonFrom, limits.canyonTo];
  return from + (to - from) * share;
}

/**
 * The ratio of the horizontal position error to the range error: the root of the first two diagonal elements
 * of (AᵀA)⁻¹, where A has a row (east, north, up, 1) for each satellite. With the clock eliminated three
 * unknowns are left.
 */
export function hdopOf(seen: readonly Satellite[]): number {
  let [e, n, u, ee, en, eu, nn, nu, uu] = [0, 0, 0, 0, 0, 0, 0, 0, 0];
  for (const { east, north, up } of seen) {
    e += east;
    n += north;
    u += up;
    ee += east * east;
    en += east * north;
    eu += east * up;
    nn += north * north;
    nu += north * up;
    uu += up * up;
  }
  const count = seen.length;
  ee -= (e * e) / count;
  en -= (e * n) / count;
  eu -= (e * u) / count;
  nn -= (n * n) / count;
  nu -= (n * u) / count;
  uu -= (u * u) / count;
  const determinant = ee * (nn * uu - nu * nu) - en * (en * uu - nu * eu) + eu * (en * nu - nn * eu);
  const sum = nn * uu - nu * nu + (ee * uu - eu * eu);
  return determinant > 0 ? Math.sqrt(sum / determinant) : Number.POSITIVE_INFINITY;
}

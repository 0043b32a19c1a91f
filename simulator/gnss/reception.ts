import { cos, radians, sin } from '../arithmetic.ts';
import { spotOf } from '../radio/land.ts';
import { LARGEST_NOISE, noiseOver } from '../radio/lattice.ts';
import type { Sky, Spot } from '../routes/route.ts';
import { type Satellite, satellitesOver } from './constellation.ts';
import { limits } from './limits.ts';

/** What a receiver makes of the sky: GGA quality (NMEA 0183), satellites in use, horizontal dilution of precision. */
export interface Reception {
  readonly quality: 0 | 1 | 2 | 6;
  readonly satellites: number;
  readonly hdop: number;
}

/** Without antenna or sky, and before the first fix. */
export const NO_RECEPTION: Reception = { quality: 0, satellites: 0, hdop: 25 };

/**
 * What can be received at a spot then. Houses beside the street hide what stands low across it, and nothing along it;
 * how high they are follows from kind of street and place, `houses` is the name of that noise. Where too few satellites
 * are left, and below a roof, the box reckons on with wheels and gyroscope.
 */
export function receptionAt(spot: Spot, atMs: number, houses: number): Reception {
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
  // What stands still above the equator and sends corrections is hidden in a canyon.
  return { quality: spot.sky === 'open' ? 2 : 1, satellites: seen.length, hdop };
}

function reckoned(satellites: number): Reception {
  return { quality: 6, satellites, hdop: limits.reckonedHdop };
}

/** Twice the height of the houses there by the width of the street. */
function ratioAt(spot: Spot, sky: Exclude<Sky, 'covered'>, houses: number): number {
  const { eastM, northM } = spotOf(spot);
  const noise = noiseOver(houses, eastM / limits.housesM, northM / limits.housesM);
  const share = (noise + LARGEST_NOISE) / (2 * LARGEST_NOISE);
  const [from, to] = sky === 'open' ? [limits.openFrom, limits.openTo] : [limits.canyonFrom, limits.canyonTo];
  return from + (to - from) * share;
}

/**
 * How much worse than a range a place is, in the plane: the root of the first two elements of (AᵀA)⁻¹, where A has a row
 * (east, north, up, 1) for each satellite. With the clock eliminated three unknowns are left.
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

import { cos, type GeoPoint, radians, sin } from '../arithmetic.ts';
import { limits } from './limits.ts';

/** The direction of a satellite, of length 1. */
export interface Satellite {
  readonly east: number;
  readonly north: number;
  readonly up: number;
}

/**
 * Satellites on circular orbits, spread evenly over planes (Walker constellations: inclination:
 * satellites/planes/phase).
 */
interface Walker {
  readonly radiusKm: number;
  readonly periodS: number;
  readonly inclination: number;
  readonly satellites: number;
  readonly planes: number;
  readonly phase: number;
}

/** GPS by its performance standard (24 slots on six planes), Galileo by its ICD: 56°: 24/3/1. */
const SYSTEMS: readonly Walker[] = [
  { radiusKm: 26_560, periodS: 43_082, inclination: 55, satellites: 24, planes: 6, phase: 2 },
  { radiusKm: 29_600, periodS: 50_685, inclination: 56, satellites: 24, planes: 3, phase: 1 },
];
const SIDEREAL_DAY_S = 86_164.1;
const EARTH_RADIUS_KM = 6_371;
const LEAST_UP = sin(radians(limits.leastElevationDegrees));

const kept = new Map<number, readonly Satellite[]>();

/**
 * The satellites that are high enough above a place at this time. Computed for the middle of a map square and
 * the beginning of a minute, in which directions change by one degree at most, and cached.
 */
export function satellitesOver({ latitude, longitude }: GeoPoint, atMs: number): readonly Satellite[] {
  const { squareDegrees, slotMs } = limits;
  const [row, column] = [Math.floor(latitude / squareDegrees), Math.floor(longitude / squareDegrees)];
  const slot = Math.floor(atMs / slotMs);
  // Row and column numbers of two squares differ by less than 512, so keys are unique.
  const key = (slot * 512 + row) * 512 + column;
  let found = kept.get(key);
  if (found === undefined) {
    if (kept.size >= limits.skiesKept) kept.clear();
    const middle = { latitude: (row + 0.5) * squareDegrees, longitude: (column + 0.5) * squareDegrees };
    found = satellitesAbove(middle, (slot * slotMs) / 1_000);
    kept.set(key, found);
  }
  return found;
}

function satellitesAbove({ latitude, longitude }: GeoPoint, atS: number): readonly Satellite[] {
  const turned = radians(longitude) + turn(atS, SIDEREAL_DAY_S);
  const [sinLatitude, cosLatitude] = [sin(radians(latitude)), cos(radians(latitude))];
  const seen: Satellite[] = [];
  for (const system of SYSTEMS) {
    const [sinTilt, cosTilt] = [sin(radians(system.inclination)), cos(radians(system.inclination))];
    for (let index = 0; index < system.satellites; index += 1) {
      const { node, along } = orbitOf(system, index, atS);
      // The ascending node as seen from the meridian of the place: x points to where that meets the equator.
      const [sinNode, cosNode] = [sin(node - turned), cos(node - turned)];
      const [sinAlong, cosAlong] = [sin(along), cos(along)];
      const x = system.radiusKm * (cosNode * cosAlong - sinNode * sinAlong * cosTilt);
      const y = system.radiusKm * (sinNode * cosAlong + cosNode * sinAlong * cosTilt);
      const z = system.radiusKm * sinAlong * sinTilt;
      const up = x * cosLatitude + z * sinLatitude - EARTH_RADIUS_KM;
      const north = z * cosLatitude - x * sinLatitude;
      const length = Math.sqrt(up * up + north * north + y * y);
      if (up / length >= LEAST_UP) seen.push({ east: y / length, north: north / length, up: up / length });
    }
  }
  return seen;
}

/** The right ascension of the ascending node, and the angle travelled since then; in radians. */
function orbitOf({ satellites, planes, phase, periodS }: Walker, index: number, atS: number) {
  const each = satellites / planes;
  const plane = Math.floor(index / each);
  const share = (index % each) / each + (plane * phase) / satellites;
  return { node: radians((360 * plane) / planes), along: radians(360 * share) + turn(atS, periodS) };
}

/**
 * The angle for this many seconds of a revolution, in radians; whole revolutions are removed to keep
 * precision.
 */
function turn(atS: number, periodS: number): number {
  const turns = atS / periodS;
  return radians(360 * (turns - Math.floor(turns)));
}

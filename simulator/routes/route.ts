import {
  bearingDegrees,
  distanceM,
  type GeoPoint,
  placeBetween,
  radians,
  turnDegrees,
  wrapDegrees,
} from '../arithmetic.ts';
import { limits } from './limits.ts';
import type { RecordedDrive } from './recorded-drive.ts';

/** How much of the sky a GNSS antenna can see: all, a strip between buildings, or none (below a bridge). */
export type SkyView = 'open' | 'canyon' | 'covered';

/**
 * Streets as a table: their corners in driving order. In a loop the first corner follows the last. A route
 * with two ends is driven there and back, with a stop and a turn at each end.
 */
export interface RouteTable {
  /** kebab-case; for a file its name */
  readonly name: string;
  readonly city: string;
  readonly shape: 'loop' | 'there-and-back';
  /** The speed limit of rows without their own. */
  readonly limitKph: number;
  readonly rows: readonly RouteRow[];
}

/** One corner, and the street from it to the next one. */
export interface RouteRow {
  readonly at: readonly [latitude: number, longitude: number];
  readonly altitudeM: number;
  readonly light?: true;
  readonly limitKph?: number;
  readonly sky?: SkyView;
}

/** A closed loop that can be driven; a route there and back becomes one too. */
export interface Route {
  readonly name: string;
  readonly lengthM: number;
  readonly corners: readonly Corner[];
  /** It is driven once, as it was recorded, and not from light to light; absent: as streets are. */
  readonly drive?: RecordedDrive;
}

/** A corner of the loop, and the straight street to the next one. */
export interface Corner {
  readonly place: GeoPoint;
  readonly altitudeM: number;
  /** Distance from the beginning of the loop. */
  readonly startM: number;
  readonly lengthM: number;
  readonly bearing: number;
  /** The turn of the street here in degrees, right positive, -180 to 180. */
  readonly turn: number;
  /** The corner is rounded over this distance before and after it. */
  readonly roundingM: number;
  /** The curvature of the arc around the corner: 1 / radius in metres, right positive. */
  readonly curvaturePerM: number;
  readonly light: boolean;
  readonly limitKph: number;
  readonly sky: SkyView;
}

/** A vehicle's position on a loop. */
export interface RouteSpot extends GeoPoint {
  readonly altitudeM: number;
  readonly headingDegrees: number;
  /** The curvature of the street here: 1 / radius in metres, right positive, 0 where it is straight. */
  readonly curvaturePerM: number;
  /** Metres of climb per metre. */
  readonly slope: number;
  readonly sky: SkyView;
}

/**
 * Computes the route of a table. Two rows at one place are an error of the table, which a
 * test finds.
 */
export function measuredRoute(table: RouteTable): Route {
  const rows = roundOf(table);
  const places = rows.map(({ at: [latitude, longitude] }) => ({ latitude, longitude }));
  const bearings = places.map((place, index) => bearingDegrees(place, cyclic(places, index + 1)));
  const lengths = places.map((place, index) => distanceM(place, cyclic(places, index + 1)));
  let startM = 0;
  const corners = rows.map((row, index) => {
    const bearing = cyclic(bearings, index);
    const lengthM = cyclic(lengths, index);
    const turn = turnDegrees(cyclic(bearings, index - 1), bearing);
    const roundingM = Math.min(limits.roundingM, lengthM / 2, cyclic(lengths, index - 1) / 2);
    const corner: Corner = {
      place: cyclic(places, index),
      altitudeM: row.altitudeM,
      startM,
      lengthM,
      bearing,
      turn,
      roundingM,
      curvaturePerM: roundingM > 0 ? radians(turn) / (2 * roundingM) : 0,
      light: row.light === true,
      limitKph: row.limitKph ?? table.limitKph,
      sky: row.sky ?? 'open',
    };
    startM += lengthM;
    return corner;
  });
  return { name: table.name, lengthM: startM, corners };
}

/** The rows in the order in which they are passed, including the way back if there is one. */
function roundOf({ shape, rows }: RouteTable): readonly RouteRow[] {
  if (shape === 'loop') return rows;
  const last = rows.length - 1;
  const there = rows.map(
    (row, index): RouteRow => (index === 0 || index === last ? { ...row, light: true } : row),
  );
  // On the way back the attributes of a street are those of the row at its other end.
  const back = there
    .slice(1)
    .reverse()
    .map((row, index) => wayOf(row, rows[last - 1 - index] ?? row));
  return [...there.slice(0, last), ...back];
}

function wayOf({ at, altitudeM, light }: RouteRow, { limitKph, sky }: RouteRow): RouteRow {
  return {
    at,
    altitudeM,
    ...(light === undefined ? {} : { light }),
    ...(limitKph === undefined ? {} : { limitKph }),
    ...(sky === undefined ? {} : { sky }),
  };
}

/** The index of the last corner at or before `alongM`, which may be any number of rounds. */
export function cornerBefore(route: Route, alongM: number): number {
  const wanted = onLoop(route, alongM);
  let low = 0;
  let high = route.corners.length - 1;
  while (low < high) {
    const middle = Math.floor((low + high + 1) / 2);
    if (corner(route, middle).startM <= wanted) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A corner by its index, which may exceed the end of the loop. */
export function corner(route: Route, index: number): Corner {
  return cyclic(route.corners, index);
}

/** `alongM` reduced to the loop: from 0 to below its length. */
export function onLoop(route: Route, alongM: number): number {
  const rest = alongM - Math.floor(alongM / route.lengthM) * route.lengthM;
  return rest >= 0 && rest < route.lengthM ? rest : 0;
}

/** The spot `alongM` metres from the beginning of the loop, over any number of rounds. */
export function spotAt(route: Route, alongM: number): RouteSpot {
  const index = cornerBefore(route, alongM);
  const here = corner(route, index);
  const next = corner(route, index + 1);
  const doneM = onLoop(route, alongM) - here.startM;
  const fraction = here.lengthM > 0 ? Math.min(doneM / here.lengthM, 1) : 0;
  const { latitude, longitude } = placeBetween(here.place, next.place, fraction);
  const riseM = next.altitudeM - here.altitudeM;
  return {
    latitude,
    // A route across the date line continues on its other side.
    longitude: Math.abs(longitude) > 180 ? turnDegrees(0, longitude) : longitude,
    altitudeM: here.altitudeM + riseM * fraction,
    headingDegrees: headingOn(here, next, doneM),
    curvaturePerM: curvatureOn(here, next, doneM),
    slope: here.lengthM > 0 ? riseM / here.lengthM : 0,
    sky: here.sky,
  };
}

/** Only the heading of `spotAt`. */
export function headingAt(route: Route, alongM: number): number {
  const index = cornerBefore(route, alongM);
  const here = corner(route, index);
  return headingOn(here, corner(route, index + 1), onLoop(route, alongM) - here.startM);
}

/** The street's bearing; near a corner a share of the turn, half of it at the corner itself. */
function headingOn(here: Corner, next: Corner, doneM: number): number {
  const leftM = here.lengthM - doneM;
  if (doneM < here.roundingM)
    return wrapDegrees(here.bearing - (here.turn / 2) * (1 - doneM / here.roundingM));
  if (leftM < next.roundingM)
    return wrapDegrees(here.bearing + (next.turn / 2) * (1 - leftM / next.roundingM));
  return wrapDegrees(here.bearing);
}

/** The heading's change per metre, which is constant around a corner. */
function curvatureOn(here: Corner, next: Corner, doneM: number): number {
  if (doneM < here.roundingM) return here.curvaturePerM;
  return here.lengthM - doneM < next.roundingM ? next.curvaturePerM : 0;
}

/** The item at an index that may exceed either end and continues from the other. */
function cyclic<T>(items: readonly T[], index: number): T {
  const item = items[((index % items.length) + items.length) % items.length];
  if (item === undefined) throw new RangeError('a loop has no corners');
  return item;
}

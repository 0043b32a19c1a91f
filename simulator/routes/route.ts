import {
  bearingDegrees,
  distanceM,
  type Place,
  placeBetween,
  radians,
  turnDegrees,
  wrapDegrees,
} from '../arithmetic.ts';
import { limits } from './limits.ts';

/** How much of the sky a GNSS antenna sees: all, a strip between houses, or none (below a bridge). */
export type Sky = 'open' | 'canyon' | 'covered';

/**
 * Streets as they are written down: their corners in the order of driving. After the last corner of a loop comes its
 * first; a way with two ends is driven there and back, with a stop and a turn at either.
 */
export interface RouteTable {
  /** kebab-case; of a file its name */
  readonly name: string;
  readonly city: string;
  readonly shape: 'loop' | 'there-and-back';
  /** Where a row says nothing else. */
  readonly limitKph: number;
  readonly rows: readonly RouteRow[];
}

/** One corner, and the way from it to the next one. */
export interface RouteRow {
  readonly at: readonly [latitude: number, longitude: number];
  readonly altitudeM: number;
  readonly light?: true;
  readonly limitKph?: number;
  readonly sky?: Sky;
}

/** A loop ready to be driven; a way there and back is one too. */
export interface Route {
  readonly name: string;
  readonly lengthM: number;
  readonly corners: readonly Corner[];
}

/** A corner of the loop, and the straight way that leads from it to the next. */
export interface Corner {
  readonly place: Place;
  readonly altitudeM: number;
  /** Way from the beginning of the loop. */
  readonly startM: number;
  readonly lengthM: number;
  readonly bearing: number;
  /** How far the street turns here, right positive, -180 to 180. */
  readonly turn: number;
  /** The corner is rounded over this way before and after it. */
  readonly roundingM: number;
  /** Of the arc around the corner: 1 / radius in metres, right positive. */
  readonly curvaturePerM: number;
  readonly light: boolean;
  readonly limitKph: number;
  readonly sky: Sky;
}

/** Where a vehicle stands on a loop. */
export interface Spot extends Place {
  readonly altitudeM: number;
  readonly headingDegrees: number;
  /** How the way bends here: 1 / radius in metres, right positive, 0 where it is straight. */
  readonly curvaturePerM: number;
  /** Metres up a metre of way. */
  readonly slope: number;
  readonly sky: Sky;
}

/** Measures a table. Rows that lie on each other are the table's mistake, which `faultsOf` finds. */
export function surveyed(table: RouteTable): Route {
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

/** The rows in the order in which they are passed, with the way back where there is one. */
function roundOf({ shape, rows }: RouteTable): readonly RouteRow[] {
  if (shape === 'loop') return rows;
  const last = rows.length - 1;
  const there = rows.map(
    (row, index): RouteRow => (index === 0 || index === last ? { ...row, light: true } : row),
  );
  // What a row says of the way from it, on the way back the row at that way's other end says.
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

/** What is wrong with a built-in table; empty: nothing. A drive is planned from light to light, so it needs one. */
export function faultsOf(table: RouteTable): readonly string[] {
  const faults: string[] = [];
  const fewest = table.shape === 'loop' ? 3 : 2;
  if (table.rows.length < fewest) return [`${table.name} has fewer than ${fewest} corners`];
  const { corners } = surveyed(table);
  if (!corners.some((row) => row.light)) faults.push(`${table.name} has no light`);
  for (const [index, corner] of corners.entries()) {
    const where = `${table.name}, row ${index}`;
    if (corner.lengthM < 2 * limits.roundingM)
      faults.push(`${where}: the way to the next corner is too short`);
    if (corner.lengthM > limits.longestGapM) faults.push(`${where}: the next corner is too far for a street`);
    if (corner.limitKph < 5 || corner.limitKph > 130) faults.push(`${where}: no speed limit`);
    const isEnd = table.shape === 'there-and-back' && (index === 0 || index === table.rows.length - 1);
    if (!isEnd && Math.abs(corner.turn) > 135) faults.push(`${where}: the street turns back`);
  }
  return faults;
}

/** The index of the corner that lies at or before `alongM`, which may be any number of rounds. */
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

/** A corner by its index, which may run over the end of the loop and on. */
export function corner(route: Route, index: number): Corner {
  return cyclic(route.corners, index);
}

/** `alongM` within the loop: 0 to below its length. */
export function onLoop(route: Route, alongM: number): number {
  const rest = alongM - Math.floor(alongM / route.lengthM) * route.lengthM;
  return rest >= 0 && rest < route.lengthM ? rest : 0;
}

/** The spot `alongM` metres from the beginning of the loop, over any number of rounds. */
export function spotAt(route: Route, alongM: number): Spot {
  const index = cornerBefore(route, alongM);
  const here = corner(route, index);
  const next = corner(route, index + 1);
  const doneM = onLoop(route, alongM) - here.startM;
  const fraction = here.lengthM > 0 ? Math.min(doneM / here.lengthM, 1) : 0;
  const { latitude, longitude } = placeBetween(here.place, next.place, fraction);
  const riseM = next.altitudeM - here.altitudeM;
  return {
    latitude,
    // A way across the date line goes on from its other side.
    longitude: Math.abs(longitude) > 180 ? turnDegrees(0, longitude) : longitude,
    altitudeM: here.altitudeM + riseM * fraction,
    headingDegrees: headingOn(here, next, doneM),
    curvaturePerM: curvatureOn(here, next, doneM),
    slope: here.lengthM > 0 ? riseM / here.lengthM : 0,
    sky: here.sky,
  };
}

/** The heading alone of `spotAt`. */
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

/** The heading's change over the way, which is the same all around a corner. */
function curvatureOn(here: Corner, next: Corner, doneM: number): number {
  if (doneM < here.roundingM) return here.curvaturePerM;
  return here.lengthM - doneM < next.roundingM ? next.curvaturePerM : 0;
}

/** The item at an index that may run over either end and on from the other. */
function cyclic<T>(items: readonly T[], index: number): T {
  const item = items[((index % items.length) + items.length) % items.length];
  if (item === undefined) throw new RangeError('a loop has no corners');
  return item;
}

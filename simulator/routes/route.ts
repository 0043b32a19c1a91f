import {
  bearingDegrees,
  distanceM,
  type Place,
  placeBetween,
  turnDegrees,
  wrapDegrees,
} from '../arithmetic.ts';

/** How much of the sky a GNSS antenna sees: all, a strip between houses, or none (below a bridge). */
export type Sky = 'open' | 'canyon' | 'covered';

/** A loop of streets as it is written down: its corners in the order of driving; after the last comes the first. */
export interface RouteTable {
  /** kebab-case */
  readonly name: string;
  readonly city: string;
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

/** A loop ready to be driven. */
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
  readonly light: boolean;
  readonly limitKph: number;
  readonly sky: Sky;
}

/** Where a vehicle stands on a loop. */
export interface Spot extends Place {
  readonly altitudeM: number;
  readonly headingDegrees: number;
  readonly sky: Sky;
}

/** A car rounds a corner over this way before and after it, so that its heading does not jump. */
const ROUNDING_M = 8;

/** Measures a table. Rows that lie on each other are the table's mistake, which `faultsOf` finds. */
export function surveyed(table: RouteTable): Route {
  const places = table.rows.map(({ at: [latitude, longitude] }) => ({ latitude, longitude }));
  const bearings = places.map((place, index) => bearingDegrees(place, cyclic(places, index + 1)));
  let startM = 0;
  const corners = table.rows.map((row, index) => {
    const place = cyclic(places, index);
    const bearing = cyclic(bearings, index);
    const lengthM = distanceM(place, cyclic(places, index + 1));
    const corner: Corner = {
      place,
      altitudeM: row.altitudeM,
      startM,
      lengthM,
      bearing,
      turn: turnDegrees(cyclic(bearings, index - 1), bearing),
      light: row.light === true,
      limitKph: row.limitKph ?? table.limitKph,
      sky: row.sky ?? 'open',
    };
    startM += lengthM;
    return corner;
  });
  return { name: table.name, lengthM: startM, corners };
}

/** What is wrong with a table; empty: nothing. A loop needs a light, since a drive is planned from light to light. */
export function faultsOf(table: RouteTable): readonly string[] {
  const faults: string[] = [];
  if (table.rows.length < 3) return [`${table.name} has fewer than 3 corners`];
  if (!table.rows.some((row) => row.light === true)) faults.push(`${table.name} has no light`);
  for (const [index, corner] of surveyed(table).corners.entries()) {
    const where = `${table.name}, row ${index}`;
    if (corner.lengthM < 2 * ROUNDING_M) faults.push(`${where}: the way to the next corner is too short`);
    if (corner.lengthM > 2_000) faults.push(`${where}: the next corner is too far for a street`);
    if (corner.limitKph < 5 || corner.limitKph > 130) faults.push(`${where}: no speed limit`);
    if (Math.abs(corner.turn) > 135) faults.push(`${where}: the street turns back`);
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
  const fraction = Math.min(doneM / here.lengthM, 1);
  return {
    ...placeBetween(here.place, next.place, fraction),
    altitudeM: here.altitudeM + (next.altitudeM - here.altitudeM) * fraction,
    headingDegrees: headingOn(here, next, doneM),
    sky: here.sky,
  };
}

/** The street's bearing; near a corner a share of the turn, half of it at the corner itself. */
function headingOn(here: Corner, next: Corner, doneM: number): number {
  const leftM = here.lengthM - doneM;
  if (doneM < ROUNDING_M) return wrapDegrees(here.bearing - (here.turn / 2) * (1 - doneM / ROUNDING_M));
  if (leftM < ROUNDING_M) return wrapDegrees(here.bearing + (next.turn / 2) * (1 - leftM / ROUNDING_M));
  return wrapDegrees(here.bearing);
}

/** The item at an index that may run over either end and on from the other. */
function cyclic<T>(items: readonly T[], index: number): T {
  const item = items[((index % items.length) + items.length) % items.length];
  if (item === undefined) throw new RangeError('a loop has no corners');
  return item;
}

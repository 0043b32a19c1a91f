import { bearingDegrees, distanceM, type GeoPoint, turnDegrees } from '../arithmetic.ts';
import { limits } from './limits.ts';
import { measuredRoute, type Route, type RouteRow, type RouteTable } from './route.ts';

/** A point of a way as a file has it. */
export interface RoutePoint extends GeoPoint {
  /** Absent: the file does not say. */
  readonly altitudeM?: number;
}

/** A fault of a file, and its place: `line 12`, `coordinates[3]`; an empty place is the whole file. */
export interface RouteFault {
  readonly place: string;
  readonly reason: string;
}

/** The points of a file's way, and the name of a point's place in the file. */
export interface RoutePoints {
  readonly points: readonly RoutePoint[];
  placeOf(index: number): string;
}

export type RouteReading<Found> = ({ readonly fault?: undefined } & Found) | { readonly fault: RouteFault };

/** A fault at that place. The reason is cut to one short line: parsers of XML and JSON quote any amount of the file. */
export function routeFault(place: string, reason: string): { readonly fault: RouteFault } {
  const line = reason.slice(0, limits.reasonCharacters).replace(/\s+/g, ' ').trim();
  return { fault: { place, reason: reason.length > limits.reasonCharacters ? `${line}....` : line } };
}

/**
 * The route along the points of a file: a loop where its ends meet, else there and back. Dense points are thinned out,
 * missing altitudes are those of the point before, and there are lights at sharp turns and every few hundred metres. A
 * fault where a coordinate is out of range, points jump, or the rest is no route that can be driven.
 */
export function routeAlong(
  name: string,
  { points, placeOf }: RoutePoints,
): RouteReading<{ readonly route: Route }> {
  if (points.length > limits.points)
    return routeFault(
      '',
      `has ${points.length} points; at most ${limits.points} are read. Leave out every other one.`,
    );
  if (points.length < 2) {
    const count = points.length === 0 ? 'no point' : 'one point only';
    return routeFault('', `has ${count}; a way takes two at least.`);
  }
  for (const [index, point] of points.entries()) {
    const reason = pointFault(point) ?? gapTo(point, points[index - 1]);
    if (reason !== undefined) return routeFault(placeOf(index), reason);
  }
  const rows = rowsAlong(points);
  const table = shaped(name, rows);
  const route = measuredRoute(table);
  const wayM = table.shape === 'loop' ? route.lengthM : route.lengthM / 2;
  if (rows.length < 2) return routeFault('', 'has all its points in one place; a way leads somewhere.');
  if (wayM < limits.shortestWayM)
    return routeFault(
      '',
      `is ${Math.floor(wayM)} m long; a way must have ${limits.shortestWayM} m at least.`,
    );
  return { route };
}

/** Why no road can be at that place; undefined: one can. */
export function pointFault({ latitude, longitude, altitudeM }: RoutePoint): string | undefined {
  const isInside = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  if (isInside) {
    if (altitudeM === undefined) return undefined;
    if (altitudeM >= limits.lowestAltitudeM && altitudeM <= limits.highestAltitudeM) return undefined;
    return `is ${altitudeM} m high; a road lies between ${limits.lowestAltitudeM} and ${limits.highestAltitudeM} m.`;
  }
  const wrong =
    Math.abs(latitude) > 90
      ? `has the latitude ${latitude}, which is outside -90 to 90.`
      : `has the longitude ${longitude}, which is outside -180 to 180.`;
  const isSwapped = Math.abs(longitude) <= 90 && Math.abs(latitude) <= 180;
  if (isSwapped) return `${wrong} Are latitude and longitude swapped?`;
  const isFar = Math.abs(latitude) > 360 || Math.abs(longitude) > 360;
  return isFar ? `${wrong} Coordinates are degrees (WGS 84), not metres of a map.` : wrong;
}

function gapTo(point: RoutePoint, before: RoutePoint | undefined): string | undefined {
  if (before === undefined) return undefined;
  const gapM = distanceM(before, point);
  if (gapM <= limits.longestGapM) return undefined;
  return `is ${Math.round(gapM)} m from the point before it; more than ${limits.longestGapM} m is a jump.`;
}

/** The corners without those that are too close to another. */
function rowsAlong(points: readonly RoutePoint[]): readonly RouteRow[] {
  const rows: RouteRow[] = [];
  let altitudeM = points.find((point) => point.altitudeM !== undefined)?.altitudeM ?? 0;
  let kept: RoutePoint | undefined;
  for (const point of points) {
    altitudeM = point.altitudeM ?? altitudeM;
    if (kept !== undefined && distanceM(kept, point) < limits.shortestGapM) continue;
    kept = point;
    rows.push({ at: [point.latitude, point.longitude], altitudeM });
  }
  return rows;
}

function shaped(name: string, rows: readonly RouteRow[]): RouteTable {
  const rest = { name, city: '', limitKph: limits.fileLimitKph };
  const [first, last] = [rows[0], rows.at(-1)];
  if (first === undefined || last === undefined || rows.length < 4)
    return { ...rest, shape: 'there-and-back', rows: lit(rows) };
  const closingM = distanceM(placeOf(last), placeOf(first));
  if (closingM > limits.closedWithinM) return { ...rest, shape: 'there-and-back', rows: lit(rows) };
  // A repetition of the first corner is not another corner.
  return { ...rest, shape: 'loop', rows: lit(closingM < limits.shortestGapM ? rows.slice(0, -1) : rows) };
}

function placeOf({ at: [latitude, longitude] }: RouteRow): GeoPoint {
  return { latitude, longitude };
}

/** A file contains no lights: there is one at the beginning, at sharp turns, and on long ways without any. */
function lit(rows: readonly RouteRow[]): readonly RouteRow[] {
  let sinceM = Number.POSITIVE_INFINITY;
  return rows.map((row, index) => {
    const [before, next] = [rows[index - 1], rows[index + 1]];
    if (before !== undefined) sinceM += distanceM(placeOf(before), placeOf(row));
    const turn =
      before === undefined || next === undefined
        ? 0
        : Math.abs(
            turnDegrees(
              bearingDegrees(placeOf(before), placeOf(row)),
              bearingDegrees(placeOf(row), placeOf(next)),
            ),
          );
    const isSharp = turn >= limits.lightTurnDegrees && sinceM >= limits.lightLeastM;
    if (!isSharp && sinceM < limits.lightMostM) return row;
    sinceM = 0;
    return { ...row, light: true };
  });
}

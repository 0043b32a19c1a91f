import { type JsonObject, jsonObject } from '../../../world/json.ts';
import { distanceM } from '../../arithmetic.ts';
import { onlyLineOf } from '../../routes/geojson.ts';
import { type RouteReading, routeFault } from '../../routes/points.ts';
import type { Remarks } from '../../routes/remarks.ts';
import { shownText } from '../../routes/text.ts';
import { findColumns } from '../column-names.ts';
import type { DriveTable } from '../drive-table.ts';
import { limits } from '../limits.ts';
import { roughTimeMs } from '../time-column.ts';
import { isUsualSpeed, usualSpeedMps } from '../usual-speed.ts';
import { ownOf } from './members.ts';

/** A position with the properties of its moment, and the path that leads to it. */
interface Moment {
  readonly position: unknown;
  readonly path: string;
  valueAt(name: string): unknown;
}

interface Moments {
  readonly moments: readonly Moment[];
  readonly names: readonly string[];
}

const FORMS =
  'A drive is a LineString with properties.coordinateProperties.times, or a FeatureCollection of Points with a time each';

/** The columns of a position. The fourth number is not defined by RFC 7946, 3.1.1; some programs write the time there. */
const POSITION = ['longitude', 'latitude', 'altitude'];
const FOURTH = 3;

/**
 * The table of a GeoJSON document: of a line whose `coordinateProperties`, or properties, have lists with a value for each
 * position; of a line whose positions have a time as their fourth number; or of points, each with a time among its properties.
 * Properties are named as the columns of a table are.
 */
export function readDriveGeoJson(root: unknown, remarks: Remarks): RouteReading<DriveTable> {
  const found = momentsOf(jsonObject(root), remarks);
  if (found.fault !== undefined) return found;
  const { moments, names } = found;
  const headers = [...POSITION, '', ...names];
  const isOfPosition = (index: number): boolean => index <= FOURTH;
  const { columns } = findColumns(headers.map((header, index) => (isOfPosition(index) ? '' : header)));
  const readings = columns.filter(({ what }) => !POSITION.includes(what));
  const ofPosition = findColumns(POSITION).columns;
  const rows = moments.map(({ position, path, valueAt }) => {
    const isList = Array.isArray(position);
    const numbers: readonly unknown[] = isList ? position : [position, position];
    const values = names.map((name) => valueAt(name));
    return {
      cells: [...POSITION, ''].map((_, index) => numbers[index]).concat(values),
      placeOf: () => path,
    };
  });
  const hasTimes = readings.some(({ what }) => what === 'time');
  const fourth = hasTimes ? [] : timeOfFourth(rows, remarks);
  return { columns: [...ofPosition, ...readings, ...fourth], rows, noun: 'point' };
}

/** The column of times as the fourth number of positions; none where that is no time. */
function timeOfFourth(
  rows: readonly { readonly cells: readonly unknown[] }[],
  remarks: Remarks,
): DriveTable['columns'] {
  const values = rows.map(({ cells }) => cells[FOURTH]);
  if (values.length < 2 || !growsLikeTime(values) || isWay(rows) || !isPlausible(rows)) return [];
  remarks.add(
    'fourth number',
    () => '',
    () => 'has no times with its positions: their fourth number, which grows like one, is the time.',
  );
  return findColumns(['', '', '', 'time']).columns;
}

/** Nine of ten times are later than the one before. */
function growsLikeTime(values: readonly unknown[]): boolean {
  const grown = values.filter((value, index) => {
    const before = values[index - 1];
    return typeof value === 'number' && typeof before === 'number' && value > before;
  }).length;
  return grown >= 0.9 * (values.length - 1);
}

/** Whether a vehicle can be at these positions at these times. */
function isPlausible(rows: readonly { readonly cells: readonly unknown[] }[]): boolean {
  const moments = rows.flatMap(({ cells: [longitude, latitude, , fourth] }) => {
    const atMs = roughTimeMs(fourth);
    const isMoment = typeof longitude === 'number' && typeof latitude === 'number' && atMs !== undefined;
    return isMoment ? [{ latitude, longitude, atMs }] : [];
  });
  const ways = moments.slice(1).map((moment, index) => {
    const before = moments[index] ?? moment;
    return { wayM: distanceM(before, moment), passedS: (moment.atMs - before.atMs) / 1_000 };
  });
  return isUsualSpeed(usualSpeedMps(ways) ?? 0);
}

/** Whether the fourth number is the length of the way so far, which grows too: in metres or in kilometres. */
function isWay(rows: readonly { readonly cells: readonly unknown[] }[]): boolean {
  let wayM = 0;
  const points = rows.flatMap(({ cells: [longitude, latitude] }) =>
    typeof longitude === 'number' && typeof latitude === 'number' ? [{ latitude, longitude }] : [],
  );
  for (const [index, point] of points.entries()) wayM += distanceM(points[index - 1] ?? point, point);
  const [first, last] = [rows[0]?.cells[FOURTH], rows.at(-1)?.cells[FOURTH]];
  if (typeof first !== 'number' || typeof last !== 'number') return false;
  const isOneIn = (unitM: number): boolean => Math.abs(((last - first) * unitM) / wayM - 1) < 0.05;
  return isOneIn(1) || isOneIn(1_000);
}

function momentsOf(root: JsonObject, remarks: Remarks): RouteReading<Moments> {
  const { type } = root;
  if (type === 'Feature') return ofLine(root, '');
  if (type === 'LineString' || type === 'MultiLineString') return ofLine({ geometry: root }, '');
  if (type !== 'FeatureCollection')
    return routeFault('', `is no recorded drive: it is of the type ${shownText(type)}. ${FORMS}.`);
  const features = root['features'];
  if (!Array.isArray(features) || features.length === 0)
    return routeFault('features', 'is empty: there is no drive in it.');
  const all = (features as readonly unknown[]).map(jsonObject);
  const points = all.flatMap((feature, index) => (isPoint(feature) ? [{ feature, index }] : []));
  const lines = all.length - points.length;
  if (lines === 0) return ofPoints(points);
  // If points have times and their line has none, the points are the drive.
  const timed = ofPoints(points);
  const index = onlyLineOf(all, remarks);
  if (index === undefined) {
    if (points.length > lines && hasTimes(timed.names)) return timed;
    return routeFault('features', `has ${all.length} features. Keep the one to drive.`);
  }
  const line = ofLine(all[index] ?? {}, `features[${index}].`);
  if (line.fault !== undefined) return line;
  return points.length > 1 && !hasTimes(line.names) && hasTimes(timed.names) ? timed : line;
}

function hasTimes(names: readonly string[]): boolean {
  return findColumns(names).columns.some(({ what }) => what === 'time');
}

function isPoint(feature: JsonObject): boolean {
  return geometryOf(feature)['type'] === 'Point';
}

function ofPoints(points: readonly { readonly feature: JsonObject; readonly index: number }[]): Moments {
  const names = new Set<string>();
  const moments = points.map(({ feature, index }): Moment => {
    const properties = jsonObject(feature['properties']);
    for (const name of Object.keys(properties)) if (names.size < limits.columns) names.add(name);
    return {
      position: geometryOf(feature)['coordinates'],
      path: `features[${index}]`,
      valueAt: (name) => ownOf(properties, name),
    };
  });
  return { moments, names: [...names] };
}

/** A line, or the lines of a MultiLineString with a list of values for each. */
function ofLine(feature: JsonObject, path: string): RouteReading<Moments> {
  const { type, coordinates } = geometryOf(feature);
  const isMany = type === 'MultiLineString';
  if (type !== 'LineString' && !isMany)
    return routeFault(path.slice(0, -1), `is a ${shownText(type)}, and no line. ${FORMS}.`);
  const properties = jsonObject(feature['properties']);
  const lists = listsOf(properties, path);
  const names = [...lists.keys()].slice(0, limits.columns);
  const lines: readonly unknown[] = isMany ? listOf(coordinates) : [coordinates];
  const moments: Moment[] = [];
  for (const [line, positions] of lines.entries()) {
    const where = `${path}geometry.coordinates${isMany ? `[${line}]` : ''}`;
    const list = listOf(positions);
    const values = new Map<string, readonly unknown[]>();
    for (const [name, { value, at }] of lists) {
      const ofLineOnly = listOf(isMany ? listOf(value)[line] : value);
      if (ofLineOnly.length !== list.length && ofLineOnly.length > 0)
        return routeFault(at, `has ${ofLineOnly.length} values for ${list.length} positions.`);
      values.set(name, ofLineOnly);
    }
    for (const [index, position] of list.entries())
      moments.push({
        position,
        path: `${where}[${index}]`,
        valueAt: (name) => values.get(name)?.[index],
      });
  }
  return { moments, names };
}

/**
 * The lists with a value for each position: all of `coordinateProperties`, and of the other properties those that are named as
 * columns are (`coordTimes`).
 */
function listsOf(
  properties: JsonObject,
  path: string,
): ReadonlyMap<string, { readonly value: unknown; readonly at: string }> {
  const lists = new Map<string, { readonly value: unknown; readonly at: string }>();
  const inner = jsonObject(properties['coordinateProperties']);
  for (const [name, value] of Object.entries(inner))
    lists.set(name, { value, at: `${path}properties.coordinateProperties.${shownText(name)}` });
  for (const [name, value] of Object.entries(properties))
    if (Array.isArray(value) && !lists.has(name) && findColumns([name]).columns.length > 0)
      lists.set(name, { value, at: `${path}properties.${shownText(name)}` });
  return lists;
}

function geometryOf(feature: JsonObject): JsonObject {
  return jsonObject(feature['geometry']);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

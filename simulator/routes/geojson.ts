import { type RoutePoint, type RoutePoints, type RouteReading, routeFault } from './points.ts';
import { lineAt, shownText } from './text.ts';

/** The points of the one line of a GeoJSON file (RFC 7946): a LineString or a MultiLineString, bare or as a feature. */
export function readGeoJson(text: string): RouteReading<RoutePoints> {
  const parsed = parseJson(text);
  return parsed.fault === undefined ? readGeometry(parsed.root, '', true) : parsed;
}

/** The value of a JSON text, or where it is broken. */
export function parseJson(text: string): RouteReading<{ readonly root: unknown }> {
  try {
    return { root: JSON.parse(text) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const offset = /at position (\d{1,9})/.exec(message)?.[1];
    // The parser names an offset, or shows what stands around it, or the text ends too early.
    const place = offset === undefined ? '' : lineAt(text, Number(offset));
    return routeFault(place, `is broken JSON: ${shownText(message.replace(/ in JSON.*| \(line.*/s, ''))}.`);
  }
}

type Members = Readonly<Record<string, unknown>>;

/** `path` leads to the object, with a dot at its end where it is not the root. */
function readGeometry(value: unknown, path: string, mayBeFeature: boolean): RouteReading<RoutePoints> {
  const what = path === '' ? '' : path.slice(0, -1);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return routeFault(what, `is no GeoJSON: ${shownText(value)} where an object with a type must stand.`);
  const members = value as Members;
  const { type } = members;
  switch (type) {
    case 'FeatureCollection':
      if (mayBeFeature && path === '') return readCollection(members);
      break;
    case 'Feature':
      if (!mayBeFeature) break;
      if (members['geometry'] === null || members['geometry'] === undefined)
        return routeFault(what, 'is a feature without a geometry.');
      return readGeometry(members['geometry'], `${path}geometry.`, false);
    case 'LineString':
      return readLines([members['coordinates']], () => `${path}coordinates`);
    case 'MultiLineString': {
      const lines = members['coordinates'];
      if (!Array.isArray(lines)) return routeFault(`${path}coordinates`, 'is no list of lines.');
      return readLines(lines, (line) => `${path}coordinates[${line}]`);
    }
    default:
  }
  if (typeof type !== 'string') return routeFault(what, 'is no GeoJSON: it has no type.');
  return routeFault(what, `is not a line: it is of the type ${shownText(type)}, and a way is a LineString.`);
}

function readCollection({ features }: Members): RouteReading<RoutePoints> {
  if (!Array.isArray(features)) return routeFault('features', 'is no list.');
  if (features.length === 0) return routeFault('features', 'is empty: there is no line in it.');
  if (features.length > 1)
    return routeFault('features', `has ${features.length} features. Keep the one that is to be driven.`);
  return readGeometry(features[0], 'features[0].', true);
}

/** The lines one after the other; a gap between two of them is a jump like any other. */
function readLines(lines: readonly unknown[], pathOf: (line: number) => string): RouteReading<RoutePoints> {
  const points: RoutePoint[] = [];
  const starts: number[] = [];
  for (const [line, coordinates] of lines.entries()) {
    if (!Array.isArray(coordinates)) return routeFault(pathOf(line), 'is no list of positions.');
    starts.push(points.length);
    for (const [index, position] of (coordinates as readonly unknown[]).entries()) {
      const read = readPosition(position);
      if (typeof read === 'string') return routeFault(`${pathOf(line)}[${index}]`, read);
      points.push(read);
    }
  }
  return {
    points,
    placeOf: (index) => {
      const line = starts.findLastIndex((start) => start <= index);
      return `${pathOf(line)}[${index - (starts[line] ?? 0)}]`;
    },
  };
}

/** Longitude first, then latitude; a third number is the altitude. */
export function readPosition(position: unknown): RoutePoint | string {
  if (!Array.isArray(position) || position.length < 2)
    return `is no position: ${shownText(position)}. It takes [longitude, latitude] or [longitude, latitude, altitude].`;
  const [longitude, latitude, altitudeM] = position as readonly unknown[];
  if (!isNumber(longitude) || !isNumber(latitude) || (altitudeM !== undefined && !isNumber(altitudeM)))
    return `has something else than numbers in it: ${shownText(position)}.`;
  return { latitude, longitude, ...(altitudeM === undefined ? {} : { altitudeM }) };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

import { errorText } from '../../world/error-text.ts';
import { type RoutePoint, type RoutePoints, type RouteReading, routeFault } from './points.ts';
import { type Remarks, readAltitude } from './remarks.ts';
import { lineAt, shownText } from './text.ts';

/** The points of the one line of a GeoJSON file (RFC 7946): a LineString or a MultiLineString, bare or as a feature. */
export function readGeoJson(text: string, remarks: Remarks): RouteReading<RoutePoints> {
  const parsed = parseJson(text);
  return parsed.fault === undefined ? readGeometry(parsed.root, '', true, remarks) : parsed;
}

/** The value of a JSON text, or where it is broken. */
export function parseJson(text: string): RouteReading<{ readonly root: unknown }> {
  try {
    return { root: JSON.parse(text) };
  } catch (error) {
    const message = errorText(error);
    const offset = /at position (\d{1,9})/.exec(message)?.[1];
    // The parser names an offset, or quotes the text around it, or the text ends too early.
    const place = offset === undefined ? '' : lineAt(text, Number(offset));
    return routeFault(
      place,
      `is broken JSON: ${shownText(message.replace(/,? (?:\.\.\.)?".*| in JSON.*| \(line.*/s, ''))}.`,
    );
  }
}

type Members = Readonly<Record<string, unknown>>;

/** `path` leads to the object, with a dot at its end where it is not the root. */
function readGeometry(
  value: unknown,
  path: string,
  mayBeFeature: boolean,
  remarks: Remarks,
): RouteReading<RoutePoints> {
  const what = path === '' ? '' : path.slice(0, -1);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return routeFault(what, `is no GeoJSON: ${shownText(value)} where an object with a type is expected.`);
  const members = value as Members;
  const { type } = members;
  switch (type) {
    case 'FeatureCollection':
      if (mayBeFeature && path === '') return readCollection(members, remarks);
      break;
    case 'Feature':
      if (!mayBeFeature) break;
      if (members['geometry'] === null || members['geometry'] === undefined)
        return routeFault(what, 'is a feature without a geometry.');
      return readGeometry(members['geometry'], `${path}geometry.`, false, remarks);
    case 'LineString':
      return readLines([members['coordinates']], () => `${path}coordinates`, remarks);
    case 'MultiLineString': {
      const lines = members['coordinates'];
      if (!Array.isArray(lines)) return routeFault(`${path}coordinates`, 'is no list of lines.');
      return readLines(lines, (line) => `${path}coordinates[${line}]`, remarks);
    }
    default:
  }
  if (typeof type !== 'string') return routeFault(what, 'is no GeoJSON: it has no type.');
  return routeFault(what, `is not a line: it is of the type ${shownText(type)}, and a way is a LineString.`);
}

function readCollection({ features }: Members, remarks: Remarks): RouteReading<RoutePoints> {
  if (!Array.isArray(features)) return routeFault('features', 'is no list.');
  if (features.length === 0) return routeFault('features', 'is empty: there is no line in it.');
  const index = features.length === 1 ? 0 : onlyLineOf(features, remarks);
  if (index === undefined)
    return routeFault('features', `has ${features.length} features. Keep the one to drive.`);
  return readGeometry(features[index], `features[${index}].`, true, remarks);
}

/** The index of the one feature that is a line; undefined: there is none, or several. Other features are ignored. */
export function onlyLineOf(features: readonly unknown[], remarks: Remarks): number | undefined {
  const isLine = (feature: unknown): boolean =>
    ['LineString', 'MultiLineString'].includes(String(memberOf(memberOf(feature, 'geometry'), 'type')));
  const index = features.findIndex(isLine);
  if (index < 0 || features.findLastIndex(isLine) !== index) return undefined;
  const others = features.length - 1;
  if (others > 0)
    remarks.add(
      'other features',
      () => 'features',
      () => `has ${others} ${others === 1 ? 'feature' : 'features'} in addition to its line: left out.`,
    );
  return index;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Members)[name]
    : undefined;
}

/** The lines one after the other; a gap between two of them is a jump like any other. */
function readLines(
  lines: readonly unknown[],
  pathOf: (line: number) => string,
  remarks: Remarks,
): RouteReading<RoutePoints> {
  const points: RoutePoint[] = [];
  const paths: (() => string)[] = [];
  for (const [line, coordinates] of lines.entries()) {
    if (!Array.isArray(coordinates)) return routeFault(pathOf(line), 'is no list of positions.');
    for (const [index, position] of (coordinates as readonly unknown[]).entries()) {
      const path = () => `${pathOf(line)}[${index}]`;
      const read = readPosition(position, remarks, path);
      remarks.seen('position');
      if (typeof read === 'string') {
        remarks.unreadable('position', path, () => read, 'it is left out');
        continue;
      }
      points.push(read);
      paths.push(path);
    }
  }
  const fault = remarks.unreadableFault();
  return fault ?? { points, placeOf: (index) => paths[index]?.() ?? '' };
}

/** Longitude first, then latitude; a third number is the altitude, and no number there is none. */
function readPosition(position: unknown, remarks: Remarks, path: () => string): RoutePoint | string {
  if (!Array.isArray(position) || position.length < 2)
    return `is no position: ${shownText(position)}. It takes [longitude, latitude] or [longitude, latitude, altitude].`;
  const [longitude, latitude, height] = position as readonly unknown[];
  if (!isNumber(longitude) || !isNumber(latitude))
    return `has something else than numbers in it: ${shownText(position)}.`;
  const altitudeM = readAltitude(height, remarks, path);
  return altitudeM === undefined ? { latitude, longitude } : { latitude, longitude, altitudeM };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

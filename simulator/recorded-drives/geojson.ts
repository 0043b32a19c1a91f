import { parseJson, readPosition } from '../routes/geojson.ts';
import { type RouteReading, routeFault } from '../routes/points.ts';
import { shownText } from '../routes/text.ts';
import { type FoundColumn, findColumns } from './columns.ts';
import type { DriveSample, DriveSamples, Remarks } from './drive-sample.ts';
import { limits } from './limits.ts';
import { sampleOf } from './sample-of.ts';

type Members = Readonly<Record<string, unknown>>;

/** A position with the properties of its moment, and the path that leads to it. */
interface Moment {
  readonly position: unknown;
  readonly path: string;
  valueAt(name: string): unknown;
}

const FORMS =
  'A drive is a LineString with properties.coordinateProperties.times, or a FeatureCollection of Points with a time each';

/**
 * The samples of a GeoJSON file: of a line whose `coordinateProperties` have `times`, and other lists beside it; or of
 * points, each with a time among its properties. Properties are named as the columns of a table are.
 */
export function readDriveGeoJson(text: string, remarks: Remarks): RouteReading<DriveSamples> {
  const parsed = parseJson(text);
  if (parsed.fault !== undefined) return parsed;
  const found = momentsOf(membersOf(parsed.root));
  if (found.fault !== undefined) return found;
  const { moments, names } = found;
  if (moments.length > limits.samples)
    return routeFault('', `has ${moments.length} points; at most ${limits.samples} are read. Cut it.`);
  const { columns } = findColumns(names);
  const readings = columns.filter(({ what }) => !['latitude', 'longitude', 'altitude'].includes(what));
  if (readings.every(({ what }) => what !== 'time')) return routeFault('', `has no times. ${FORMS}.`);
  const samples: DriveSample[] = [];
  const placeOf = (index: number): string => moments[index]?.path ?? '';
  for (const [index, { position, valueAt }] of moments.entries()) {
    const point = readPosition(position);
    if (typeof point === 'string') return routeFault(placeOf(index), point);
    const valueIn = ({ index: at }: FoundColumn) => valueAt(names[at] ?? '');
    const sample = sampleOf(readings, valueIn, remarks, () => placeOf(index));
    if ('fault' in sample) return routeFault(placeOf(index), sample.fault);
    samples.push({ ...sample, ...point });
  }
  return { samples, placeOf };
}

type Moments = RouteReading<{ readonly moments: readonly Moment[]; readonly names: readonly string[] }>;

function momentsOf(root: Members): Moments {
  if (root['type'] === 'Feature') return ofLine(root, '');
  if (root['type'] !== 'FeatureCollection')
    return routeFault('', `is no recorded drive: it is of the type ${shownText(root['type'])}. ${FORMS}.`);
  const features = root['features'];
  if (!Array.isArray(features) || features.length === 0)
    return routeFault('features', 'is empty: there is no drive in it.');
  const all = (features as readonly unknown[]).map(membersOf);
  const [first = {}] = all;
  if (geometryOf(first)['type'] !== 'Point')
    return all.length === 1
      ? ofLine(first, 'features[0].')
      : routeFault('features', `has ${all.length} lines. Keep the one that is to be driven.`);
  return ofPoints(all);
}

function ofPoints(features: readonly Members[]): Moments {
  const names = new Set<string>();
  const moments: Moment[] = [];
  for (const [index, feature] of features.entries()) {
    const { type, coordinates } = geometryOf(feature);
    const path = `features[${index}]`;
    if (type !== 'Point') return routeFault(path, `is a ${shownText(type)} among points. ${FORMS}.`);
    const properties = membersOf(feature['properties']);
    for (const name of Object.keys(properties)) if (names.size < limits.columns) names.add(name);
    moments.push({ position: coordinates, path, valueAt: (name) => ownOf(properties, name) });
  }
  return { moments, names: [...names] };
}

/** A line, or the lines of a MultiLineString with a list of values for each. */
function ofLine(feature: Members, path: string): Moments {
  const { type, coordinates } = geometryOf(feature);
  const of = membersOf(membersOf(feature['properties'])['coordinateProperties']);
  const names = Object.keys(of).slice(0, limits.columns);
  const isMany = type === 'MultiLineString';
  if (type !== 'LineString' && !isMany)
    return routeFault(path.slice(0, -1), `is a ${shownText(type)}, and no line. ${FORMS}.`);
  const lines: readonly unknown[] = isMany ? listOf(coordinates) : [coordinates];
  const moments: Moment[] = [];
  for (const [line, positions] of lines.entries()) {
    const where = `${path}geometry.coordinates${isMany ? `[${line}]` : ''}`;
    const list = listOf(positions);
    const values = new Map(names.map((name) => [name, listOf(isMany ? listOf(of[name])[line] : of[name])]));
    for (const [name, { length }] of values)
      if (length !== list.length && length > 0)
        return routeFault(
          `${path}properties.coordinateProperties.${shownText(name)}`,
          `has ${length} values for ${list.length} positions.`,
        );
    for (const [index, position] of list.entries())
      moments.push({
        position,
        path: `${where}[${index}]`,
        valueAt: (name) => values.get(name)?.[index],
      });
  }
  return { moments, names };
}

function geometryOf(feature: Members): Members {
  return membersOf(feature['geometry']);
}

function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

function ownOf(members: Members, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

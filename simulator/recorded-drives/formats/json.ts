import { jsonObject } from '../../../world/json.ts';
import { parseJson } from '../../routes/geojson.ts';
import { type RouteReading, routeFault } from '../../routes/points.ts';
import type { Remarks } from '../../routes/remarks.ts';
import { shownText } from '../../routes/text.ts';
import { findColumns } from '../column-names.ts';
import type { DriveRow, DriveTable } from '../drive-table.ts';
import { limits } from '../limits.ts';
import { lackingColumns, tableOfSignals } from './csv.ts';
import { readDriveGeoJson } from './geojson.ts';
import { ownOf } from './members.ts';
import { type SignalReading, signalColumnsOf } from './signal-log.ts';

/** One object of a log, and its place in the file. `value` is undefined where it is broken. */
interface LoggedObject {
  readonly value: unknown;
  readonly placeOf: () => string;
}

/**
 * The table in a JSON text: GeoJSON; a list of objects with time and place; or such objects, or readings of signals, one a
 * line.
 */
export function readDriveJson(text: string, remarks: Remarks): RouteReading<DriveTable> {
  const lines = text.trimStart().startsWith('{') ? objectLinesOf(text) : undefined;
  if (lines !== undefined) return tableOfObjects(lines, remarks);
  const parsed = parseJson(text);
  if (parsed.fault !== undefined) return parsed;
  if (!Array.isArray(parsed.root)) return readDriveGeoJson(parsed.root, remarks);
  const list = parsed.root as readonly unknown[];
  return tableOfObjects(
    list.map((value, index) => ({ value, placeOf: () => `[${index}]` })),
    remarks,
  );
}

/** The objects of a text with one a line; undefined: most of the first lines are not an object each. */
function objectLinesOf(text: string): readonly LoggedObject[] | undefined {
  const lines = text
    .split('\n', limits.samples + 2)
    .map((line, index) => ({ line: line.trim(), placeOf: () => `line ${index + 1}` }))
    .filter(({ line }) => line !== '');
  const first = lines.slice(0, limits.formLines);
  const objects = first.filter(({ line }) => parsedLine(line) !== undefined).length;
  if (lines.length < 2 || objects * 2 <= first.length) return undefined;
  return lines.map(({ line, placeOf }) => ({ value: parsedLine(line), placeOf }));
}

function parsedLine(line: string): unknown {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function tableOfObjects(objects: readonly LoggedObject[], remarks: Remarks): RouteReading<DriveTable> {
  if (objects.length > limits.samples)
    return routeFault('', `has ${objects.length} rows; at most ${limits.samples} are read. Cut it.`);
  const keys = new Set<string>();
  for (const { value } of objects)
    for (const key of Object.keys(jsonObject(value))) if (keys.size < limits.columns) keys.add(key);
  const names = [...keys];
  const signals = signalColumnsOf(names);
  if (signals !== undefined) return tableOfSignals(objects.flatMap(readingOf(names, signals, remarks)), '');
  const { columns } = findColumns(names);
  const lacking = lackingColumns(columns, '', `There are: ${shownText(names.join(', '))}.`);
  if (lacking !== undefined) return lacking;
  const rows = objects.map(({ value, placeOf }): DriveRow => {
    const members = jsonObject(value);
    if (value === undefined) return { cells: [], placeOf, fault: BROKEN };
    return { cells: names.map((name) => ownOf(members, name)), placeOf };
  });
  return { columns, rows, noun: 'row' };
}

const BROKEN = 'is broken JSON.';

/** Counts broken objects, and remarks those that name no signal. */
function readingOf(
  names: readonly string[],
  signals: NonNullable<ReturnType<typeof signalColumnsOf>>,
  remarks: Remarks,
): (object: LoggedObject) => readonly SignalReading[] {
  return ({ value, placeOf }) => {
    remarks.seen('object');
    if (value === undefined) {
      remarks.unreadable('object', placeOf, () => BROKEN, 'it is left out');
      return [];
    }
    const members = jsonObject(value);
    const valueAt = (index: number): unknown => ownOf(members, names[index] ?? '');
    const name = valueAt(signals.name);
    if (typeof name !== 'string') {
      remarks.add('no signal', placeOf, () => 'names no signal: left out.');
      return [];
    }
    return [
      {
        time: valueAt(signals.time),
        name,
        value: valueAt(signals.value),
        unit: String(valueAt(signals.unit) ?? ''),
        latitude: valueAt(signals.latitude),
        longitude: valueAt(signals.longitude),
        placeOf,
      },
    ];
  };
}

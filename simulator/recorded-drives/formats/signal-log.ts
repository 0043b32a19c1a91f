import { findColumns } from '../column-names.ts';
import type { DriveRow } from '../drive-table.ts';
import { limits } from '../limits.ts';
import { roughTimeMs } from '../time-column.ts';

/** One reading of a log that has a line for each reading of each signal. */
export interface SignalReading {
  readonly time: unknown;
  readonly name: string;
  readonly value: unknown;
  /** Empty: the log does not state it. */
  readonly unit: string;
  /** Columns of the place, if each reading has one. */
  readonly latitude: unknown;
  readonly longitude: unknown;
  placeOf(): string;
}

/** The indexes of the columns of such a log. */
export interface SignalColumns {
  readonly time: number;
  readonly name: number;
  readonly value: number;
  readonly unit: number;
  readonly latitude: number;
  readonly longitude: number;
}

const NAMES = ['pid', 'name', 'signal', 'parameter'];
const VALUES = ['value'];
const UNITS = ['units', 'unit'];

/** The columns of a log with one reading a line; undefined: the table is no such log. -1: there is no such column. */
export function signalColumnsOf(headers: readonly string[]): SignalColumns | undefined {
  const words = headers.map((header) => header.trim().toLowerCase());
  const indexOf = (names: readonly string[]): number => words.findIndex((word) => names.includes(word));
  const [name, value] = [indexOf(NAMES), indexOf(VALUES)];
  const { columns } = findColumns(headers);
  const found = (what: string): number => columns.find((column) => column.what === what)?.index ?? -1;
  if (name < 0 || value < 0 || found('time') < 0) return undefined;
  return {
    time: found('time'),
    name,
    value,
    unit: indexOf(UNITS),
    latitude: found('latitude'),
    longitude: found('longitude'),
  };
}

/** A table with one column for each signal. */
export interface SignalTable {
  readonly headers: readonly string[];
  /** The unit of each column; empty: the log does not state it. */
  readonly units: readonly string[];
  readonly rows: readonly DriveRow[];
}

const [TIME, LATITUDE, LONGITUDE] = [0, 1, 2];

/** Readings that make one moment. */
interface Moment {
  readonly startMs: number;
  readonly cells: unknown[];
  readonly placeOf: () => string;
  /** Whether its time is that of its place already. */
  isPlaced: boolean;
}

/**
 * The same readings with one row a moment: those that follow each other within two seconds, up to the next place. The time of a
 * moment is that of its place; of several readings of a signal the first counts.
 */
export function signalTable(readings: readonly SignalReading[]): SignalTable {
  const headers = ['time', 'latitude', 'longitude'];
  const units = ['', '', ''];
  const indexes = new Map<string, number>();
  const indexOf = ({ name, unit }: SignalReading): number | undefined => {
    const known = indexes.get(name);
    if (known !== undefined) return known;
    const [what] = findColumns([name]).columns.map((column) => column.what);
    const index = what === 'latitude' ? LATITUDE : what === 'longitude' ? LONGITUDE : headers.length;
    if (index >= limits.columns) return undefined;
    indexes.set(name, index);
    if (index === headers.length) {
      headers.push(name);
      units.push(unit);
    }
    return index;
  };
  const moments: Moment[] = [];
  for (const reading of readings) {
    const index = indexOf(reading);
    const values: [index: number, value: unknown][] = [];
    if (isThere(reading.latitude)) values.push([LATITUDE, reading.latitude]);
    if (isThere(reading.longitude)) values.push([LONGITUDE, reading.longitude]);
    if (index !== undefined) values.push([index, reading.value]);
    const atMs = roughTimeMs(reading.time);
    const last = moments.at(-1);
    const moment =
      last !== undefined && isSameMoment(last, atMs, values) ? last : begun(moments, reading, atMs);
    const bringsPlace = values.some(([at]) => at === LATITUDE || at === LONGITUDE);
    if (bringsPlace && !moment.isPlaced) {
      moment.cells[TIME] = reading.time;
      moment.isPlaced = true;
    }
    for (const [at, value] of values) moment.cells[at] ??= value;
  }
  completePlace(moments);
  return { headers, units, rows: moments.map(({ cells, placeOf }) => ({ cells, placeOf })) };
}

/** The next moment, once the last one is complete. */
function begun(moments: Moment[], { time, placeOf }: SignalReading, startMs: number | undefined): Moment {
  completePlace(moments);
  const cells: unknown[] = [];
  cells[TIME] = time;
  const moment = { startMs: startMs ?? Number.NaN, cells, placeOf, isPlaced: false };
  moments.push(moment);
  return moment;
}

/** A log may write only the half of a place that changes: the other half is that of the moment before. */
function completePlace(moments: readonly Moment[]): void {
  const [before, last] = [moments.at(-2), moments.at(-1)];
  if (last === undefined || isThere(last.cells[LATITUDE]) === isThere(last.cells[LONGITUDE])) return;
  last.cells[LATITUDE] ??= before?.cells[LATITUDE];
  last.cells[LONGITUDE] ??= before?.cells[LONGITUDE];
}

function isSameMoment(
  { startMs, cells }: Moment,
  atMs: number | undefined,
  values: readonly (readonly [index: number, value: unknown])[],
): boolean {
  if (atMs === undefined || !(atMs >= startMs && atMs - startMs < limits.momentMs)) return false;
  return values.every(
    ([index, value]) =>
      (index !== LATITUDE && index !== LONGITUDE) || !isThere(cells[index]) || cells[index] === value,
  );
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

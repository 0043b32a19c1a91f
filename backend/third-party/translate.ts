import { PROPERTIES, type PropertyName, propertyRow } from '../../contract/properties.ts';
import type { Properties } from '../vehicles/records.ts';
import { rounded } from '../vehicles/translation/rounding.ts';
import type {
  BatteryPart,
  MakerReadResult,
  MakerState,
  ReadingNumber,
  ReadingPath,
  TranslationRow,
} from './maker.ts';

const { lat: LATITUDE, lon: LONGITUDE } = PROPERTIES.position.parts;
const BATTERY = PROPERTIES.drive_batteries.parts.port_1.parts;
const SERIAL_CHARACTERS = 64;

/** The value at a path; `null`: none. */
type Found<T> = MakerReadResult<T | null>;
const NOTHING = { ok: true, value: null } as const;

/**
 * Translates a maker's reading into the neutral properties, by the maker's rows. Total: a missing value, one
 * outside the contract's range, or an unknown word yields no property; a value of another type makes the
 * whole reading invalid.
 */
export function translateReading(
  rows: readonly TranslationRow[],
  reading: MakerState['reading'],
  timestampMs: number,
): MakerReadResult<Properties> {
  const properties: Record<string, { readonly timestampMs: number; readonly value: unknown }> = {};
  for (const row of rows) {
    const found = readProperty(row, reading);
    if (!found.ok) return found;
    if (found.value !== null) properties[row.property] = { timestampMs, value: found.value };
  }
  return { ok: true, value: properties };
}

function readProperty(row: TranslationRow, reading: MakerState['reading']): Found<unknown> {
  switch (row.read) {
    case 'number':
      return mapped(numberAt(reading, row.from), (value) =>
        withinRange(row.property, value * row.factor + (row.offset ?? 0)),
      );
    case 'word':
      return mapped(textAt(reading, row.from), (word) =>
        Object.hasOwn(row.words, word) ? (row.words[word] ?? null) : null,
      );
    case 'position':
      return positionOf(row, reading);
    case 'drive-battery':
      return batteryOf(row, reading);
    default:
      return row satisfies never;
  }
}

function withinRange(property: PropertyName, value: number): number | null {
  const row = propertyRow(property);
  if (row?.shape !== 'number') return null;
  const near = rounded(value, row);
  // 360 degrees are 0: north.
  return property === 'heading_in_degrees' && near === 360 ? 0 : (near ?? null);
}

function positionOf(
  row: Extract<TranslationRow, { read: 'position' }>,
  reading: MakerState['reading'],
): Found<unknown> {
  const latitude = numberAt(reading, row.latitude);
  const longitude = numberAt(reading, row.longitude);
  if (!latitude.ok) return latitude;
  if (!longitude.ok) return longitude;
  if (latitude.value === null || longitude.value === null) return NOTHING;
  const lat = rounded(latitude.value * row.factor, LATITUDE);
  const lon = rounded(longitude.value * row.factor, LONGITUDE);
  return lat === undefined || lon === undefined ? NOTHING : { ok: true, value: { lat, lon } };
}

function batteryOf(
  row: Extract<TranslationRow, { read: 'drive-battery' }>,
  reading: MakerState['reading'],
): Found<unknown> {
  const serial = textAt(reading, row.serial);
  if (!serial.ok) return serial;
  if (serial.value === null || serial.value.length > SERIAL_CHARACTERS) return NOTHING;
  const battery: Record<string, unknown> = { serial_number: serial.value };
  for (const [name, place] of Object.entries(row.parts) as [BatteryPart, ReadingNumber][]) {
    const found = numberAt(reading, place.from);
    if (!found.ok) return found;
    if (found.value === null) return NOTHING;
    const scaled = found.value * place.factor + (place.offset ?? 0);
    const near = rounded(scaled, { ...BATTERY[name], decimals: place.decimals });
    if (near === undefined) return NOTHING;
    battery[name] = near;
  }
  return { ok: true, value: { port_1: battery } };
}

function mapped<T>(found: Found<T>, map: (value: T) => unknown): Found<unknown> {
  return found.ok && found.value !== null ? { ok: true, value: map(found.value) } : found;
}

function numberAt(reading: MakerState['reading'], place: ReadingPath): Found<number> {
  const value = at(reading, place);
  if (value === null || typeof value === 'number') return { ok: true, value };
  return { ok: false, fault: `${place}: a number was expected` };
}

function textAt(reading: MakerState['reading'], place: ReadingPath): Found<string> {
  const value = at(reading, place);
  if (value === null || typeof value === 'string') return { ok: true, value };
  return { ok: false, fault: `${place}: a string was expected` };
}

function at(reading: MakerState['reading'], place: ReadingPath): unknown {
  let here: unknown = reading;
  for (const name of place.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return null;
    here = (here as Readonly<Record<string, unknown>>)[name];
  }
  return here ?? null;
}

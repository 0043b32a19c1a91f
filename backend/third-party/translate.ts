import { PROPERTIES, type PropertyName, propertyRow } from '../vehicles/properties.ts';
import type { Properties } from '../vehicles/records.ts';
import { rounded } from '../vehicles/rounding.ts';
import type { BatteryPart, MakerState, NumberPlace, Place, Read, TranslationRow } from './maker.ts';

const { lat: LATITUDE, lon: LONGITUDE } = PROPERTIES.position.parts;
const BATTERY = PROPERTIES.drive_batteries.parts.port_1.parts;
const SERIAL_CHARACTERS = 64;

/** What stands at a place; `null`: nothing does. */
type Found<T> = Read<T | null>;
const NOTHING = { ok: true, value: null } as const;

/**
 * A maker's reading in the neutral properties, by the maker's rows. Total: what is missing, outside the contract's span
 * or a word that we don't know yields no property; a value of another type is a fault of the whole reading.
 */
export function translateReading(
  rows: readonly TranslationRow[],
  reading: MakerState['reading'],
  timestampMs: number,
): Read<Properties> {
  const properties: Record<string, { readonly timestampMs: number; readonly value: unknown }> = {};
  for (const row of rows) {
    const found = toldBy(row, reading);
    if (!found.ok) return found;
    if (found.value !== null) properties[row.property] = { timestampMs, value: found.value };
  }
  return { ok: true, value: properties };
}

function toldBy(row: TranslationRow, reading: MakerState['reading']): Found<unknown> {
  switch (row.read) {
    case 'number':
      return mapped(numberAt(reading, row.from), (value) =>
        spanned(row.property, value * row.factor + (row.offset ?? 0)),
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

function spanned(property: PropertyName, value: number): number | null {
  const row = propertyRow(property);
  if (row?.shape !== 'number') return null;
  const near = rounded(value, row);
  // A whole turn is north again.
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
  for (const [name, place] of Object.entries(row.parts) as [BatteryPart, NumberPlace][]) {
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

function numberAt(reading: MakerState['reading'], place: Place): Found<number> {
  const value = at(reading, place);
  if (value === null || typeof value === 'number') return { ok: true, value };
  return { ok: false, fault: `${place}: a number was expected` };
}

function textAt(reading: MakerState['reading'], place: Place): Found<string> {
  const value = at(reading, place);
  if (value === null || typeof value === 'string') return { ok: true, value };
  return { ok: false, fault: `${place}: a text was expected` };
}

function at(reading: MakerState['reading'], place: Place): unknown {
  let here: unknown = reading;
  for (const name of place.split('.')) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, name)) return null;
    here = (here as Readonly<Record<string, unknown>>)[name];
  }
  return here ?? null;
}

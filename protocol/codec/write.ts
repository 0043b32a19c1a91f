import type {
  BytesField,
  FieldData,
  LayoutRow,
  ListField,
  RecordField,
  SettingField,
  TupleField,
} from '../layouts/layout.ts';
import { ulidBytes } from '../ulid.ts';
import { endsOf, isObject, numberOf } from './value.ts';
import { type FrameWriter, wireNumberOf, writeBytes, writeRaw, writeZeros } from './writer.ts';

/** Writes a value at the writer's position. */
type Write = (writer: FrameWriter, value: unknown) => void;

/** A row of a layout with its compiled writer. */
interface RowWriter {
  readonly name: string;
  readonly tag: number;
  readonly optional: boolean;
  readonly notBelow: string | undefined;
  /** Its size in bytes, if space is reserved even when it is absent. */
  readonly roomBytes: number;
  readonly write: Write;
}

/**
 * Returns a function that writes a message by its layout. Total: a number outside its bounds is clamped, a
 * list that is too long is cut, a value of a wrong type counts as 0 or empty. The result can always be
 * decoded. The tables are compiled into functions once, as for reading.
 */
export function messageWriter(record: RecordField): Write {
  const rows = record.rows.map(rowWriter);
  const { style, optionalRows } = record;
  switch (style) {
    case 'tagged':
      return (writer, value) => writeTagged(writer, rows, isObject(value) ? value : NOTHING);
    case 'bitmap':
    case 'packed':
      return (writer, value) => writePlaced(writer, rows, optionalRows, isObject(value) ? value : NOTHING);
    default:
      return style satisfies never;
  }
}

const NOTHING = {};

function rowWriter({ name, tag, optional, notBelow, span, field }: LayoutRow): RowWriter {
  return { name, tag, optional, notBelow, roomBytes: span.most, write: fieldWriter(field) };
}

function writeTagged(
  writer: FrameWriter,
  rows: readonly RowWriter[],
  source: Readonly<Record<string, unknown>>,
): void {
  for (const row of rows) {
    const value = source[row.name];
    if (!row.optional || value !== undefined) writeTag(writer, row, value, source);
  }
}

function writePlaced(
  writer: FrameWriter,
  rows: readonly RowWriter[],
  optionalRows: number,
  source: Readonly<Record<string, unknown>>,
): void {
  const head = writer.at;
  let valid = 0;
  let bit = 1;
  if (optionalRows > 0) writer.at += 1;
  for (const row of rows) {
    const value = source[row.name];
    if (value !== undefined || !row.optional) writeRow(writer, row, value, source);
    else if (optionalRows > 0) writeZeros(writer, row.roomBytes);
    if (!row.optional) continue;
    if (value !== undefined) valid |= bit;
    bit <<= 1;
  }
  if (optionalRows > 0) writer.bytes[head] = valid;
}

function writeRow(
  writer: FrameWriter,
  row: RowWriter,
  value: unknown,
  source: Readonly<Record<string, unknown>>,
): void {
  if (row.notBelow === undefined) row.write(writer, value);
  else row.write(writer, highest(numberOf(value), numberOf(source[row.notBelow])));
}

function writeTag(
  writer: FrameWriter,
  row: RowWriter,
  value: unknown,
  source: Readonly<Record<string, unknown>>,
): void {
  const { bytes } = writer;
  bytes[writer.at] = row.tag;
  const start = writer.at + 2;
  writer.at = start;
  writeRow(writer, row, value, source);
  const length = writer.at - start;
  if (length < 128) {
    bytes[start - 1] = length;
    return;
  }
  // One byte was reserved for the length; it takes two.
  bytes.copyWithin(start + 1, start, writer.at);
  writer.at += 1;
  bytes[start - 1] = 128 | (length & 127);
  bytes[start] = length >> 7;
}

function fieldWriter(field: FieldData): Write {
  switch (field.type) {
    case 'number':
      return (writer, value) => writeRaw(writer, field.bytes, wireNumberOf(field, numberOf(value)));
    case 'boolean':
      return (writer, value) => writeRaw(writer, 1, value === true ? 1 : 0);
    case 'choice': {
      const [standard = 0] = field.values;
      return (writer, value) => {
        const isAllowed = field.values.some((allowed) => allowed === value);
        writeRaw(writer, 1, isAllowed ? numberOf(value) : standard);
      };
    }
    case 'names': {
      const [standard = 0] = field.codeOf.values();
      return (writer, value) => writeRaw(writer, 1, field.codeOf.get(String(value)) ?? standard);
    }
    case 'text':
      return (writer, value) =>
        writeBytes(writer, field.room, field.most, asciiOf(String(value ?? '').slice(0, field.most)));
    case 'bytes':
      return (writer, value) => writeBytes(writer, field.room, field.most, fittingBytes(field, value));
    case 'ulid':
      return (writer, value) =>
        writeBytes(writer, 'rest', 16, ulidBytes(String(value)) ?? new Uint8Array(16));
    case 'setting':
      return (writer, value) => writeSetting(writer, field, value);
    case 'tuple':
      return (writer, value) => writeTuple(writer, field, value);
    case 'list': {
      const write = fieldWriter(field.element);
      return (writer, value) => writeList(writer, field, write, value);
    }
    case 'record':
      return messageWriter(field);
    default:
      return field satisfies never;
  }
}

function asciiOf(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => {
    const code = letter.charCodeAt(0);
    return code < 0x20 || code > 0x7e ? 0x3f : code;
  });
}

function fittingBytes(field: BytesField, value: unknown): Uint8Array {
  const given = value instanceof Uint8Array ? value : new Uint8Array(0);
  if (given.length >= field.least && given.length <= field.most) return given;
  const fitting = new Uint8Array(Math.max(field.least, Math.min(given.length, field.most)));
  fitting.set(given.subarray(0, fitting.length));
  return fitting;
}

function writeSetting(writer: FrameWriter, field: SettingField, value: unknown): void {
  const { name, value: wanted } = isObject(value) ? value : {};
  const row = field.rows.find((candidate) => candidate.name === name) ?? field.rows[0];
  if (row === undefined) return;
  const whole = Math.round(numberOf(wanted));
  writeRaw(writer, 2, row.code);
  writeRaw(writer, 4, Math.min(Math.max(Number.isNaN(whole) ? 0 : whole, row.minimum), row.maximum));
}

function writeTuple(writer: FrameWriter, field: TupleField, value: unknown): void {
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  let before = Number.NaN;
  for (const [index, item] of field.items.entries()) {
    const number = highest(numberOf(given[index]), field.rising ? before : Number.NaN);
    writeRaw(writer, item.bytes, wireNumberOf(item, number));
    before = number;
  }
}

function writeList(writer: FrameWriter, field: ListField, write: Write, value: unknown): void {
  const given: readonly unknown[] = Array.isArray(value) ? value : [];
  const elements = field.rising === undefined ? given : risen(given, field.rising);
  const count = Math.min(elements.length, field.most);
  const start = writer.at + 1;
  if (field.room !== 'rest') writeRaw(writer, 1, count);
  for (let index = 0; index < count; index += 1) write(writer, elements[index]);
  if (field.room === 'slots') writeZeros(writer, start + field.most * field.elementSpan.most - writer.at);
}

/** The elements in ascending order, without those that would be equal on the wire. */
function risen(elements: readonly unknown[], rising: NonNullable<ListField['rising']>): readonly unknown[] {
  const ends = elements.map((element) => {
    const given = endsOf(element, rising.name);
    const low = wireNumberOf(rising.field, given.low);
    return { element, low, high: Math.max(low, wireNumberOf(rising.field, given.high)) };
  });
  let before = Number.NEGATIVE_INFINITY;
  const isRising = ends.every(({ low, high }) => {
    const isAbove = low > before;
    before = high;
    return isAbove;
  });
  if (isRising) return elements;
  before = Number.NEGATIVE_INFINITY;
  const kept: unknown[] = [];
  for (const { element, low, high } of ends.sort((one, other) => one.low - other.low)) {
    if (low <= before) continue;
    kept.push(element);
    before = high;
  }
  return kept;
}

/** The higher of two numbers; NaN is ignored. */
function highest(one: number, other: number): number {
  if (Number.isNaN(one)) return other;
  return Number.isNaN(other) ? one : Math.max(one, other);
}

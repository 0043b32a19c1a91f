import type { FieldData, LayoutRow, ListField, RecordField } from '../layouts/layout.ts';
import { type ByteCursor, readRaw, readUnused, readVarint } from './cursor.ts';
import {
  readBoolean,
  readBytes,
  readNumber,
  readSetting,
  readText,
  readTuple,
  readUlid,
  unknownValue,
} from './read-value.ts';
import { endsOf, numberOf } from './value.ts';

/** Reads a record into `target`, from the cursor's position. */
type Fill = (cursor: ByteCursor, target: Record<string, unknown>) => void;

/** A row of a layout with its compiled reader. */
interface RowReader {
  readonly name: string;
  readonly tag: number;
  readonly optional: boolean;
  readonly notBelow: string | undefined;
  /** Its size in bytes, if space is reserved even when it is absent. */
  readonly roomBytes: number;
  readonly read: (cursor: ByteCursor) => unknown;
}

/**
 * Returns a function that reads a message by its layout: into `target`, from the cursor to its end.
 * Afterwards the cursor is at its end or has a fault: bytes after the last field are an impossible length.
 * The tables are compiled into functions once: checking the type of each field of each frame took half of the
 * time of reading.
 */
export function messageReader(record: RecordField): Fill {
  const fill = filler(record);
  return (cursor, target) => {
    fill(cursor, target);
    refuseRest(cursor, 'the payload');
  };
}

function filler(record: RecordField): Fill {
  const rows = record.rows.map(rowReader);
  const { style, optionalRows } = record;
  switch (style) {
    case 'tagged':
      return (cursor, target) => readTagged(cursor, rows, target);
    case 'bitmap':
      return (cursor, target) => readBitmap(cursor, rows, optionalRows, target);
    case 'packed':
      return (cursor, target) => readPacked(cursor, rows, target);
    default:
      return style satisfies never;
  }
}

function rowReader({ name, tag, optional, notBelow, span, field }: LayoutRow): RowReader {
  return { name, tag, optional, notBelow, roomBytes: span.most, read: reader(field) };
}

function reader(field: FieldData): (cursor: ByteCursor) => unknown {
  switch (field.type) {
    case 'number':
      return (cursor) => readNumber(cursor, field);
    case 'boolean':
      return readBoolean;
    case 'choice':
      return (cursor) => {
        const value = readRaw(cursor, 1, false);
        return field.values.includes(value) ? value : unknownValue(cursor, value);
      };
    case 'names':
      return (cursor) => {
        const value = readRaw(cursor, 1, false);
        return field.nameOf.get(value) ?? unknownValue(cursor, value);
      };
    case 'text':
      return (cursor) => readText(cursor, field);
    case 'bytes':
      return (cursor) => readBytes(cursor, field);
    case 'ulid':
      return readUlid;
    case 'setting':
      return (cursor) => readSetting(cursor, field);
    case 'tuple':
      return (cursor) => readTuple(cursor, field);
    case 'list': {
      const readElement = reader(field.element);
      return (cursor) => readList(cursor, field, readElement);
    }
    case 'record': {
      const fill = filler(field);
      const { blank } = field;
      return (cursor) => {
        const target = blank() as Record<string, unknown>;
        fill(cursor, target);
        return target;
      };
    }
    default:
      return field satisfies never;
  }
}

function readList(
  cursor: ByteCursor,
  field: ListField,
  readElement: (cursor: ByteCursor) => unknown,
): unknown[] {
  const elements: unknown[] = [];
  const name = cursor.field;
  const countAt = cursor.at;
  const count = field.room === 'rest' ? field.most : readRaw(cursor, 1, false);
  if (count > field.most) {
    cursor.fail('impossible-value', countAt, `${name} has ${count} elements, more than ${field.most}.`);
  }
  const start = cursor.at;
  let before = Number.NEGATIVE_INFINITY;
  while (cursor.fault === undefined && elements.length < count) {
    const at = cursor.at;
    if (field.room === 'rest' && at === cursor.end) break;
    const element = readElement(cursor);
    if (cursor.fault !== undefined) return elements;
    if (field.rising !== undefined) {
      const ends = endsOf(element, field.rising.name);
      if (ends.low <= before) {
        cursor.fail(
          'impossible-value',
          at,
          `${name} continues with ${ends.low}, which is not above ${before}.`,
        );
        return elements;
      }
      before = ends.high;
    }
    elements.push(element);
  }
  if (field.room === 'slots') readUnused(cursor, start + field.most * field.elementSpan.most);
  return elements;
}

function readRow(cursor: ByteCursor, row: RowReader, target: Record<string, unknown>): void {
  cursor.field = row.name;
  const at = cursor.at;
  const value = row.read(cursor);
  if (cursor.fault !== undefined) return;
  target[row.name] = value;
  if (row.notBelow !== undefined && numberOf(value) < numberOf(target[row.notBelow])) {
    cursor.fail('impossible-value', at, `${row.name} is ${String(value)}, below ${row.notBelow}.`);
  }
}

function readPacked(cursor: ByteCursor, rows: readonly RowReader[], target: Record<string, unknown>): void {
  for (const row of rows) {
    if (cursor.fault !== undefined || (row.optional && cursor.at === cursor.end)) return;
    readRow(cursor, row, target);
  }
}

function readBitmap(
  cursor: ByteCursor,
  rows: readonly RowReader[],
  optionalRows: number,
  target: Record<string, unknown>,
): void {
  let valid = 0;
  let bit = 1;
  if (optionalRows > 0) {
    const at = cursor.at;
    valid = readRaw(cursor, 1, false);
    const known = (1 << optionalRows) - 1;
    if (valid > known) cursor.fail('impossible-value', at, `The validity bits ${valid} exceed ${known}.`);
  }
  for (const row of rows) {
    if (cursor.fault !== undefined) return;
    if (row.optional) {
      const isValid = (valid & bit) !== 0;
      bit <<= 1;
      if (!isValid) {
        cursor.field = row.name;
        readUnused(cursor, cursor.at + row.roomBytes);
        continue;
      }
    }
    readRow(cursor, row, target);
  }
}

function readTagged(cursor: ByteCursor, rows: readonly RowReader[], target: Record<string, unknown>): void {
  const { end } = cursor;
  let next = 0;
  let before = 0;
  while (cursor.at < end) {
    const tagAt = cursor.at;
    const tag = readTag(cursor, before);
    const length = readVarint(cursor);
    if (cursor.fault !== undefined || !cursor.has(length)) return;
    before = tag;
    next = passOver(cursor, rows, next, tag, tagAt);
    const row = rows[next];
    if (row?.tag !== tag) {
      cursor.at += length;
      continue;
    }
    next += 1;
    cursor.end = cursor.at + length;
    readRow(cursor, row, target);
    refuseRest(cursor, row.name);
    cursor.end = end;
    if (cursor.fault !== undefined) return;
  }
  passOver(cursor, rows, next, BEYOND_TAGS, end);
}

/** Above every tag. */
const BEYOND_TAGS = 256;

/** Reads a tag, which must be above the one before. */
function readTag(cursor: ByteCursor, before: number): number {
  const tag = readRaw(cursor, 1, false);
  cursor.field = `tag ${tag}`;
  if (tag <= before) {
    cursor.fail('impossible-value', cursor.at - 1, `Tag ${tag} follows tag ${before}; tags must ascend.`);
  }
  return tag;
}

/**
 * The index of the first row, from `next` on, whose tag is not below `tag`; skipped rows must be optional.
 */
function passOver(
  cursor: ByteCursor,
  rows: readonly RowReader[],
  next: number,
  tag: number,
  at: number,
): number {
  let index = next;
  for (let row = rows[index]; row !== undefined && row.tag < tag; row = rows[index]) {
    if (!row.optional) cursor.fail('impossible-length', at, `${row.name} (tag ${row.tag}) is missing.`);
    index += 1;
  }
  return index;
}

/** No bytes may follow the last field. */
function refuseRest(cursor: ByteCursor, name: string): void {
  const rest = cursor.end - cursor.at;
  if (cursor.fault === undefined && rest !== 0) {
    cursor.fail('impossible-length', cursor.at, `${rest} bytes follow the last field of ${name}.`);
  }
}

import { type Cursor, readRaw, readUnused, readVarint } from './cursor.ts';
import type { FieldData, ListField, RecordField, Row } from './layout.ts';
import {
  readBytes,
  readNumber,
  readSetting,
  readText,
  readTuple,
  readUlid,
  standsForNothing,
} from './read-value.ts';
import { endsOf, numberOf } from './value.ts';

/**
 * Reads a record into `target`, from the cursor to its end. Afterwards the cursor has a fault or stands at its end:
 * bytes behind the last field are an impossible length.
 */
export function readAll(cursor: Cursor, record: RecordField, target: Record<string, unknown>): void {
  readRecord(cursor, record, target);
  refuseRest(cursor, 'the payload');
}

function readField(cursor: Cursor, field: FieldData): unknown {
  switch (field.type) {
    case 'number':
      return readNumber(cursor, field);
    case 'truth': {
      const value = readRaw(cursor, 1, false);
      return value <= 1 ? value === 1 : standsForNothing(cursor, value);
    }
    case 'choice': {
      const value = readRaw(cursor, 1, false);
      return field.values.includes(value) ? value : standsForNothing(cursor, value);
    }
    case 'names': {
      const value = readRaw(cursor, 1, false);
      return field.nameOf.get(value) ?? standsForNothing(cursor, value);
    }
    case 'text':
      return readText(cursor, field);
    case 'bytes':
      return readBytes(cursor, field);
    case 'ulid':
      return readUlid(cursor);
    case 'setting':
      return readSetting(cursor, field);
    case 'tuple':
      return readTuple(cursor, field);
    case 'list':
      return readList(cursor, field);
    case 'record': {
      const target: Record<string, unknown> = {};
      readRecord(cursor, field, target);
      return target;
    }
    default:
      return field satisfies never;
  }
}

function readList(cursor: Cursor, field: ListField): unknown[] {
  const elements: unknown[] = [];
  const name = cursor.field;
  const countAt = cursor.at;
  const count = field.room === 'rest' ? field.most : readRaw(cursor, 1, false);
  if (count > field.most) {
    cursor.fail('impossible-value', countAt, `${name} has ${count} elements, beyond ${field.most}.`);
  }
  const start = cursor.at;
  let before = Number.NEGATIVE_INFINITY;
  while (cursor.fault === undefined && elements.length < count) {
    const at = cursor.at;
    if (field.room === 'rest' && at === cursor.end) break;
    const element = readField(cursor, field.element);
    if (cursor.fault !== undefined) return elements;
    if (field.rising !== undefined) {
      const ends = endsOf(element, field.rising.name);
      if (ends.low <= before) {
        cursor.fail(
          'impossible-value',
          at,
          `${name} goes on with ${ends.low}, which is not above ${before}.`,
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

function readRecord(cursor: Cursor, record: RecordField, target: Record<string, unknown>): void {
  if (record.style === 'tagged') readTagged(cursor, record, target);
  else readPlaced(cursor, record, target);
}

function readRow(cursor: Cursor, row: Row, target: Record<string, unknown>): void {
  cursor.field = row.name;
  const at = cursor.at;
  const value = readField(cursor, row.field);
  if (cursor.fault !== undefined) return;
  target[row.name] = value;
  if (row.notBelow !== undefined && numberOf(value) < numberOf(target[row.notBelow])) {
    cursor.fail('impossible-value', at, `${row.name} says ${String(value)}, below ${row.notBelow}.`);
  }
}

function readPlaced(cursor: Cursor, record: RecordField, target: Record<string, unknown>): void {
  let valid = 0;
  let bit = 1;
  if (record.optionalRows > 0) {
    const at = cursor.at;
    valid = readRaw(cursor, 1, false);
    const known = (1 << record.optionalRows) - 1;
    if (valid > known) cursor.fail('impossible-value', at, `The validity bits ${valid} go beyond ${known}.`);
  }
  for (const row of record.rows) {
    if (cursor.fault !== undefined) return;
    if (record.style === 'packed' && row.optional) {
      if (cursor.at === cursor.end) return;
    } else if (row.optional) {
      const isValid = (valid & bit) !== 0;
      bit <<= 1;
      if (!isValid) {
        cursor.field = row.name;
        readUnused(cursor, cursor.at + row.span.most);
        continue;
      }
    }
    readRow(cursor, row, target);
  }
}

function readTagged(cursor: Cursor, record: RecordField, target: Record<string, unknown>): void {
  const { end } = cursor;
  let next = 0;
  let before = 0;
  while (cursor.at < end) {
    const tagAt = cursor.at;
    const tag = readTag(cursor, before);
    const length = readVarint(cursor);
    if (cursor.fault !== undefined || !cursor.has(length)) return;
    before = tag;
    next = passOver(cursor, record.rows, next, tag, tagAt);
    const row = record.rows[next];
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
  passOver(cursor, record.rows, next, BEYOND_TAGS, end);
}

/** Above every tag. */
const BEYOND_TAGS = 256;

/** A tag, which must be above the one before. */
function readTag(cursor: Cursor, before: number): number {
  const tag = readRaw(cursor, 1, false);
  cursor.field = `tag ${tag}`;
  if (tag <= before) {
    cursor.fail('impossible-value', cursor.at - 1, `Tag ${tag} follows tag ${before}; tags rise.`);
  }
  return tag;
}

/** The index of the first row, from `next` on, whose tag is not below `tag`; those passed over must be optional. */
function passOver(cursor: Cursor, rows: readonly Row[], next: number, tag: number, at: number): number {
  let index = next;
  for (let row = rows[index]; row !== undefined && row.tag < tag; row = rows[index]) {
    if (!row.optional) cursor.fail('impossible-length', at, `${row.name} (tag ${row.tag}) is missing.`);
    index += 1;
  }
  return index;
}

/** Nothing may stand behind the last field. */
function refuseRest(cursor: Cursor, name: string): void {
  const rest = cursor.end - cursor.at;
  if (cursor.fault === undefined && rest !== 0) {
    cursor.fail('impossible-length', cursor.at, `${rest} bytes stand behind the last field of ${name}.`);
  }
}

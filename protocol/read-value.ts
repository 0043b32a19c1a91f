import { type Cursor, readRaw, readUnused } from './cursor.ts';
import type { BytesField, NumberField, SettingField, TextField, TupleField } from './layout.ts';
import { ulidText } from './ulid.ts';

/** Reading what has no fields of its own. After a fault the result is worthless; the cursor tells. */

/** A number in the unit of its row. */
export function readNumber(cursor: Cursor, field: NumberField): number {
  const at = cursor.at;
  const raw = readRaw(cursor, field.bytes, field.signed);
  if (cursor.fault !== undefined) return 0;
  if ((raw < field.minimum || raw > field.maximum) && raw !== field.special) {
    cursor.fail(
      'impossible-value',
      at,
      `${cursor.field} says ${raw}, beyond ${field.minimum} to ${field.maximum}.`,
    );
  }
  if (field.multiplier === 1 && field.divisor === 1) return raw;
  return (raw * field.multiplier) / field.divisor;
}

/** 1 or 0. */
export function readTruth(cursor: Cursor): boolean | undefined {
  const value = readRaw(cursor, 1, false);
  return value <= 1 ? value === 1 : standsForNothing(cursor, value);
}

/** The fault of the byte just read. */
export function standsForNothing(cursor: Cursor, value: number): undefined {
  return cursor.fail(
    'impossible-value',
    cursor.at - 1,
    `${cursor.field} says ${value}, which stands for nothing.`,
  );
}

/** How many bytes or letters there are: the count byte of what has one, else all that is left. */
function readCount(cursor: Cursor, field: BytesField | TextField, least: number): number {
  const at = cursor.at;
  const count = field.room === 'rest' ? cursor.end - at : readRaw(cursor, 1, false);
  if (count < least || count > field.most) {
    cursor.fail(
      'impossible-value',
      at,
      `${cursor.field} has ${count} bytes, beyond ${least} to ${field.most}.`,
    );
  }
  return count;
}

/** Printable ASCII. */
export function readText(cursor: Cursor, field: TextField): string {
  const count = readCount(cursor, field, 0);
  const start = cursor.at;
  if (cursor.fault !== undefined || !cursor.has(count)) return '';
  let text = '';
  for (let at = start; at < start + count; at += 1) {
    const code = cursor.bytes[at] ?? 0;
    if (code < 0x20 || code > 0x7e) {
      cursor.fail(
        'impossible-value',
        at,
        `${cursor.field} holds the byte ${code}, which is not printable ASCII.`,
      );
      return '';
    }
    text += String.fromCharCode(code);
  }
  cursor.at = start + count;
  if (field.room === 'slots') readUnused(cursor, start + field.most);
  return text;
}

/** A copy of the bytes. */
export function readBytes(cursor: Cursor, field: BytesField): Uint8Array {
  const count = readCount(cursor, field, field.least);
  if (cursor.fault !== undefined || !cursor.has(count)) return new Uint8Array(0);
  const data = new Uint8Array(count);
  const first = cursor.at;
  for (let index = 0; index < count; index += 1) data[index] = cursor.bytes[first + index] ?? 0;
  cursor.at = first + count;
  if (field.room === 'slots') readUnused(cursor, first + field.most);
  return data;
}

/** 16 bytes as text. */
export function readUlid(cursor: Cursor): string {
  if (!cursor.has(16)) return '';
  const text = ulidText(cursor.bytes, cursor.at);
  cursor.at += 16;
  return text;
}

/** A setting and its value. */
export function readSetting(cursor: Cursor, field: SettingField): unknown {
  const at = cursor.at;
  const code = readRaw(cursor, 2, false);
  const value = readRaw(cursor, 4, false);
  if (cursor.fault !== undefined) return undefined;
  const row = field.rows.find((candidate) => candidate.code === code);
  if (row === undefined) {
    return cursor.fail(
      'impossible-value',
      at,
      `${cursor.field} names the setting ${code}, which there is not.`,
    );
  }
  if (value < row.minimum || value > row.maximum) {
    cursor.fail(
      'impossible-value',
      at + 2,
      `${row.name} says ${value}, beyond ${row.minimum} to ${row.maximum}.`,
    );
  }
  return { name: row.name, value };
}

/** Numbers side by side. */
export function readTuple(cursor: Cursor, field: TupleField): number[] {
  const values: number[] = [];
  for (const item of field.items) {
    const at = cursor.at;
    const value = readNumber(cursor, item);
    const before = values.at(-1);
    if (field.rising && before !== undefined && value < before) {
      cursor.fail(
        'impossible-value',
        at,
        `${cursor.field} ends with ${value}, before its beginning ${before}.`,
      );
    }
    values.push(value);
  }
  return values;
}

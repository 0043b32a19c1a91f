import type { BytesField, NumberField, SettingField, TextField, TupleField } from '../layouts/layout.ts';
import { ulidText } from '../ulid.ts';
import { type ByteCursor, readRaw, readUnused } from './cursor.ts';

/**
 * Readers of values without fields of their own. After a fault, recorded in the cursor, the result is
 * meaningless.
 */

/** A number in the unit of its row. */
export function readNumber(cursor: ByteCursor, field: NumberField): number {
  const at = cursor.at;
  const raw = readRaw(cursor, field.bytes, field.signed);
  if (cursor.fault !== undefined) return 0;
  if ((raw < field.minimum || raw > field.maximum) && raw !== field.special) {
    cursor.fail(
      'impossible-value',
      at,
      `${cursor.field} is ${raw}, outside ${field.minimum} to ${field.maximum}.`,
    );
  }
  if (field.multiplier === 1 && field.divisor === 1) return raw;
  return (raw * field.multiplier) / field.divisor;
}

/** 1 or 0. */
export function readBoolean(cursor: ByteCursor): boolean | undefined {
  const value = readRaw(cursor, 1, false);
  return value <= 1 ? value === 1 : unknownValue(cursor, value);
}

/** Records a fault for the byte just read. */
export function unknownValue(cursor: ByteCursor, value: number): undefined {
  return cursor.fail('impossible-value', cursor.at - 1, `${cursor.field} is ${value}, which has no meaning.`);
}

/** The number of bytes or characters: the count byte if there is one, otherwise all remaining ones. */
function readCount(cursor: ByteCursor, field: BytesField | TextField, least: number): number {
  const at = cursor.at;
  const count = field.room === 'rest' ? cursor.end - at : readRaw(cursor, 1, false);
  if (count < least || count > field.most) {
    cursor.fail(
      'impossible-value',
      at,
      `${cursor.field} has ${count} bytes, outside ${least} to ${field.most}.`,
    );
  }
  return count;
}

/** Printable ASCII. */
export function readText(cursor: ByteCursor, field: TextField): string {
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
        `${cursor.field} contains the byte ${code}, which is not printable ASCII.`,
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
export function readBytes(cursor: ByteCursor, field: BytesField): Uint8Array {
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
export function readUlid(cursor: ByteCursor): string {
  if (!cursor.has(16)) return '';
  const text = ulidText(cursor.bytes, cursor.at);
  cursor.at += 16;
  return text;
}

/** A setting and its value. */
export function readSetting(cursor: ByteCursor, field: SettingField): unknown {
  const at = cursor.at;
  const code = readRaw(cursor, 2, false);
  const value = readRaw(cursor, 4, false);
  if (cursor.fault !== undefined) return undefined;
  const row = field.rows.find((candidate) => candidate.code === code);
  if (row === undefined) {
    return cursor.fail(
      'impossible-value',
      at,
      `${cursor.field} names the setting ${code}, which does not exist.`,
    );
  }
  if (value < row.minimum || value > row.maximum) {
    cursor.fail(
      'impossible-value',
      at + 2,
      `${row.name} is ${value}, outside ${row.minimum} to ${row.maximum}.`,
    );
  }
  return { name: row.name, value };
}

/** A fixed number of numbers. */
export function readTuple(cursor: ByteCursor, field: TupleField): number[] {
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

import type { SqlList } from '../statements/statement.ts';
import { withoutNul } from './texts.ts';

/**
 * The types of elements, by their numbers in `pg_type`. The server takes an array in binary form only for a parameter of
 * just that type: texts are `text[]`, integers `bigint[]`, bytes `bytea[]`.
 */
const BYTEA = 17;
const INT8 = 20;
const TEXT = 25;

/** Dimensions, whether there are nulls, the type; then length and lower bound of the only dimension. */
const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;
const INT8_BYTES = 8;
/** In place of the length of an element. */
const NULL_LENGTH = -1;
const TWO_TO_32 = 0x1_0000_0000;

/**
 * An array in the binary form that the server takes (`array_recv` in PostgreSQL's src/backend/utils/adt/arrayfuncs.c).
 * As text each element is quoted here and read character by character there, which takes longer than all else for the
 * states of vehicles. A list without elements, or with nulls only, is sent as text, which is the same for every type.
 */
export function arrayParameter(list: SqlList): Buffer | string {
  const one = list.find((element) => element !== null);
  if (one === undefined) return `{${list.map(() => 'null').join(',')}}`;
  // A list has elements of one type.
  if (typeof one === 'number') return numbers(list as readonly (number | null)[]);
  if (typeof one === 'string') return texts(list as readonly (string | null)[]);
  return bytes(list as readonly (Uint8Array | null)[]);
}

function numbers(list: readonly (number | null)[]): Buffer {
  const array = begun(INT8, list.length, list.length * (LENGTH_BYTES + INT8_BYTES));
  let at = HEAD_BYTES;
  for (const element of list) {
    if (element === null) {
      at = array.writeInt32BE(NULL_LENGTH, at);
      continue;
    }
    if (!Number.isSafeInteger(element)) throw new RangeError(`${element} in a list is no whole number.`);
    at = array.writeInt32BE(INT8_BYTES, at);
    // Two halves take a fraction of the time of a bigint.
    const high = Math.floor(element / TWO_TO_32);
    at = array.writeInt32BE(high, at);
    at = array.writeUInt32BE(element - high * TWO_TO_32, at);
  }
  return array.subarray(0, at);
}

function texts(list: readonly (string | null)[]): Buffer {
  const elements = list.map((element) => (element === null ? null : withoutNul(element)));
  const length = elements.reduce((sum, element) => sum + LENGTH_BYTES + Buffer.byteLength(element ?? ''), 0);
  const array = begun(TEXT, elements.length, length);
  let at = HEAD_BYTES;
  for (const element of elements) {
    if (element === null) {
      at = array.writeInt32BE(NULL_LENGTH, at);
      continue;
    }
    const written = array.write(element, at + LENGTH_BYTES);
    array.writeInt32BE(written, at);
    at += LENGTH_BYTES + written;
  }
  return array;
}

function bytes(list: readonly (Uint8Array | null)[]): Buffer {
  const length = list.reduce((sum, element) => sum + LENGTH_BYTES + (element?.length ?? 0), 0);
  const array = begun(BYTEA, list.length, length);
  let at = HEAD_BYTES;
  for (const element of list) {
    at = array.writeInt32BE(element?.length ?? NULL_LENGTH, at);
    if (element === null) continue;
    array.set(element, at);
    at += element.length;
  }
  return array;
}

/** An array with its head, and room for elements of that many bytes. */
function begun(type: number, count: number, length: number): Buffer {
  const array = Buffer.allocUnsafe(HEAD_BYTES + length);
  // The flag of nulls is for readers; the server checks the elements.
  const head = [1, 1, type, count, 1];
  let at = 0;
  for (const word of head) at = array.writeInt32BE(word, at);
  return array;
}

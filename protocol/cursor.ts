import { int32, uint8, uint16, uint24, uint32, uint48 } from './big-endian.ts';
import type { Fault, FaultName } from './fault.ts';
import type { NumberField } from './layout.ts';

/** A place in bytes that are being read by a layout. The first fault stands; what is read after it is worthless. */
export class Cursor {
  readonly bytes: Uint8Array;
  at: number;
  /** Nothing from here on belongs to what is being read. */
  end: number;
  fault: Fault | undefined;
  /** The name of the row that is being read, for the fault's sentence. */
  field: string;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.at = 0;
    this.end = bytes.length;
    this.fault = undefined;
    this.field = '';
  }

  /** Notes a fault, unless there is one. */
  fail(fault: FaultName, offset: number, detail: string): undefined {
    this.fault ??= { fault, offset, detail };
    return undefined;
  }

  /** Whether that many bytes are left; notes the fault where not. */
  has(count: number): boolean {
    if (this.at + count <= this.end) return true;
    this.fail(
      'impossible-length',
      this.at,
      `${this.field} needs ${count} bytes, ${this.end - this.at} are left of its length.`,
    );
    return false;
  }
}

/** The number in the next bytes, as it stands there; 0 where they are not left. */
export function readRaw(cursor: Cursor, bytes: NumberField['bytes'], isSigned: boolean): number {
  if (!cursor.has(bytes)) return 0;
  const { at, bytes: source } = cursor;
  cursor.at = at + bytes;
  switch (bytes) {
    case 1:
      return uint8(source, at);
    case 2:
      return isSigned ? (uint16(source, at) << 16) >> 16 : uint16(source, at);
    case 3:
      return uint24(source, at);
    case 4:
      return isSigned ? int32(source, at) : uint32(source, at);
    case 6:
      return uint48(source, at);
    default:
      return bytes satisfies never;
  }
}

/** Room that holds nothing must be zero, so that equal messages are equal bytes. */
export function readUnused(cursor: Cursor, until: number): void {
  if (cursor.fault !== undefined || !cursor.has(until - cursor.at)) return;
  for (let at = cursor.at; at < until; at += 1) {
    if (cursor.bytes[at] !== 0) {
      cursor.fail('impossible-value', at, `Unused room of ${cursor.field} holds ${cursor.bytes[at]}, not 0.`);
      return;
    }
  }
  cursor.at = until;
}

/** A length of up to two bytes in its shortest form. */
export function readVarint(cursor: Cursor): number {
  const at = cursor.at;
  const first = readRaw(cursor, 1, false);
  if (first < 128) return first;
  const second = readRaw(cursor, 1, false);
  if (cursor.fault === undefined && (second === 0 || second > 127)) {
    cursor.fail(
      'impossible-length',
      at,
      `The length of ${cursor.field} is not in the shortest form of two bytes.`,
    );
  }
  return (first & 127) | (second << 7);
}

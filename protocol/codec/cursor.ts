import type { NumberField } from '../layouts/layout.ts';
import { int32, uint8, uint16, uint24, uint32, uint48 } from './big-endian.ts';
import type { FrameFault, FrameFaultName } from './fault.ts';

/**
 * A position in bytes that are read by a layout. The first fault is kept; values read after it are
 * meaningless.
 */
export class ByteCursor {
  readonly bytes: Uint8Array;
  at: number;
  /** The end of the current value or payload. */
  end: number;
  fault: FrameFault | undefined;
  /** The name of the current row, for the fault's detail. */
  field: string;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.at = 0;
    this.end = bytes.length;
    this.fault = undefined;
    this.field = '';
  }

  /** Records a fault, unless there is one. */
  fail(fault: FrameFaultName, offset: number, detail: string): undefined {
    this.fault ??= { fault, offset, detail };
    return undefined;
  }

  /** Whether that many bytes are left; if not, records a fault. */
  has(count: number): boolean {
    if (this.at + count <= this.end) return true;
    this.fail(
      'impossible-length',
      this.at,
      `${this.field} needs ${count} bytes, ${this.end - this.at} are left.`,
    );
    return false;
  }
}

/** The number in the next bytes, without scaling; 0 if there are too few bytes. */
export function readRaw(cursor: ByteCursor, bytes: NumberField['bytes'], isSigned: boolean): number {
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

/** Unused bytes must be zero, so that equal messages have equal bytes. */
export function readUnused(cursor: ByteCursor, until: number): void {
  if (cursor.fault !== undefined || !cursor.has(until - cursor.at)) return;
  for (let at = cursor.at; at < until; at += 1) {
    if (cursor.bytes[at] !== 0) {
      cursor.fail('impossible-value', at, `Unused byte of ${cursor.field} is ${cursor.bytes[at]}, not 0.`);
      return;
    }
  }
  cursor.at = until;
}

/** A length of up to two bytes in its shortest form. */
export function readVarint(cursor: ByteCursor): number {
  const at = cursor.at;
  const first = readRaw(cursor, 1, false);
  if (first < 128) return first;
  const second = readRaw(cursor, 1, false);
  if (cursor.fault === undefined && (second === 0 || second > 127)) {
    cursor.fail('impossible-length', at, `The length of ${cursor.field} is not in its shortest form.`);
  }
  return (first & 127) | (second << 7);
}

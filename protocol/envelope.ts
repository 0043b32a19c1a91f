import { crc32 } from 'node:zlib';
import { uint8, uint16, uint32, uint48 } from './big-endian.ts';
import { crc16 } from './checksum.ts';

/**
 * What stands around every payload, the same in both generations. Numbers are big-endian.
 *
 *   0     1        2     3 4     5 6 7 8  9 10  11 12 13 14  15 .. 20  21 22   23 ..     + 4
 *   magic version  kind  length  epoch    boot  sequence     clock     check   payload   checksum
 *   B7    1|2
 *
 * check: CRC-16/CCITT-FALSE over bytes 0 to 20. Where it is right, length and key can be trusted though the payload
 * is spoiled. checksum: CRC-32 (as in zlib) over everything before it.
 */
export const MAGIC = 0xb7;
export const HEADER_BYTES = 23;
export const CHECKSUM_BYTES = 4;
export const ENVELOPE_BYTES = HEADER_BYTES + CHECKSUM_BYTES;

/** Where the fields of the header begin. */
export const at = {
  version: 1,
  kind: 2,
  length: 3,
  epoch: 5,
  boot: 9,
  sequence: 11,
  clock: 15,
  check: 21,
} as const;

/** What a header says, before anything is known to be right but its check. */
export interface Header {
  readonly version: number;
  readonly kind: number;
  /** Of the payload, in bytes. */
  readonly length: number;
  readonly epoch: number;
  readonly boot: number;
  readonly sequence: number;
  readonly clockMs: number;
}

/** Whether a header with a right check begins at `start`. */
export function headerStands(bytes: Uint8Array, start: number): boolean {
  if (bytes[start] !== MAGIC || start + HEADER_BYTES > bytes.length) return false;
  return crc16(bytes, start, start + at.check) === uint16(bytes, start + at.check);
}

/** The header at `start`; 23 bytes must be there. */
export function readHeader(bytes: Uint8Array, start: number): Header {
  return {
    version: uint8(bytes, start + at.version),
    kind: uint8(bytes, start + at.kind),
    length: uint16(bytes, start + at.length),
    epoch: uint32(bytes, start + at.epoch),
    boot: uint16(bytes, start + at.boot),
    sequence: uint32(bytes, start + at.sequence),
    clockMs: uint48(bytes, start + at.clock),
  };
}

/** Whether the checksum behind the payload is right; the whole frame must be there. */
export function checksumStands(bytes: Uint8Array, start: number, end: number): boolean {
  const body = end - CHECKSUM_BYTES;
  return crc32(bytes.subarray(start, body)) === uint32(bytes, body);
}

/** Writes header and checksum around a payload of `header.length` bytes, which lies `HEADER_BYTES` behind `start`. */
export function writeEnvelope(bytes: Uint8Array, view: DataView, header: Header, start: number): void {
  const end = start + HEADER_BYTES + header.length;
  bytes[start] = MAGIC;
  bytes[start + at.version] = header.version;
  bytes[start + at.kind] = header.kind;
  view.setUint16(start + at.length, header.length);
  view.setUint32(start + at.epoch, header.epoch);
  view.setUint16(start + at.boot, header.boot);
  view.setUint32(start + at.sequence, header.sequence);
  view.setUint16(start + at.clock, Math.floor(header.clockMs / 0x1_0000_0000));
  view.setUint32(start + at.clock + 2, header.clockMs % 0x1_0000_0000);
  view.setUint16(start + at.check, crc16(bytes, start, start + at.check));
  view.setUint32(end, crc32(bytes.subarray(start, end)));
}

import { crc32 } from 'node:zlib';
import { uint8, uint16, uint32, uint48 } from './big-endian.ts';

/**
 * The envelope of every payload, the same in both generations. Numbers are big-endian.
 *
 *   0     1        2     3 4     5 6 7 8  9 10  11 12 13 14  15 .. 20  21 22   23 ..     + 4
 *   magic version  kind  length  epoch    boot  sequence     clock     check   payload   checksum
 *   B7    1|2
 *
 * check: CRC-16/CCITT-FALSE over bytes 0 to 20. If it is valid, length and key can be trusted even if the
 * payload is invalid. checksum: CRC-32 (as in zlib) over everything before it.
 */
export const MAGIC = 0xb7;
export const HEADER_BYTES = 23;
export const CHECKSUM_BYTES = 4;
export const ENVELOPE_BYTES = HEADER_BYTES + CHECKSUM_BYTES;

/** Where the fields of the header begin. */
export const headerOffsets = {
  version: 1,
  kind: 2,
  length: 3,
  epoch: 5,
  boot: 9,
  sequence: 11,
  clock: 15,
  check: 21,
} as const;

/** The fields of a header. */
export interface FrameHeader {
  readonly version: number;
  readonly kind: number;
  /** The size of the payload in bytes. */
  readonly length: number;
  readonly epoch: number;
  readonly boot: number;
  readonly sequence: number;
  readonly clockMs: number;
}

/** Whether a header with a valid check begins at `start`. */
export function hasValidHeader(bytes: Uint8Array, start: number): boolean {
  if (bytes[start] !== MAGIC || start + HEADER_BYTES > bytes.length) return false;
  return crc16(bytes, start, start + headerOffsets.check) === uint16(bytes, start + headerOffsets.check);
}

/** The header at `start`; the caller ensures that 23 bytes follow. */
export function readHeader(bytes: Uint8Array, start: number): FrameHeader {
  return {
    version: uint8(bytes, start + headerOffsets.version),
    kind: uint8(bytes, start + headerOffsets.kind),
    length: uint16(bytes, start + headerOffsets.length),
    epoch: uint32(bytes, start + headerOffsets.epoch),
    boot: uint16(bytes, start + headerOffsets.boot),
    sequence: uint32(bytes, start + headerOffsets.sequence),
    clockMs: uint48(bytes, start + headerOffsets.clock),
  };
}

/** Whether the checksum after the payload is valid; the caller ensures that the frame is complete. */
export function hasValidChecksum(bytes: Uint8Array, start: number, end: number): boolean {
  const body = end - CHECKSUM_BYTES;
  return crc32(bytes.subarray(start, body)) === uint32(bytes, body);
}

/**
 * Writes header and checksum around a payload of `header.length` bytes, which begins `HEADER_BYTES` after
 * `start`.
 */
export function writeEnvelope(bytes: Uint8Array, view: DataView, header: FrameHeader, start: number): void {
  const end = start + HEADER_BYTES + header.length;
  bytes[start] = MAGIC;
  bytes[start + headerOffsets.version] = header.version;
  bytes[start + headerOffsets.kind] = header.kind;
  view.setUint16(start + headerOffsets.length, header.length);
  view.setUint32(start + headerOffsets.epoch, header.epoch);
  view.setUint16(start + headerOffsets.boot, header.boot);
  view.setUint32(start + headerOffsets.sequence, header.sequence);
  view.setUint16(start + headerOffsets.clock, Math.floor(header.clockMs / 0x1_0000_0000));
  view.setUint32(start + headerOffsets.clock + 2, header.clockMs % 0x1_0000_0000);
  view.setUint16(start + headerOffsets.check, crc16(bytes, start, start + headerOffsets.check));
  view.setUint32(end, crc32(bytes.subarray(start, end)));
}

/**
 * CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xFFFF, not reflected, not inverted. Over the ASCII
 * digits 123456789 it is 0x29B1. It detects every burst of up to 16 bits.
 */
export function crc16(bytes: Uint8Array, start: number, end: number): number {
  let crc = 0xffff;
  for (let at = start; at < end; at += 1) {
    crc = ((crc << 8) & 0xffff) ^ (table[(crc >> 8) ^ (bytes[at] ?? 0)] ?? 0);
  }
  return crc;
}

const table = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021;
  return crc & 0xffff;
});

import { crc32 } from 'node:zlib';

/** CRC-16/CCITT-FALSE bit by bit, as its definition has it: written apart from the one under test. */
export function referenceCrc16(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit -= 1) {
      const isSet = ((crc >> 15) & 1) !== ((byte >> bit) & 1);
      crc = (crc << 1) & 0xffff;
      if (isSet) crc ^= 0x1021;
    }
  }
  return crc;
}

/** The frame with its header check and checksum made right again. The length field is not touched. */
export function withRightChecks(frame: Uint8Array): Uint8Array {
  const bytes = frame.slice();
  const view = new DataView(bytes.buffer);
  view.setUint16(21, referenceCrc16(bytes.subarray(0, 21)));
  view.setUint32(bytes.length - 4, crc32(bytes.subarray(0, bytes.length - 4)));
  return bytes;
}

/** A frame of that header and payload, with right checks. */
export function frameBytes(header: {
  readonly version: number;
  readonly kind: number;
  readonly sequence?: number;
  readonly boot?: number;
  readonly length?: number;
  readonly payload: readonly number[];
}): Uint8Array {
  const bytes = new Uint8Array(27 + header.payload.length);
  const view = new DataView(bytes.buffer);
  bytes[0] = 0xb7;
  bytes[1] = header.version;
  bytes[2] = header.kind;
  view.setUint16(3, header.length ?? header.payload.length);
  view.setUint32(5, 7);
  view.setUint16(9, header.boot ?? 0);
  view.setUint32(11, header.sequence ?? 0);
  bytes.set(header.payload, 23);
  return withRightChecks(bytes);
}

/*
 * Big-endian numbers in bytes. By hand and not through a DataView: one would be made for each payload that is read,
 * and making it takes longer than reading a short frame with it. Bytes beyond the end count as 0.
 */

/** One byte. */
export function uint8(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

/** Two bytes, unsigned. */
export function uint16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

/** Three bytes, unsigned. */
export function uint24(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 16) | uint16(bytes, at + 1);
}

/** Four bytes, two's complement. */
export function int32(bytes: Uint8Array, at: number): number {
  return (uint16(bytes, at) << 16) | uint16(bytes, at + 2);
}

/** Four bytes, unsigned. */
export function uint32(bytes: Uint8Array, at: number): number {
  return int32(bytes, at) >>> 0;
}

/** Six bytes, unsigned: more than the bits of an int. */
export function uint48(bytes: Uint8Array, at: number): number {
  return uint16(bytes, at) * 0x1_0000_0000 + uint32(bytes, at + 2);
}

/**
 * CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, nothing reflected, nothing inverted at the end.
 * Over the ASCII digits 123456789 it is 0x29B1. It finds every burst of up to 16 bits.
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

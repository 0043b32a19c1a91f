/**
 * Signals inside CAN data, addressed as in DBC files. Bit n is bit n mod 8 (0 = least significant) of byte n
 * div 8.
 *
 *   little (Intel, `@1`): startBit is the least significant bit; the signal extends towards higher bit numbers.
 *   big (Motorola, `@0`): startBit is the most significant bit; the signal extends down inside a byte and
 *   continues at bit 7 of the next byte:
 *
 *      byte 0                    byte 1
 *      7  6  5  4  3  2  1  0 | 15 14 13 12 11 10  9  8     start 3, 8 bits: 3 2 1 0 15 14 13 12
 */
export type BitOrder = 'little' | 'big';

/** A signal of more bits could not be represented exactly as a number. */
export const HIGHEST_BITS = 53;

/**
 * The unsigned number of a signal; undefined if a part of it is outside the data or the arguments define
 * none.
 */
export function readBits(
  data: Uint8Array,
  startBit: number,
  bits: number,
  order: BitOrder,
): number | undefined {
  if (!lies(data, startBit, bits, order)) return undefined;
  let value = 0;
  let position = order === 'big' ? startBit : startBit + bits - 1;
  for (let left = bits; left > 0; left -= 1) {
    value = value * 2 + (((data[position >> 3] ?? 0) >> (position & 7)) & 1);
    position = order === 'big' ? nextLower(position) : position - 1;
  }
  return value;
}

/**
 * Writes a signal into the data without changing other bits; writes nothing if a part of it would be outside.
 * A negative number is written as two's complement. The number is rounded, and clamped to `-2^(bits-1) …
 * 2^bits-1`; NaN becomes 0.
 */
export function writeBits(
  data: Uint8Array,
  startBit: number,
  bits: number,
  order: BitOrder,
  value: number,
): void {
  if (!lies(data, startBit, bits, order)) return;
  const size = power(bits);
  const whole = Number.isNaN(value) ? 0 : Math.min(Math.max(Math.round(value), -size / 2), size - 1);
  let rest = whole < 0 ? whole + size : whole;
  let weight = size / 2;
  let position = order === 'big' ? startBit : startBit + bits - 1;
  for (let left = bits; left > 0; left -= 1) {
    const bit = rest >= weight ? 1 : 0;
    if (bit === 1) rest -= weight;
    weight /= 2;
    const mask = 1 << (position & 7);
    const byte = data[position >> 3] ?? 0;
    data[position >> 3] = bit === 1 ? byte | mask : byte & ~mask;
    position = order === 'big' ? nextLower(position) : position - 1;
  }
}

/** An unsigned number of `bits` bits, read as two's complement. */
export function asSigned(raw: number, bits: number): number {
  const size = power(bits);
  return raw >= size / 2 ? raw - size : raw;
}

/** The next less significant bit in Motorola order. */
function nextLower(position: number): number {
  return (position & 7) === 0 ? position + 15 : position - 1;
}

function lies(data: Uint8Array, startBit: number, bits: number, order: BitOrder): boolean {
  if (!Number.isInteger(startBit) || !Number.isInteger(bits)) return false;
  if (startBit < 0 || bits < 1 || bits > HIGHEST_BITS) return false;
  // In Motorola order the index of a bit from the beginning of the data is 8 × byte + (7 - bit).
  const first = order === 'big' ? startBit - (startBit & 7) + 7 - (startBit & 7) : startBit;
  return first + bits <= data.length * 8;
}

/** 2^bits, exact. */
function power(bits: number): number {
  let result = 1;
  for (let left = bits; left > 0; left -= 1) result *= 2;
  return result;
}

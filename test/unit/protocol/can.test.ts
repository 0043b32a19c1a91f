import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asSigned, HIGHEST_BITS, readBits, writeBits } from '../../../protocol/can.ts';

const data = Uint8Array.from([0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc, 0xde, 0xf0]);

describe('known signals', () => {
  test.each([
    { order: 'little', startBit: 0, bits: 8, value: 0x12 },
    { order: 'little', startBit: 0, bits: 16, value: 0x3412 },
    { order: 'little', startBit: 4, bits: 8, value: 0x41 },
    { order: 'little', startBit: 8, bits: 32, value: 0x9a785634 },
    { order: 'little', startBit: 63, bits: 1, value: 1 },
    { order: 'little', startBit: 12, bits: 4, value: 0x3 },
    { order: 'big', startBit: 7, bits: 8, value: 0x12 },
    { order: 'big', startBit: 7, bits: 16, value: 0x1234 },
    { order: 'big', startBit: 3, bits: 8, value: 0x23 },
    { order: 'big', startBit: 15, bits: 32, value: 0x3456789a },
    { order: 'big', startBit: 56, bits: 1, value: 0 },
    { order: 'big', startBit: 11, bits: 4, value: 0x4 },
    { order: 'big', startBit: 7, bits: 53, value: Number(0x12345678_9abcdef0n >> 11n) },
  ] as const)('$order, start bit $startBit, $bits bits', ({ order, startBit, bits, value }) => {
    expect(readBits(data, startBit, bits, order)).toBe(value);
  });

  test('a signal that extends beyond the data, or is invalid, has no value', () => {
    expect(readBits(data, 60, 8, 'little')).toBeUndefined();
    expect(readBits(data, 60, 8, 'big')).toBeUndefined();
    expect(readBits(data, 56, 1, 'big')).toBe(0);
    expect(readBits(data, 56, 2, 'big')).toBeUndefined();
    expect(readBits(data, 64, 1, 'little')).toBeUndefined();
    expect(readBits(data, -1, 1, 'little')).toBeUndefined();
    expect(readBits(data, 0, 0, 'little')).toBeUndefined();
    expect(readBits(data, 0, HIGHEST_BITS + 1, 'little')).toBeUndefined();
    expect(readBits(data, 0.5, 8, 'big')).toBeUndefined();
    expect(readBits(new Uint8Array(0), 0, 1, 'little')).toBeUndefined();
  });

  test('writing outside the data changes nothing', () => {
    const copy = data.slice();
    writeBits(copy, 60, 8, 'little', 0);
    writeBits(copy, 56, 2, 'big', 3);
    expect(copy).toEqual(data);
  });

  test('a negative number is two’s complement', () => {
    const frame = new Uint8Array(8);
    writeBits(frame, 7, 12, 'big', -1);
    expect([...frame.slice(0, 2)]).toEqual([0xff, 0xf0]);
    expect(asSigned(readBits(frame, 7, 12, 'big') ?? 0, 12)).toBe(-1);
    expect(asSigned(0x800, 12)).toBe(-2048);
    expect(asSigned(0x7ff, 12)).toBe(2047);
  });

  test('a number beyond the bits is clamped', () => {
    const frame = new Uint8Array(1);
    writeBits(frame, 0, 4, 'little', 99);
    expect(readBits(frame, 0, 4, 'little')).toBe(15);
    writeBits(frame, 0, 4, 'little', -99);
    expect(asSigned(readBits(frame, 0, 4, 'little') ?? 0, 4)).toBe(-8);
    writeBits(frame, 0, 4, 'little', Number.NaN);
    expect(readBits(frame, 0, 4, 'little')).toBe(0);
  });
});

/** A signal completely inside 8 bytes, and a value for it. */
const signal = fc
  .record({
    order: fc.constantFrom('little' as const, 'big' as const),
    first: fc.integer({ min: 0, max: 63 }),
    length: fc.integer({ min: 1, max: HIGHEST_BITS }),
    fraction: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ order, first, length, fraction }) => {
    const bits = Math.min(length, 64 - first);
    const startBit = order === 'little' ? first : first - (first & 7) + 7 - (first & 7);
    return { order, startBit, bits, value: Math.floor(fraction * (2 ** bits - 1)) };
  });

describe('any signal', () => {
  test('is read as it was written, and no other bit changes', () => {
    fc.assert(
      fc.property(
        signal,
        fc.uint8Array({ minLength: 8, maxLength: 8 }),
        ({ order, startBit, bits, value }, before) => {
          const after = before.slice();
          writeBits(after, startBit, bits, order, value);
          expect(readBits(after, startBit, bits, order)).toBe(value);
          const original = readBits(before, startBit, bits, order);
          expect(original).toBeDefined();
          writeBits(after, startBit, bits, order, original ?? 0);
          expect(after).toEqual(before);
        },
      ),
    );
  });

  test('is read with its sign', () => {
    fc.assert(
      fc.property(signal, ({ order, startBit, bits, value }) => {
        const negative = asSigned(value, bits);
        const frame = new Uint8Array(8);
        writeBits(frame, startBit, bits, order, negative);
        expect(asSigned(readBits(frame, startBit, bits, order) ?? Number.NaN, bits)).toBe(negative);
      }),
    );
  });

  test('equals a shift of all 64 bits', () => {
    fc.assert(
      fc.property(
        signal,
        fc.uint8Array({ minLength: 8, maxLength: 8 }),
        ({ order, startBit, bits }, frame) => {
          const ordered = order === 'big' ? [...frame] : [...frame].reverse();
          const all = ordered.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
          const low =
            order === 'big' ? 64 - (startBit - (startBit & 7) + 7 - (startBit & 7)) - bits : startBit;
          const expected = (all >> BigInt(low)) & ((1n << BigInt(bits)) - 1n);
          expect(readBits(frame, startBit, bits, order)).toBe(Number(expected));
        },
      ),
    );
  });
});

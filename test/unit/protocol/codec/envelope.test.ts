import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc16 } from '../../../../protocol/codec/envelope.ts';
import { referenceCrc16 } from '../../../support/frames/frame-checks.ts';

test('the check value of CRC-16/CCITT-FALSE is 0x29B1', () => {
  expect(crc16(Buffer.from('123456789'), 0, 9)).toBe(0x29b1);
  expect(crc16(Buffer.from('..123456789..'), 2, 11)).toBe(0x29b1);
  expect(crc16(new Uint8Array(0), 0, 0)).toBe(0xffff);
});

test('the table gives the same as division bit by bit', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(crc16(bytes, 0, bytes.length)).toBe(referenceCrc16(bytes));
    }),
  );
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crc16 } from '../../../protocol/checksum.ts';
import { plainCrc16 } from './sealing.ts';

test('the check value of CRC-16/CCITT-FALSE is 0x29B1', () => {
  expect(crc16(Buffer.from('123456789'), 0, 9)).toBe(0x29b1);
  expect(crc16(Buffer.from('..123456789..'), 2, 11)).toBe(0x29b1);
  expect(crc16(new Uint8Array(0), 0, 0)).toBe(0xffff);
});

test('the table gives what the division bit by bit gives', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      expect(crc16(bytes, 0, bytes.length)).toBe(plainCrc16(bytes));
    }),
  );
});

import fc from 'fast-check';
import { decodeTime } from 'ulid';
import { expect, test } from 'vitest';
import { ulidBytes, ulidMs, ulidText } from '../../../protocol/ulid.ts';

test('16 bytes are decoded from their text', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
      const text = ulidText(bytes, 0);
      expect(text).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
      expect(ulidBytes(text)).toEqual(bytes);
    }),
  );
});

test('any ULID is decoded from its bytes, which begin with its time', () => {
  fc.assert(
    fc.property(fc.ulid(), (text) => {
      const bytes = ulidBytes(text) ?? new Uint8Array(0);
      expect(bytes).toHaveLength(16);
      expect(ulidText(bytes, 0)).toBe(text);
      const time = bytes.slice(0, 6).reduce((sum, byte) => sum * 256 + byte, 0);
      expect(time).toBe(decodeTime(text));
    }),
  );
});

test.each([
  ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01563e3ab5d3d6764c61efb99302bd5b'],
  ['00000000000000000000000000', '00000000000000000000000000000000'],
  ['00000000000000000000000001', '00000000000000000000000000000001'],
  ['7ZZZZZZZZZZZZZZZZZZZZZZZZZ', 'ffffffffffffffffffffffffffffffff'],
])('%s is %s', (text, hex) => {
  expect(Buffer.from(ulidBytes(text) ?? []).toString('hex')).toBe(hex);
  expect(ulidText(Buffer.from(`aa${hex}`, 'hex'), 1)).toBe(text);
});

test.each([
  '',
  '01ARZ3NDEKTSV4RRFFQ69G5FA',
  '01ARZ3NDEKTSV4RRFFQ69G5FAVV',
  '81ARZ3NDEKTSV4RRFFQ69G5FAV',
  '01arz3ndektsv4rrffq69g5fav',
  '01ARZ3NDEKTSV4RRFFQ69G5FAI',
  '01ARZ3NDEKTSV4RRFFQ69G5FA-',
])('%j is no ULID', (text) => {
  expect(ulidBytes(text)).toBeUndefined();
});

test('a ULID contains the time when it was made; another text gives 0', () => {
  // The example of the specification.
  expect(ulidMs('01ARZ3NDEKTSV4RRFFQ69G5FAV')).toBe(1_469_922_850_259);
  expect(ulidMs('nonsense')).toBe(0);
});

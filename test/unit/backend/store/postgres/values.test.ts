import { expect, test } from 'vitest';
import { parsers, toDriver } from '../../../../../backend/store/postgres/values.ts';

test.each([
  ['bool', 16, 't', 1],
  ['bool', 16, 'f', 0],
  ['int8', 20, '1767225600000', 1_767_225_600_000],
  ['int4', 23, '7', 7],
  ['text', 25, '7', '7'],
  ['numeric', 1700, '12', 12],
  ['json', 114, '{"a":1}', '{"a":1}'],
  ['jsonb', 3802, '{"a":1}', '{"a":1}'],
])('a value of type %s (%i) is read as in SQLite', (_, oid, text, value) => {
  expect(parsers.getTypeParser(oid)(text)).toBe(value);
});

test('bytes are read and written as bytes', () => {
  expect(parsers.getTypeParser(17)('\\x00ff')).toEqual(Buffer.from([0, 255]));
  const part = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
  expect(toDriver(part)).toEqual(Buffer.from([2, 3]));
});

test('a text with NUL, which PostgreSQL does not have, is written and looked for with another character', () => {
  expect(toDriver('a\0b')).toBe('a\ufffdb');
  expect(toDriver(['a\0b', 'c'])).toEqual(toDriver(['a\ufffdb', 'c']));
  expect(toDriver(null)).toBeNull();
});

import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { colouredJson } from '../../../../../cli/commands/running/api.ts';

test('a value in colours is the same value as JSON with an indent of two', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme-ascii' }), (value) => {
      expect(stripVTControlCharacters(colouredJson(value))).toBe(JSON.stringify(value, undefined, 2));
    }),
  );
});

test('a text in an answer does not control the terminal', () => {
  expect(colouredJson('\u009b31m')).not.toContain('\u009b');
});

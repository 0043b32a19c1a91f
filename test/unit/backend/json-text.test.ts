import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonName, jsonText } from '../../../backend/json-text.ts';

describe('text of JSON', () => {
  test('is what JSON.stringify makes of any value, the first time and again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonText(value)).toBe(JSON.stringify(value));
        expect(jsonText(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, undefined])('%s is nothing', (value) => {
    expect(jsonText(value)).toBe('null');
  });

  test('names that come one after the other make an object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.double(), { minKeys: 1 }), (object) => {
        const inside = Object.entries(object).map(([name, value]) => jsonName(name) + jsonText(value));
        expect(`{${inside.join('').slice(1)}}`).toBe(JSON.stringify(object));
      }),
    );
  });
});

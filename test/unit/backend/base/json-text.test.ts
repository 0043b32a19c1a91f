import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonName, jsonText } from '../../../../backend/base/json-text.ts';

describe('text of JSON', () => {
  test('equals the result of JSON.stringify for any value, also when repeated', () => {
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

  test('names in sequence form an object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.double(), { minKeys: 1 }), (object) => {
        const inside = Object.entries(object).map(([name, value]) => jsonName(name) + jsonText(value));
        expect(`{${inside.join('').slice(1)}}`).toBe(JSON.stringify(object));
      }),
    );
  });
});

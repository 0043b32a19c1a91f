import { expect, test } from 'vitest';
import { counted } from '../../../../../judge/wording.ts';

test('one is in the singular, none and many in the plural', () => {
  expect([0, 1, 2].map((count) => counted(count, 'vehicle'))).toEqual([
    '0 vehicles',
    '1 vehicle',
    '2 vehicles',
  ]);
  expect([1, 3].map((count) => counted(count, 'property', 'properties'))).toEqual([
    '1 property',
    '3 properties',
  ]);
});

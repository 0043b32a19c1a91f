import { expect, test } from 'vitest';
import { foldOf, frame, sent } from './fold-kit.ts';

test('a box that could not put an update in force is a trouble that the operator hears of; one that could is none', () => {
  const told = (event: 'firmware-updated' | 'firmware-update-failed') =>
    foldOf([sent([frame({ kind: 'event', event, signals: {} }, { sequence: 1 })])]).troubles;
  expect(told('firmware-update-failed')).toMatchObject([{ kind: 'update-failed' }]);
  expect(told('firmware-updated')).toEqual([]);
});

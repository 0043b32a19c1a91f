import { expect, test } from 'vitest';
import { frame, payloadOf, reduceOf } from '../../../support/backend/ingest-input.ts';

test('a failed update of a box is reported to the operator; a successful one is not', () => {
  const told = (event: 'firmware-updated' | 'firmware-update-failed') =>
    reduceOf([payloadOf([frame({ kind: 'event', event, signals: {} }, { sequence: 1 })])]).troubles;
  expect(told('firmware-update-failed')).toMatchObject([{ kind: 'update-failed' }]);
  expect(told('firmware-updated')).toEqual([]);
});

import fc from 'fast-check';
import { describe, test } from 'vitest';
import { Model } from './box-model.ts';
import { anyMove } from './box-moves.ts';

describe('a box in any weather', () => {
  test('loses no record without a word, uses no sequence twice, and acts at most once and never late', () => {
    fc.assert(
      fc.property(
        fc.array(anyMove, { minLength: 5, maxLength: 120, size: 'max' }),
        fc.integer({ min: 2, max: 12 }),
        fc.boolean(),
        (moves, capacity, isTracking) => {
          const model = new Model(capacity, isTracking);
          for (const move of moves) {
            model.move(move);
            model.check();
          }
          model.checkFlash();
        },
      ),
      { numRuns: 150 },
    );
  }, 120_000);
});

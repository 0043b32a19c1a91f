import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BoxModel } from '../support/firmware/box-model.ts';
import { anyBoxMove, anyFirmware } from '../support/firmware/box-moves.ts';

describe('a box with any network faults', () => {
  test('loses no record without a tombstone, uses no sequence twice, and carries out each command at most once and never late', () => {
    // A property over runs in which nothing happens could not fail: what must have happened in some of them.
    const seen = {
      phones: 0,
      updated: 0,
      acts: 0,
      receipted: 0,
      grown: 0,
      lostEvents: 0,
      unreadable: 0,
      replies: 0,
    };
    fc.assert(
      fc.property(
        fc.array(anyBoxMove, { minLength: 5, maxLength: 120, size: 'max' }),
        fc.integer({ min: 2, max: 12 }),
        fc.boolean(),
        anyFirmware,
        (moves, capacity, isTracking, firmware) => {
          const model = new BoxModel(capacity, isTracking, firmware);
          for (const move of moves) {
            model.move(move);
            model.check();
          }
          model.checkFlash();
          if (model.state.flash.firmware !== undefined) seen.updated += 1;
          seen.phones += model.state.flash.bluetooth.tokens.length;
          seen.acts += model.acts.size;
          seen.receipted += model.receipted.size;
          seen.replies += [...model.born.values()].filter((sort) => sort === 'reply').length;
          for (const message of model.tombstones.values()) {
            if (message.last > message.first) seen.grown += 1;
            if (message.events + message.replies > 0) seen.lostEvents += 1;
            if (message.reason === 'unreadable') seen.unreadable += 1;
          }
        },
      ),
      { numRuns: 150 },
    );
    for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(5);
  }, 240_000);
});

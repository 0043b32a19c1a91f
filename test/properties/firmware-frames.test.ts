import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeFrame } from '../../protocol/codec/frame.ts';
import { TestBox } from '../support/firmware/test-box.ts';
import { anyDownFrame } from '../support/frames/any-frame.ts';

test('a box accepts any frame of a backend, for its own epoch or another, intact or corrupted, and keeps its invariants', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          frame: fc.oneof(anyDownFrame(1), anyDownFrame(2)),
          isOurs: fc.boolean(),
          spoilt: fc.option(fc.nat(200), { nil: undefined }),
        }),
        { maxLength: 20 },
      ),
      (arrivals) => {
        const rig = new TestBox().ready();
        rig.tick({ anyDoorOpen: true });
        for (const { frame, isOurs, spoilt } of arrivals) {
          const epoch = isOurs ? rig.state.flash.journal.epoch : frame.epoch;
          const bytes = encodeFrame({ ...frame, epoch });
          if (spoilt !== undefined) bytes[spoilt % bytes.length] = (bytes[spoilt % bytes.length] ?? 0) ^ 0x40;
          rig.feed({ kind: 'received', bytes, sensors: rig.sensors });
          rig.at += 1_000;
          rig.tick();
          const { state } = rig;
          expect(structuredClone(state)).toEqual(state);
          expect(state.flash.journal.next).toBeGreaterThanOrEqual(3);
          if (state.ram.power === 'off') return;
        }
      },
    ),
    { numRuns: 100 },
  );
});

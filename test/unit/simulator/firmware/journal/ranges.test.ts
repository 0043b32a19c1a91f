import fc from 'fast-check';
import { expect, test } from 'vitest';
import { emptyEntryIndex, putEntry } from '../../../../../simulator/firmware/journal/entry-index.ts';
import {
  gapCount,
  includesSequence,
  lowestUnsettled,
  settledRanges,
} from '../../../../../simulator/firmware/journal/ranges.ts';
import { journalEntry, tombstoneOver } from '../../../../support/firmware/journal-entries.ts';

const NEXT = 60;
const anyHeld = fc.uniqueArray(fc.integer({ min: 1, max: NEXT - 1 }), { maxLength: 30 });
/** A tombstone at this place of the held ones covers what lies right below it, so many sequences. */
const anyCovers = fc.array(fc.tuple(fc.nat(29), fc.integer({ min: 1, max: 6 })), { maxLength: 4 });

test('what is neither held nor covered by a held tombstone is settled, in ranges that do not touch', () => {
  fc.assert(
    fc.property(anyHeld, anyCovers, (held, covers) => {
      const owed = new Set(held);
      let index = emptyEntryIndex;
      for (const sequence of held) {
        const [, many = 0] = covers.find(([place]) => held[place] === sequence) ?? [];
        const first = Math.max(1, sequence - many);
        const isTombstone = many > 0 && first < sequence;
        for (let each = first; isTombstone && each < sequence; each += 1) owed.add(each);
        index = putEntry(
          index,
          isTombstone ? tombstoneOver(sequence, first, sequence - 1) : journalEntry(sequence),
        );
      }
      const settled = settledRanges(index, NEXT);
      const all = Array.from({ length: NEXT }, (_, sequence) => sequence);
      expect(all.filter((each) => includesSequence(settled, each))).toEqual(
        all.filter((each) => !owed.has(each)),
      );
      for (const [place, [first, last]] of settled.entries()) {
        expect(first).toBeLessThanOrEqual(last);
        expect(first).toBeGreaterThan((settled[place - 1]?.[1] ?? -2) + 1);
      }
      // No record has the sequence 0, so that a range begins there: between the others are the gaps.
      const begins = all.filter((each) => !owed.has(each) && (each === 0 || owed.has(each - 1)));
      expect(gapCount(settled)).toBe(begins.length - 1);
      expect(lowestUnsettled(settled)).toBe(all.find((each) => owed.has(each)) ?? NEXT);
    }),
  );
});

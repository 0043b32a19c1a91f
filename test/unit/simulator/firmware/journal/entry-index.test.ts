import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  allEntries,
  coveringTombstone,
  type EntryClass,
  type EntryIndex,
  emptyEntryIndex,
  entryCount,
  findEntry,
  type JournalEntry,
  lastEntry,
  nextEntry,
  previousEntry,
  putEntry,
  takeEntries,
} from '../../../../../simulator/firmware/journal/entry-index.ts';
import { journalEntry, tombstoneOver } from '../../../../support/firmware/journal-entries.ts';

const SORTS: readonly EntryClass[] = ['report', 'event', 'reply', 'tombstone'];
const entry = (sequence: number, sort: EntryClass): JournalEntry =>
  sort === 'tombstone'
    ? tombstoneOver(sequence, Math.max(0, sequence - 70), Math.max(0, sequence - 60))
    : journalEntry(sequence, sort);
const covers = ({ tombstone }: JournalEntry, sequence: number): boolean =>
  tombstone !== undefined && tombstone.first <= sequence && sequence <= tombstone.last;

const anyStep = fc.oneof(
  fc.record({
    do: fc.constant('put' as const),
    at: fc.integer({ min: 0, max: 400 }),
    sort: fc.constantFrom(...SORTS),
  }),
  fc.record({
    do: fc.constant('take' as const),
    at: fc.integer({ min: 0, max: 400 }),
    many: fc.integer({ min: 0, max: 150 }),
  }),
);

test('an entry index gives the same results as a plain sorted list, and an older version stays unchanged', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 200, size: 'max' }), fc.nat(400), (steps, from) => {
      let entryIndex: EntryIndex = emptyEntryIndex;
      let plain: readonly JournalEntry[] = [];
      const snapshots: { entryIndex: EntryIndex; plain: readonly JournalEntry[] }[] = [];
      for (const step of steps) {
        if (step.do === 'put') {
          const one = entry(step.at, step.sort);
          entryIndex = putEntry(entryIndex, one);
          plain = [...plain.filter((other) => other.sequence !== step.at), one].sort(
            (a, b) => a.sequence - b.sequence,
          );
        } else {
          const within = (other: JournalEntry) =>
            other.sequence >= step.at && other.sequence <= step.at + step.many;
          const taken = takeEntries(entryIndex, step.at, step.at + step.many);
          expect(taken.taken).toEqual(plain.filter(within));
          entryIndex = taken.entryIndex;
          plain = plain.filter((other) => !within(other));
        }
        snapshots.push({ entryIndex, plain });
      }
      for (const snapshot of snapshots) expect(allEntries(snapshot.entryIndex)).toEqual(snapshot.plain);
      expect(entryCount(entryIndex)).toBe(plain.length);
      expect(lastEntry(entryIndex)).toEqual(plain.at(-1));
      expect(coveringTombstone(entryIndex, from)).toEqual(plain.find((one) => covers(one, from)));
      expect(findEntry(entryIndex, from)).toEqual(plain.find((one) => one.sequence === from));
      expect(nextEntry(entryIndex, from)).toEqual(plain.find((one) => one.sequence >= from));
      expect(previousEntry(entryIndex, from)).toEqual(plain.findLast((one) => one.sequence < from));
      for (const sort of SORTS) {
        expect(entryIndex.counts[sort]).toBe(plain.filter((one) => one.entryClass === sort).length);
        expect(nextEntry(entryIndex, from, [sort])).toEqual(
          plain.find((one) => one.sequence >= from && one.entryClass === sort),
        );
      }
    }),
    { numRuns: 100 },
  );
});

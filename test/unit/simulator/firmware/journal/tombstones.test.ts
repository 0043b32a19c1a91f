import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RecordMessage } from '../../../../../protocol/message.ts';
import { mostTombstones } from '../../../../../scenarios/testbed/common/recordings/journal-bound.ts';
import { allEntries } from '../../../../../simulator/firmware/journal/entry-index.ts';
import { append, applyReceipt, closeTombstone } from '../../../../../simulator/firmware/journal/journal.ts';
import { emptyJournal, type Journal } from '../../../../../simulator/firmware/journal/journal-state.ts';
import { requestId } from '../../../../support/firmware/test-box.ts';

const MESSAGES: Readonly<Record<'report' | 'event' | 'reply', RecordMessage>> = {
  report: { kind: 'report', cause: 'time', signals: {} },
  event: { kind: 'event', event: 'locked', signals: {} },
  reply: { kind: 'reply', requestId: requestId(1), outcome: 'done', error: '' },
};
/** Events are few and stay, reports are many and go. */
const anyRecords = fc.oneof(
  fc.record({ what: fc.constant('report' as const), many: fc.integer({ min: 1, max: 80 }) }),
  fc.record({
    what: fc.constantFrom('event' as const, 'reply' as const),
    many: fc.integer({ min: 1, max: 3 }),
  }),
);
/** A loss lies between two records or beside them all, and what tells it lies there or higher up. */
const pairsOf = (capacity: number) => ((capacity + 1) * (capacity + 2)) / 2;
const encode = () => new Uint8Array(4);

/** The journal after that many records, and the most tombstones that it held after any of them. */
function filled(
  before: Journal,
  { what, many }: { readonly what: keyof typeof MESSAGES; readonly many: number },
): { readonly journal: Journal; readonly mostTombstones: number } {
  let [journal, most] = [before, 0];
  for (let index = 0; index < many; index += 1) {
    journal = append(journal, MESSAGES[what], encode)?.journal ?? journal;
    most = Math.max(most, journal.entryIndex.counts.tombstone);
  }
  return { journal, mostTombstones: most };
}

/** The sequences of all entries, and those that tombstones cover. */
function heldBy({ entryIndex }: Journal) {
  const entries = allEntries(entryIndex);
  const lost = new Set<number>();
  for (const { tombstone } of entries)
    if (tombstone !== undefined)
      for (let sequence = tombstone.first; sequence <= tombstone.last; sequence += 1) lost.add(sequence);
  return { sequences: new Set(entries.map(({ sequence }) => sequence)), lost };
}

test('a box that is off the air has one tombstone at most for each two places between records, and they explain all that is missing', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.array(anyRecords, { maxLength: 60, size: 'max' }),
      (capacity, days) => {
        let journal = emptyJournal(1, capacity);
        for (const day of days) {
          const after = filled(journal, day);
          expect(after.mostTombstones).toBeLessThanOrEqual(pairsOf(capacity));
          journal = after.journal;
          const { sequences, lost } = heldBy(journal);
          expect([...sequences].filter((sequence) => lost.has(sequence))).toEqual([]);
          expect(sequences.size + lost.size).toBe(journal.next - 1);
        }
      },
    ),
  );
});

test('where tombstones were sent, and records receipted in any order, there are at most twice as many', () => {
  const anyDay = fc.record({
    records: anyRecords,
    isSent: fc.boolean(),
    receipt: fc.option(fc.tuple(fc.nat(1_000), fc.nat(20)), { nil: undefined }),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.array(anyDay, { maxLength: 60, size: 'max' }),
      (capacity, days) => {
        let journal = emptyJournal(1, capacity);
        for (const { records, isSent, receipt } of days) {
          const after = filled(journal, records);
          expect(after.mostTombstones).toBeLessThanOrEqual(mostTombstones(capacity));
          journal = after.journal;
          const { sequences, lost } = heldBy(journal);
          expect([...sequences].filter((sequence) => lost.has(sequence))).toEqual([]);
          if (isSent) for (const sequence of sequences) journal = closeTombstone(journal, sequence);
          if (receipt === undefined) continue;
          const first = receipt[0] % journal.next;
          journal = applyReceipt(journal, 0, [[first, first + receipt[1]]]).journal;
        }
      },
    ),
  );
});

test('a single event that is held does not keep what is lost around it apart', () => {
  let journal = emptyJournal(1, 8);
  for (const day of [
    { what: 'report', many: 50 },
    { what: 'event', many: 1 },
    { what: 'report', many: 5_000 },
  ] as const)
    ({ journal } = filled(journal, day));
  expect(journal.entryIndex.counts.tombstone).toBeLessThanOrEqual(3);
});

test('the bound of a small journal is far below the room that there is for tombstones', () => {
  expect([1, 8, 16, 10_000].map(mostTombstones)).toEqual([6, 90, 306, 1_000]);
});

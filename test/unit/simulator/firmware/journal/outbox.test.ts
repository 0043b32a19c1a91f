import { describe, expect, test } from 'vitest';
import { emptyEntryIndex, putEntry } from '../../../../../simulator/firmware/journal/entry-index.ts';
import { emptyJournal, emptyOutbox } from '../../../../../simulator/firmware/journal/journal-state.ts';
import { forgetEntries } from '../../../../../simulator/firmware/journal/outbox.ts';
import { timeSent, timingFrom } from '../../../../../simulator/firmware/journal/receipt-timing.ts';
import { nextInOrder } from '../../../../../simulator/firmware/journal/send-order.ts';
import { limits } from '../../../../../simulator/limits.ts';
import { journalEntry, tombstoneOver } from '../../../../support/firmware/journal-entries.ts';
import { TestBox } from '../../../../support/firmware/test-box.ts';

/** Two events, ten seconds after each other, both sent and taken by the broker. */
function twoEvents() {
  const rig = new TestBox().ready();
  const { next: lower } = rig.state.flash.journal;
  rig.tick({ anyDoorOpen: true });
  rig.acknowledgeAll();
  rig.pass(10_000);
  rig.tick({ anyDoorOpen: false });
  rig.acknowledgeAll();
  rig.pass(10_000);
  rig.sent = [];
  return { rig, lower, higher: lower + 1 };
}
const sentAgain = (rig: TestBox) => rig.sent.splice(0).map(({ sequence }) => sequence);

describe('the wait for a receipt', () => {
  test('goes on for the lowest record, although a later one gets its receipt', () => {
    const { rig, lower, higher } = twoEvents();
    rig.down({ kind: 'receipt', contiguous: lower - 1, ranges: [[higher, higher]] });
    rig.pass(limits.resendFirstMs - 20_000);
    expect(sentAgain(rig)).toEqual([lower]);
  });

  test('begins anew once the lowest record has its receipt', () => {
    const { rig, lower, higher } = twoEvents();
    rig.down({ kind: 'receipt', contiguous: lower, ranges: [] });
    rig.pass(limits.resendFirstMs - 1);
    expect(sentAgain(rig)).toEqual([]);
    rig.pass(1);
    expect(sentAgain(rig)).toEqual([higher]);
  });
});

test('a record that is asked for again is so no longer once it has left the journal, and others still are', () => {
  const outbox = { ...emptyOutbox, again: [3, 4, 5] };
  expect(forgetEntries(outbox, [journalEntry(4)]).again).toEqual([3, 5]);
});

test('records that are sent again only leave it open from where on none was ever sent', () => {
  const timing = timingFrom(5);
  expect(timeSent(timing, [journalEntry(3), journalEntry(4)], 1_000)).toEqual(timing);
  expect(timeSent(timing, [journalEntry(4), journalEntry(5)], 1_000)).toEqual({
    neverSentFrom: 6,
    timed: { sequence: 5, at: 1_000 },
  });
});

test('before a tombstone begins another island, the island that there is grows', () => {
  const entries = [tombstoneOver(10, 1, 2), journalEntry(11), tombstoneOver(20, 3, 4), journalEntry(21)];
  const journal = {
    ...emptyJournal(1, 100),
    next: 22,
    entryIndex: entries.reduce(putEntry, emptyEntryIndex),
  };
  const sequenceAfter = (sent: readonly (readonly [number, number])[]) =>
    nextInOrder(journal, { sent, awaiting: 1, awaitingUrgent: 0 }, false, 100)?.sequence;
  expect(sequenceAfter([[0, 0]])).toBe(10);
  const island = [
    [0, 2],
    [10, 10],
  ] as const;
  expect(sequenceAfter(island)).toBe(11);
  expect(
    sequenceAfter([
      [0, 2],
      [5, 11],
    ]),
  ).toBe(20);
});

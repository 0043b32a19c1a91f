import { describe, expect, test } from 'vitest';
import type { EventMessage, RecordMessage, Tombstone } from '../../../../../protocol/message.ts';
import { allEntries, findEntry } from '../../../../../simulator/firmware/journal/entry-index.ts';
import {
  append,
  applyReceipt,
  clearReceipted,
  closeTombstone,
  type EncodeRecord,
  handleUnreadable,
  lowestHeld,
} from '../../../../../simulator/firmware/journal/journal.ts';
import { emptyJournal, type Journal } from '../../../../../simulator/firmware/journal/journal-state.ts';
import { limits } from '../../../../../simulator/limits.ts';

const report: RecordMessage = { kind: 'report', cause: 'time', signals: {} };
const event: EventMessage = { kind: 'event', event: 'locked', signals: {} };

/** A journal whose frames are the JSON of what they say. */
class Book {
  journal: Journal;
  constructor(capacity: number) {
    this.journal = emptyJournal(1, capacity);
  }
  readonly stamp: EncodeRecord = (_sequence, message) => new TextEncoder().encode(JSON.stringify(message));
  add(message: RecordMessage): boolean {
    const change = append(this.journal, message, this.stamp);
    if (change !== undefined) this.journal = change.journal;
    return change !== undefined;
  }
  addAll(letters: string): this {
    for (const letter of letters) this.add(letter === 'r' ? report : event);
    return this;
  }
  /** What is held, in short: sequence and first letter; tombstones with their range and counts. */
  held(): string {
    return allEntries(this.journal.entryIndex)
      .map(({ sequence, entryClass: sort, bytes }) => {
        if (sort !== 'tombstone') return `${sequence}${sort.charAt(0)}`;
        const { first, last, reports, events } = JSON.parse(new TextDecoder().decode(bytes)) as Tombstone;
        return `${sequence}t(${first}-${last}:${reports}+${events})`;
      })
      .join(' ');
  }
}

describe('a full journal', () => {
  test('gives up its oldest reports and leaves one tombstone that grows', () => {
    const book = new Book(4).addAll('rrrrrrr');
    expect(book.held()).toBe('4r 5t(1-3:3+0) 6r 7r 8r');
  });

  test('gives up reports before events, and events only when no report is left', () => {
    expect(new Book(3).addAll('ererr').held()).toBe('1e 3e 4t(2-2:1+0) 6t(5-5:1+0) 7r');
    const book = new Book(3).addAll('eee');
    expect(book.held()).toBe('1e 2e 3e');
    book.addAll('e');
    expect(book.held()).toBe('2e 3e 4t(1-1:0+1) 5e');
  });

  test('never covers a held record with a tombstone', () => {
    const book = new Book(3).addAll('rer');
    book.addAll('r');
    expect(book.held()).toBe('2e 3r 4t(1-1:1+0) 5r');
    book.addAll('r');
    expect(book.held()).toBe('2e 4t(1-1:1+0) 5r 6t(3-3:1+0) 7r');
  });

  test('leaves a tombstone that was sent as it is, and replaces it by a new one', () => {
    const book = new Book(2).addAll('rrr');
    expect(book.held()).toBe('2r 3t(1-1:1+0) 4r');
    book.journal = closeTombstone(book.journal, 3);
    book.addAll('r');
    expect(book.held()).toBe('4r 5t(1-3:2+0) 6r');
  });

  test('has one tombstone for all that lies together, however long it is full', () => {
    const book = new Book(4).addAll('r'.repeat(1_000));
    expect(book.held()).toMatch(/^(\d+r )*\d+t\(1-\d+:\d+\+0\)( \d+r)*( \d+t\(\d+-\d+:\d+\+0\))?( \d+r)*$/);
    const lost = allEntries(book.journal.entryIndex).reduce(
      (sum, { tombstone }) => sum + (tombstone?.reports ?? 0),
      0,
    );
    expect(lost).toBe(996);
  });

  test('extends a tombstone over records receipted meanwhile', () => {
    const book = new Book(3).addAll('rer');
    book.addAll('r');
    book.journal = applyReceipt(book.journal, 0, [[2, 2]]).journal;
    book.addAll('rr');
    expect(book.held()).toBe('4t(1-3:2+0) 5r 6r 7r');
  });
});

describe('a receipt', () => {
  test('releases the contiguous part and the ranges, and no sequence that was never assigned', () => {
    const book = new Book(10).addAll('rrrrrr');
    const change = applyReceipt(book.journal, 2, [
      [4, 4],
      [6, 4_000_000_000],
    ]);
    expect(change.removed.map((entry) => entry.sequence)).toEqual([1, 2, 4, 6]);
    expect(clearReceipted(change.journal).writes).toEqual([
      { erase: 'j/00000001' },
      { erase: 'j/00000002' },
      { erase: 'j/00000004' },
      { erase: 'j/00000006' },
    ]);
    expect(lowestHeld(change.journal)).toBe(3);
    expect(change.journal.next).toBe(7);
  });

  test('is written with the next write, and separately only if many pages are waiting', () => {
    const few = new Book(1_000).addAll('rr');
    const { journal, writes } = applyReceipt(few.journal, 2, []);
    expect(writes).toEqual([]);
    expect(clearReceipted(journal).writes).toHaveLength(2);
    expect(clearReceipted(clearReceipted(journal).journal).writes).toEqual([]);
    const count = limits.journalReceiptedPages + 1;
    const many = new Book(1_000).addAll('r'.repeat(count));
    const change = applyReceipt(many.journal, count, []);
    expect(change.writes).toHaveLength(count);
    expect(clearReceipted(change.journal).writes).toEqual([]);
  });

  test('for records that are not held changes nothing', () => {
    const book = new Book(10).addAll('rr');
    const { journal } = applyReceipt(book.journal, 2, []);
    expect(applyReceipt(journal, 2, [[1, 9]])).toEqual({ journal, writes: [], removed: [] });
    expect(lowestHeld(journal)).toBe(3);
  });
});

describe('a record that the backend cannot read', () => {
  test('is sent once more, and then given up under its own tombstone', () => {
    const book = new Book(10).addAll('re');
    for (const expected of [true, false]) {
      const entry = findEntry(book.journal.entryIndex, 2);
      if (entry === undefined) throw new Error('The record is gone');
      const { change, again } = handleUnreadable(book.journal, entry, book.stamp);
      expect(again).toBe(expected);
      book.journal = change.journal;
    }
    expect(book.held()).toBe('1r 3t(2-2:0+1)');
    expect(book.journal.openTombstones).toEqual([]);
  });

  test('is kept if it is a tombstone', () => {
    const book = new Book(2).addAll('rrr');
    for (let time = 0; time < 3; time++) {
      const entry = findEntry(book.journal.entryIndex, 3);
      if (entry === undefined) throw new Error('The tombstone is gone');
      book.journal = handleUnreadable(book.journal, entry, book.stamp).change.journal;
    }
    expect(book.held()).toContain('3t(1-1:1+0)');
  });
});

test('a journal with no sequences left accepts no more records, and loses none', () => {
  const book = new Book(4).addAll('r');
  book.journal = { ...book.journal, next: 0xffff_ffff };
  expect(book.add(report)).toBe(true);
  expect(book.add(report)).toBe(false);
  expect(allEntries(book.journal.entryIndex).map((entry) => entry.sequence)).toEqual([1, 0xffff_ffff]);
});

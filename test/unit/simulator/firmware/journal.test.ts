import { describe, expect, test } from 'vitest';
import type { EventMessage, RecordMessage, Tombstone } from '../../../../protocol/message.ts';
import {
  append,
  cleared,
  emptyJournal,
  type Journal,
  lowestHeld,
  receipt,
  type Stamp,
  seal,
  unreadable,
} from '../../../../simulator/firmware/journal.ts';
import { entriesOf, find } from '../../../../simulator/firmware/shelf.ts';
import { limits } from '../../../../simulator/limits.ts';

const report: RecordMessage = { kind: 'report', cause: 'time', signals: {} };
const event: EventMessage = { kind: 'event', event: 'locked', signals: {} };

/** A journal whose frames are the JSON of what they say. */
class Book {
  journal: Journal;
  constructor(capacity: number) {
    this.journal = emptyJournal(1, capacity);
  }
  readonly stamp: Stamp = (_sequence, message) => new TextEncoder().encode(JSON.stringify(message));
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
    return entriesOf(this.journal.shelf)
      .map(({ sequence, sort, bytes }) => {
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

  test('never lays a tombstone over a record that is held', () => {
    const book = new Book(3).addAll('rer');
    book.addAll('r');
    expect(book.held()).toBe('2e 3r 4t(1-1:1+0) 5r');
    book.addAll('r');
    expect(book.held()).toBe('2e 4t(1-1:1+0) 5r 6t(3-3:1+0) 7r');
  });

  test('begins a new tombstone once the first one was handed to the link', () => {
    const book = new Book(2).addAll('rrr');
    expect(book.held()).toBe('2r 3t(1-1:1+0) 4r');
    book.journal = seal(book.journal, 3);
    book.addAll('r');
    expect(book.held()).toBe('3t(1-1:1+0) 4r 5t(2-2:1+0) 6r');
  });

  test('grows a tombstone over what was receipted meanwhile', () => {
    const book = new Book(3).addAll('rer');
    book.addAll('r');
    book.journal = receipt(book.journal, 0, [[2, 2]]).journal;
    book.addAll('rr');
    expect(book.held()).toBe('4t(1-3:2+0) 5r 6r 7r');
  });
});

describe('a receipt', () => {
  test('lets go of the contiguous part and of the ranges, and of nothing that was never given out', () => {
    const book = new Book(10).addAll('rrrrrr');
    const change = receipt(book.journal, 2, [
      [4, 4],
      [6, 4_000_000_000],
    ]);
    expect(change.gone.map((entry) => entry.sequence)).toEqual([1, 2, 4, 6]);
    expect(cleared(change.journal).writes).toEqual([
      { erase: 'j/00000001' },
      { erase: 'j/00000002' },
      { erase: 'j/00000004' },
      { erase: 'j/00000006' },
    ]);
    expect(lowestHeld(change.journal)).toBe(3);
    expect(change.journal.next).toBe(7);
  });

  test('is written with whatever is written next, and by itself only where many pages wait', () => {
    const few = new Book(1_000).addAll('rr');
    const { journal, writes } = receipt(few.journal, 2, []);
    expect(writes).toEqual([]);
    expect(cleared(journal).writes).toHaveLength(2);
    expect(cleared(cleared(journal).journal).writes).toEqual([]);
    const count = limits.journalReceiptedPages + 1;
    const many = new Book(1_000).addAll('r'.repeat(count));
    const change = receipt(many.journal, count, []);
    expect(change.writes).toHaveLength(count);
    expect(cleared(change.journal).writes).toEqual([]);
  });

  test('for what is not held changes nothing', () => {
    const book = new Book(10).addAll('rr');
    const { journal } = receipt(book.journal, 2, []);
    expect(receipt(journal, 2, [[1, 9]])).toEqual({ journal, writes: [], gone: [] });
    expect(lowestHeld(journal)).toBe(3);
  });
});

describe('a record that the backend cannot read', () => {
  test('is sent once more, and then given up under a tombstone of its own', () => {
    const book = new Book(10).addAll('re');
    for (const expected of [true, false]) {
      const entry = find(book.journal.shelf, 2);
      if (entry === undefined) throw new Error('The record is gone');
      const { change, again } = unreadable(book.journal, entry, book.stamp);
      expect(again).toBe(expected);
      book.journal = change.journal;
    }
    expect(book.held()).toBe('1r 3t(2-2:0+1)');
    expect(book.journal.open).toEqual([]);
  });

  test('is kept where it is a tombstone', () => {
    const book = new Book(2).addAll('rrr');
    for (let time = 0; time < 3; time++) {
      const entry = find(book.journal.shelf, 3);
      if (entry === undefined) throw new Error('The tombstone is gone');
      book.journal = unreadable(book.journal, entry, book.stamp).change.journal;
    }
    expect(book.held()).toContain('3t(1-1:1+0)');
  });
});

test('a journal whose sequences are used up takes nothing more, and loses nothing', () => {
  const book = new Book(4).addAll('r');
  book.journal = { ...book.journal, next: 0xffff_ffff };
  expect(book.add(report)).toBe(true);
  expect(book.add(report)).toBe(false);
  expect(entriesOf(book.journal.shelf).map((entry) => entry.sequence)).toEqual([1, 0xffff_ffff]);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Frame, RecordMessage } from '../../protocol/message.ts';
import { ReceivedJournal } from '../../simulator/fleet/received-journal.ts';
import { limits } from '../../simulator/limits.ts';

const EPOCH = 7;

function frame(sequence: number, message: RecordMessage): Frame {
  return { generation: 2, epoch: EPOCH, boot: 1, sequence, clockMs: 0, message };
}

function tombstone(first: number, last: number): RecordMessage {
  return {
    kind: 'tombstone',
    reason: 'overwritten',
    first,
    last,
    reports: last - first + 1,
    events: 0,
    replies: 0,
  };
}

/** Records as they come: repeated, out of order, some of them tombstones over what lies below them. */
const record = fc.record({
  sequence: fc.integer({ min: 1, max: 120 }),
  covered: fc.option(fc.nat({ max: 8 })),
});

function messageOf({ sequence, covered }: { sequence: number; covered: number | null }): RecordMessage {
  return covered === null || sequence === 1
    ? { kind: 'heartbeat' }
    : tombstone(Math.max(1, sequence - 1 - covered), sequence - 1);
}

describe('what a receiver has of a journal', () => {
  test('a receipt names what has come or was given up, lowest first, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 80 }), (records) => {
        const journal = new ReceivedJournal();
        const settled = new Set<number>();
        for (const one of records) {
          const message = messageOf(one);
          const isNew = journal.settle(frame(one.sequence, message), message);
          expect(isNew).toBe(!settled.has(one.sequence));
          if (!isNew) continue;
          settled.add(one.sequence);
          if (message.kind !== 'tombstone') continue;
          for (let sequence = message.first; sequence <= message.last; sequence += 1) settled.add(sequence);
        }
        const { contiguous, ranges } = journal.receipt();
        const named = Array.from({ length: contiguous }, (_, index) => index + 1);
        for (const [first, last] of ranges)
          for (let sequence = first; sequence <= last; sequence += 1) named.push(sequence);
        const expected = [...settled].sort((one, other) => one - other);
        if (ranges.length < 32) expect(named).toEqual(expected);
        else expect(named).toEqual(expected.slice(0, named.length));
      }),
    );
  });

  test('a record that would leave one gap too many is in no receipt until gaps below are filled', () => {
    const journal = new ReceivedJournal();
    const take = (sequence: number) =>
      journal.settle(frame(sequence, { kind: 'heartbeat' }), { kind: 'heartbeat' });
    for (let gap = 1; gap < limits.receiverRanges; gap += 1) expect(take(gap * 2 + 1)).toBe(true);
    const next = limits.receiverRanges * 2 + 1;
    expect(take(next)).toBe(false);
    expect(take(1)).toBe(true);
    expect(take(2)).toBe(true);
    expect(take(next)).toBe(true);
  });

  test('a wiped box counts anew, and one that gave up its oldest records is not asked for them', () => {
    const journal = new ReceivedJournal();
    const hello = (epoch: number, lowestHeld: number) =>
      journal.greet(
        { ...frame(0, { kind: 'heartbeat' }), epoch },
        {
          kind: 'hello',
          connection: 3,
          firmware: [2, 30],
          hardwareRevision: 4,
          resetReason: 'GENERAL',
          lowestHeld,
          nextSequence: lowestHeld,
          configurationRevision: 0,
        },
      );
    hello(EPOCH, 41);
    expect(journal.receipt()).toEqual({ kind: 'receipt', contiguous: 40, ranges: [] });
    hello(EPOCH + 1, 1);
    expect(journal.receipt()).toEqual({ kind: 'receipt', contiguous: 0, ranges: [] });
    expect(journal).toMatchObject({ epoch: EPOCH + 1, connection: 3 });
  });
});

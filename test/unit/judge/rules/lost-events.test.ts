import { expect, test } from 'vitest';
import { SentRecords } from '../../../../judge/rules/box/lost-events.ts';
import type { RecordMessage } from '../../../../protocol/message.ts';

const MINUTE_MS = 60_000;
const HEARTBEAT: RecordMessage = { kind: 'heartbeat' };
/** An event that was due in the tenth minute. */
const EVENT = { atMs: 10 * MINUTE_MS, dueMs: 10 * MINUTE_MS + 15_000 };

function tombstone(first: number, last: number, events: number): RecordMessage {
  return { kind: 'tombstone', reason: 'overwritten', first, last, reports: 2, events, replies: 0 };
}

/** What a box has sent, each as the minute in which it was written, its sequence, and what it is. */
function sent(...records: readonly (readonly [minute: number, sequence: number, message: RecordMessage])[]) {
  const all = new SentRecords();
  for (const [minute, sequence, message] of records)
    all.add({
      atMs: 60 * MINUTE_MS,
      direction: 'up',
      epoch: 1,
      sequence,
      message,
      clockMs: minute * MINUTE_MS,
    });
  return all;
}

test.each([
  ['a tombstone names events between what was written before and after it', tombstone(11, 14, 1), true],
  ['the tombstone reaches farther', tombstone(2, 40, 1), true],
  ['the tombstone names reports alone', tombstone(11, 14, 0), false],
  ['all that the tombstone names is older', tombstone(2, 9, 3), false],
  ['all that the tombstone names is younger', tombstone(21, 30, 3), false],
])('whether an event may have been given up where %s: %s', (_case, lost, isPossible) => {
  const records = sent([8, 10, HEARTBEAT], [12, 20, HEARTBEAT], [30, 50, lost]);
  expect(records.mayHaveGivenUp(EVENT, 0)).toBe(isPossible);
});

test('a box whose clock was minutes off may have given it up with what is told as older', () => {
  const records = sent([8, 10, HEARTBEAT], [12, 20, HEARTBEAT], [30, 50, tombstone(2, 9, 3)]);
  expect(records.mayHaveGivenUp(EVENT, 5 * MINUTE_MS)).toBe(true);
});

test('what was sent is known by epoch and sequence', () => {
  const records = sent([8, 10, HEARTBEAT]);
  expect([records.has(1, 10), records.has(1, 11), records.has(2, 10)]).toEqual([true, false, false]);
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { commandLimits } from '../../../../backend/base/limits.ts';
import { makePendingReplies } from '../../../../backend/commands/pending-replies.ts';
import { VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';

const HOUR_MS = 3_600_000;

function openReplies() {
  const loop = new VirtualLoop();
  const pending = makePendingReplies(virtualTime(loop, new ProcessScope('service')));
  const beganMs = loop.nowMs;
  /** Waits once, and tells why it ended and how long after the beginning. */
  const waited = async (id: string, untilMs = beganMs + HOUR_MS) => {
    const why = await loop.runWhile(pending.wait(id, untilMs));
    return { why, afterMs: loop.nowMs - beganMs };
  };
  return { loop, pending, beganMs, waited };
}

describe('waiting for a reply', () => {
  test('looks by itself at longer and longer intervals, up to the longest', async () => {
    const { waited } = openReplies();
    let afterMs = 0;
    for (const intervalMs of [1_000, 2_000, 4_000, 8_000, 8_000, 8_000]) {
      afterMs += intervalMs;
      expect(await waited('one')).toEqual({ why: 'look', afterMs });
    }
    expect(commandLimits).toMatchObject({ lookMs: 1_000, longestLookMs: 8_000 });
  });

  test('never lasts longer than its caller says', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 8 }), async (bounds) => {
        const { loop, waited } = openReplies();
        for (const boundMs of bounds) {
          const [fromMs, untilMs] = [loop.nowMs, loop.nowMs + boundMs];
          expect((await waited('one', untilMs)).why).toBe('look');
          expect(loop.nowMs).toBeLessThanOrEqual(untilMs);
          expect(loop.nowMs - fromMs).toBeLessThanOrEqual(commandLimits.longestLookMs);
        }
      }),
    );
  });

  test('ends at once when it is woken, and one for another command does not', async () => {
    const { loop, pending, beganMs } = openReplies();
    const [one, other] = [pending.wait('one', beganMs + HOUR_MS), pending.wait('other', beganMs + HOUR_MS)];
    pending.wake('one');
    expect(await one).toBe('look');
    expect(loop.nowMs).toBe(beganMs);
    expect(await loop.runWhile(other)).toBe('look');
    expect(loop.nowMs).toBe(beganMs + commandLimits.lookMs);
  });

  test('a wake between two waits ends the next at once, and only that one', async () => {
    const { waited, pending } = openReplies();
    await waited('one');
    pending.wake('one');
    pending.wake('one');
    expect(await waited('one')).toEqual({ why: 'look', afterMs: 1_000 });
    expect(await waited('one')).toEqual({ why: 'look', afterMs: 3_000 });
  });

  test('a wake for a command that nobody has waited for yet, or no more, is not kept', async () => {
    const { waited, pending } = openReplies();
    pending.wake('one');
    expect((await waited('one')).afterMs).toBe(1_000);
    pending.forget('one');
    pending.wake('one');
    expect((await waited('one')).afterMs).toBe(2_000);
  });

  test('closing ends every wait, and every later one at once', async () => {
    const { loop, pending, beganMs, waited } = openReplies();
    expect(pending.isClosed).toBe(false);
    const waits = ['one', 'other'].map((id) => pending.wait(id, beganMs + HOUR_MS));
    pending.close();
    expect(await Promise.all(waits)).toEqual(['closed', 'closed']);
    expect(pending.isClosed).toBe(true);
    expect(await waited('third')).toEqual({ why: 'closed', afterMs: 0 });
    expect(loop.scheduledCount).toBe(0);
  });

  test('ends for all who wait where outcomes may have come unnoticed', async () => {
    const { loop, pending, waited } = openReplies();
    const both = [waited('one'), pending.wait('two', loop.nowMs + HOUR_MS)];
    pending.wakeAll();
    expect(await Promise.all(both)).toEqual([{ why: 'look', afterMs: 0 }, 'look']);
  });
});

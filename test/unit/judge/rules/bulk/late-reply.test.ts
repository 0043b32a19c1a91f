import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CHECKS } from '../../../../../judge/rules/checks.ts';
import { anyRightRecordings } from '../../../../support/checkers/any-recordings.ts';
import { askAgain } from '../../../../support/checkers/bulk-faults.ts';
import { scopeOf } from '../../../../support/checkers/checker-scope.ts';

test.each([
  ['a box that is asked again after its wait, and gets that late, was not asked too early', 50_000, 0],
  [
    'a box that is asked again before its wait is over was asked too early, however late it gets that',
    22_000,
    1,
  ],
])('%s', async (_name, waitMs, count) => {
  await fc.assert(
    fc.asyncProperty(anyRightRecordings, fc.integer({ min: 1, max: 100_000 }), async (history, lateMs) => {
      const [again] = askAgain(history, [waitMs]);
      const told = history.vehicles[0];
      fc.pre(again !== undefined && told !== undefined);
      const index = told.frames.findIndex(
        ({ message }) => message.kind === 'configuration' && message.requestId === again,
      );
      const second = told.frames[index];
      const first = told.frames.find(({ message }) => message.kind === 'configuration');
      fc.pre(first?.message.kind === 'configuration' && second !== undefined);
      const { requestId } = first.message;
      const atMs = second.atMs + lateMs;
      // It writes to its flash all the time: it gets the second request and replies to the first at one moment.
      told.frames = told.frames.map((frame) => {
        const isReply = frame.message.kind === 'reply' && frame.message.requestId === requestId;
        return isReply || frame === second ? { ...frame, atMs } : frame;
      });
      const { findings } = await CHECKS['bulk-in-time'](scopeOf(history));
      expect(findings.filter(({ text }) => text.includes('tried too early'))).toHaveLength(count);
    }),
    { numRuns: 30 },
  );
});

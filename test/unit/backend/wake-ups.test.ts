import { describe, expect, test } from 'vitest';
import type { WakeUp } from '../../../backend/store/port/wake-ups.ts';
import { wakeUpHandler } from '../../../backend/wake-ups.ts';

/** What each wake-up leads to. */
function wokenBy(wakeUp: WakeUp): readonly string[] {
  const woken: string[] = [];
  const note = (what: string) => (which?: unknown) =>
    void woken.push(which === undefined ? what : `${what} ${JSON.stringify(which)}`);
  wakeUpHandler({
    dispatcher: { settled: note('dispatcher settled'), lookAgain: note('dispatcher') },
    bulk: { wake: note('bulk') },
    setup: { ready: note('setup ready'), lookAgain: note('setup') },
    outboxPublisher: { wake: note('outbox') },
    subscriptions: { changedElsewhere: note('subscriptions') },
  })(wakeUp);
  return woken;
}

describe('a wake-up', () => {
  test.each<[WakeUp, readonly string[]]>([
    [{ kind: 'settled', requestIds: ['R1', 'R2'] }, ['dispatcher settled ["R1","R2"]']],
    [{ kind: 'messages', partitions: [3] }, ['outbox']],
    [{ kind: 'onboarded', boxIds: ['a1'] }, ['setup ready ["a1"]']],
    [{ kind: 'bulk' }, ['bulk']],
    [{ kind: 'subscriptions' }, ['subscriptions']],
  ])('wakes whom it concerns, and nobody else: %o', (wakeUp, woken) => {
    expect(wokenBy(wakeUp)).toEqual(woken);
  });

  test('of which it is not known what has happened wakes everybody', () => {
    expect(wokenBy({ kind: 'anything' })).toEqual(['dispatcher', 'bulk', 'setup', 'outbox', 'subscriptions']);
  });
});

import { describe, expect, test } from 'vitest';
import type { WakeUp } from '../../../backend/store/port/wake-ups.ts';
import { startDoubtWatch, wakeUpHandler } from '../../../backend/wake-ups.ts';
import { openVirtualWorld } from '../../../world/virtual-world.ts';

/** What each wake-up leads to. */
function wokenBy(wakeUp: WakeUp): readonly string[] {
  const woken: string[] = [];
  const note = (what: string) => (which?: unknown) =>
    void woken.push(which === undefined ? what : `${what} ${JSON.stringify(which)}`);
  wakeUpHandler({
    dispatcher: { settled: note('dispatcher settled'), recheck: note('dispatcher') },
    bulk: { wake: note('bulk') },
    setup: { ready: note('setup ready'), recheck: note('setup') },
    outboxPublisher: { wake: note('outbox') },
    subscriptions: { changedElsewhere: note('subscriptions') },
    keeper: { wake: note('keeper') },
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
    [{ kind: 'leases' }, ['keeper']],
  ])('wakes whom it concerns, and nobody else: %o', (wakeUp, woken) => {
    expect(wokenBy(wakeUp)).toEqual(woken);
  });

  test('of which it is not known what has happened wakes everybody', () => {
    const everybody = ['keeper', 'dispatcher', 'bulk', 'setup', 'outbox', 'subscriptions'];
    expect(wokenBy({ kind: 'anything' })).toEqual(everybody);
  });
});

describe('a write that has failed', () => {
  test('may have been committed: everybody is woken 2 s later, once for all that fail until then', async () => {
    const world = openVirtualWorld({ seed: 1 });
    const startMs = world.time.nowMs();
    const woken: (readonly [kind: string, afterMs: number])[] = [];
    const watch = startDoubtWatch(world.time, ({ kind }) => woken.push([kind, world.time.nowMs() - startMs]));
    watch.failed();
    await world.runFor(1_500);
    watch.failed();
    await world.runFor(10_000);
    expect(woken).toEqual([['anything', 2_000]]);
    watch.failed();
    watch.stop();
    watch.failed();
    await world.runFor(10_000);
    expect(woken).toHaveLength(1);
  });
});

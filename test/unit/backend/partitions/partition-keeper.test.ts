import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { partitionLimits } from '../../../../backend/base/limits.ts';
import { PARTITIONS } from '../../../../protocol/partitions.ts';
import { ONE_EACH, SharingBackends, TAKEN_MS } from '../../../support/backend/sharing-backends.ts';

describe('backends that share the partitions', () => {
  test('a backend that is alone serves all of them at once', async () => {
    const backends = new SharingBackends();
    backends.start('a');
    await backends.pass(100);
    expect(backends.counts()).toEqual({ a: PARTITIONS });
  });

  test('one that joins has its share soon, and no more is moved than that', async () => {
    const backends = new SharingBackends();
    backends.start('a');
    await backends.pass(100);
    backends.moves.length = 0;
    backends.start('b');
    await backends.pass(2 * partitionLimits.beatMs + 200);
    expect(backends.counts()).toEqual({ a: 32, b: 32 });
    expect(backends.moves).toHaveLength(32);
    expect(backends.moves.every(({ isSettled }) => isSettled)).toBe(true);
    expect(backends.holders()).toEqual(ONE_EACH);
  });

  test('one that leaves passes everything on, settled', async () => {
    const backends = new SharingBackends();
    backends.start('a');
    backends.start('b');
    await backends.pass(10_000);
    backends.moves.length = 0;
    await backends.world.run(() => backends.leave('a'));
    await backends.pass(partitionLimits.beatMs + 100);
    expect(backends.counts()).toEqual({ b: PARTITIONS });
    expect(backends.moves).toHaveLength(32);
    expect(backends.moves.every(({ isSettled }) => isSettled)).toBe(true);
  });

  test('the partitions of one that died are served within 10 s, and are told to be unsettled', async () => {
    const backends = new SharingBackends();
    for (const name of ['a', 'b', 'c']) backends.start(name);
    await backends.pass(20_000);
    backends.moves.length = 0;
    backends.kill('b');
    await backends.pass(TAKEN_MS);
    expect(backends.counts()).toEqual({ a: 32, c: 32 });
    expect(backends.moves.every(({ isSettled }) => !isSettled)).toBe(true);
    expect(backends.holders()).toEqual(ONE_EACH);
  });

  test('one that does not hear from the store for as long as its leases last serves nothing, and goes on afterwards', async () => {
    const backends = new SharingBackends();
    backends.start('a');
    await backends.pass(100);
    backends.isStoreFailing = true;
    await backends.pass(partitionLimits.leaseMs);
    expect(backends.counts()).toEqual({ a: 0 });
    backends.isStoreFailing = false;
    await backends.pass(2 * partitionLimits.beatMs);
    expect(backends.counts()).toEqual({ a: PARTITIONS });
  });

  test('what it has lost and is still its own is gained as unsettled: meanwhile frames were dropped', async () => {
    const backends = new SharingBackends();
    backends.start('a');
    backends.start('b');
    await backends.pass(10_000);
    await backends.world.run(() => backends.leave('b'));
    await backends.pass(partitionLimits.beatMs + 100);
    backends.moves.length = 0;
    backends.isStoreFailing = true;
    await backends.pass(partitionLimits.leaseMs);
    backends.isStoreFailing = false;
    await backends.pass(2 * partitionLimits.beatMs);
    expect(backends.moves).toHaveLength(PARTITIONS);
    expect(backends.moves.every(({ isSettled }) => !isSettled)).toBe(true);
  });

  test('the leases of one that was paused are over by the clock, before it is told so', async () => {
    const backends = new SharingBackends();
    backends.start('a');
    await backends.pass(100);
    const keeper = backends.keepers.get('a');
    backends.isStoreFailing = true;
    const endMs = backends.world.time.nowMs() + partitionLimits.leaseMs;
    const seen: unknown[] = [];
    backends.world.time.alarm(endMs - 200, () => seen.push(keeper?.areInForce(), keeper?.leaseOf(0)?.fence));
    backends.world.time.alarm(endMs, () => seen.push(keeper?.areInForce(), keeper?.leaseOf(0)));
    await backends.pass(partitionLimits.leaseMs + 100);
    expect(seen).toEqual([true, 1, false, undefined]);
  });

  test('one that wakes from a pause and hears the store before its own clock gains what it has refused meanwhile', async () => {
    const backends = new SharingBackends();
    // Each answer comes between the end of the leases and the alarm that tells of it.
    backends.slowMs = 1_900;
    backends.lateMs = 500;
    backends.start('a');
    await backends.pass(2_000);
    expect(backends.moves).toHaveLength(PARTITIONS);
    backends.moves.length = 0;
    await backends.pass(5_000);
    expect(backends.moves).toHaveLength(PARTITIONS);
    expect(backends.moves.every(({ isSettled }) => !isSettled)).toBe(true);
  });

  test('an answer of the store that took as long as the leases last gives it nothing to serve', async () => {
    const backends = new SharingBackends();
    backends.slowMs = partitionLimits.leaseMs;
    backends.start('a');
    await backends.pass(partitionLimits.leaseMs + 100);
    expect(backends.moves).toEqual([]);
    backends.slowMs = 0;
    await backends.pass(2 * partitionLimits.beatMs);
    expect(backends.counts()).toEqual({ a: PARTITIONS });
  });

  test('one whose first look fails has started all the same', async () => {
    const backends = new SharingBackends();
    backends.isStoreFailing = true;
    backends.start('a');
    await backends.world.run(() => backends.keepers.get('a')?.started ?? Promise.resolve());
    expect(backends.counts()).toEqual({ a: 0 });
  });

  test('what does not settle in time is passed on as unsettled', async () => {
    const backends = new SharingBackends();
    backends.start('a');
    await backends.pass(100);
    backends.moves.length = 0;
    backends.drain = () => new Promise(() => undefined);
    backends.start('b');
    await backends.pass(partitionLimits.drainMs + 3 * partitionLimits.beatMs);
    expect(backends.counts()).toEqual({ a: 32, b: 32 });
    expect(backends.moves.every(({ isSettled }) => !isSettled)).toBe(true);
  });

  test('what was lost and gained anew while it settled is not passed on: it is served here again', async () => {
    const backends = new SharingBackends();
    backends.start('a');
    await backends.pass(100);
    const keeper = backends.keepers.get('a');
    backends.drain = () => new Promise(() => undefined);
    backends.start('b');
    await backends.pass(partitionLimits.beatMs + 1_000);
    // The next answer comes after the leases have ended by its clock, and tells that they are its own.
    backends.slowMs = 4_500;
    await backends.pass(6_000);
    backends.slowMs = 0;
    backends.drain = () => Promise.resolve();
    await backends.pass(2 * TAKEN_MS);
    expect(keeper?.condition().held).toHaveLength(32);
    expect(backends.counts()).toEqual({ a: 32, b: 32 });
    expect(backends.holders()).toEqual(ONE_EACH);
  });

  test('what does not settle in time is lost here before others may have it', async () => {
    const backends = new SharingBackends();
    backends.start('a');
    await backends.pass(100);
    backends.drain = () => new Promise(() => undefined);
    backends.start('b');
    await backends.pass(partitionLimits.drainMs + 3 * partitionLimits.beatMs);
    expect(backends.lost.get('a')).toHaveLength(32);
  });

  test('however they come, go and die: no partition is served twice, and in the end each by one', async () => {
    const step = fc.record({
      what: fc.constantFrom('start', 'leave', 'kill', 'wait'),
      which: fc.constantFrom('a', 'b', 'c', 'd'),
      afterMs: fc.integer({ min: 0, max: 4_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const backends = new SharingBackends();
        let number = 0;
        const names = new Map<string, string>();
        for (const { what, which, afterMs } of steps) {
          const name = names.get(which);
          if (what === 'start' && name === undefined) {
            number += 1;
            names.set(which, `${which}${number}`);
            backends.start(`${which}${number}`);
          } else if (name !== undefined && (what === 'kill' || what === 'leave')) {
            names.delete(which);
            if (what === 'kill') backends.kill(name);
            else await backends.world.run(() => backends.leave(name));
          }
          await backends.pass(afterMs);
          expect(Math.max(...backends.holders())).toBeLessThanOrEqual(1);
        }
        if (names.size === 0) backends.start('last');
        await backends.pass(2 * TAKEN_MS);
        expect(backends.holders()).toEqual(ONE_EACH);
        const counts = Object.values(backends.counts());
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }),
      { numRuns: 60 },
    );
  });

  test('a partition is taken within 10 s after the death of its holder, by the relations of the limits', () => {
    expect(partitionLimits.leaseMs + partitionLimits.beatMs).toBeLessThan(TAKEN_MS);
    expect(partitionLimits.drainMs + partitionLimits.beatMs).toBeLessThan(partitionLimits.leaseMs);
  });
});

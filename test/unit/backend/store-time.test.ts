import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../backend/limits.ts';
import { StoreFailed } from '../../../backend/store/port/store.ts';
import { followStoreTime, judgeOffset } from '../../../backend/store-time.ts';
import { sleep } from '../../../world/time/time.ts';
import { openVirtualWorld } from '../../../world/virtual-world.ts';

/** A store whose clock is `offMs` ahead of the machine's, and takes a while to say so. */
function openTime(offMs: number, delayMs = 20) {
  const world = openVirtualWorld({ seed: 1 });
  const store = { offMs, isFailing: false };
  const followed = followStoreTime({
    world,
    clock: {
      async nowMs() {
        await sleep(world.time, delayMs / 2);
        if (store.isFailing) throw new StoreFailed('gone');
        const nowMs = world.time.nowMs() + store.offMs;
        await sleep(world.time, delayMs / 2);
        return nowMs;
      },
    },
  });
  const gap = () => followed.time.nowMs() - world.time.nowMs();
  return { world, store, followed, gap };
}

describe('the time that backends on a store go by', () => {
  test('is the store’s, whatever the clock of the machine says', async () => {
    for (const offMs of [-3_600_000, -600, 0, 600, 3_600_000]) {
      const { world, gap } = openTime(offMs);
      expect(gap()).toBe(0);
      await world.runFor(20);
      expect(gap()).toBe(offMs);
    }
  });

  test('wakes when it is that time, and after as long as was wanted', async () => {
    const { world, followed } = openTime(-3_600_000);
    await world.runFor(20);
    const beganMs = world.time.nowMs();
    await world.run(() => sleep(followed.time, 5_000));
    expect(world.time.nowMs() - beganMs).toBe(5_000);
  });

  test('follows a clock that is set, and stays as it is while the store fails', async () => {
    const { world, store, gap } = openTime(0);
    await world.runFor(20);
    store.isFailing = true;
    store.offMs = 60_000;
    await world.runFor(limits.clockLookMs);
    expect(gap()).toBe(0);
    store.isFailing = false;
    await world.runFor(limits.clockLookMs + 20);
    expect(gap()).toBe(60_000);
    expect(world.warnings.map(({ message }) => message)).toEqual([
      expect.stringContaining('not that of the store'),
    ]);
  });

  test('is looked at no more once it is stopped', async () => {
    const { world, followed, store, gap } = openTime(0);
    await world.runFor(20);
    followed.stop();
    store.offMs = 60_000;
    await world.runFor(10 * limits.clockLookMs);
    expect(gap()).toBe(0);
    expect(world.loop.scheduledCount).toBe(0);
  });

  test('does not jump for what may lie in the way of the answer, and is right to within that', () => {
    const real = fc.integer({ min: -1_000_000, max: 1_000_000 });
    const way = fc.integer({ min: 0, max: 5_000 });
    fc.assert(
      fc.property(real, real, way, way, (beforeMs, offMs, thereMs, backMs) => {
        const askedMs = 10_000_000;
        const answer = {
          askedMs,
          storeMs: askedMs + thereMs + offMs,
          answeredMs: askedMs + thereMs + backMs,
        };
        const offset = judgeOffset(beforeMs, answer);
        const doubtMs = (thereMs + backMs) / 2;
        if (beforeMs === offMs) expect(offset).toBe(beforeMs);
        expect(Math.abs(offset - offMs)).toBeLessThanOrEqual(2 * doubtMs + limits.clockToleranceMs + 1);
      }),
    );
  });
});

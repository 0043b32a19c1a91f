import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../backend/base/limits.ts';
import { StoreFailed } from '../../../backend/store/port/store.ts';
import { followStoreTime, judgeOffset } from '../../../backend/store-time.ts';
import { sleep } from '../../../world/time/time.ts';
import { openVirtualWorld } from '../../../world/virtual-world.ts';

/** A store whose clock is `offMs` ahead of the machine's, and takes a while to say so. */
function openTime(offMs: number, delayMs = 20) {
  const world = openVirtualWorld({ seed: 1 });
  const store = { offMs, isFailing: false, askedMs: [] as number[] };
  /** How far the clock of the machine was set since its start. */
  const machine = { setMs: 0 };
  const followed = followStoreTime({
    world: {
      ...world,
      time: {
        nowMs: () => world.time.nowMs() + machine.setMs,
        alarm: (dueMs, wake) => world.time.alarm(dueMs - machine.setMs, wake),
      },
    },
    clock: {
      async nowMs() {
        store.askedMs.push(world.time.nowMs());
        await sleep(world.time, delayMs / 2);
        if (store.isFailing) throw new StoreFailed('gone');
        const nowMs = world.time.nowMs() + store.offMs;
        await sleep(world.time, delayMs / 2);
        return nowMs;
      },
    },
  });
  const gap = () => followed.time.nowMs() - world.time.nowMs();
  return { world, store, machine, followed, gap };
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

  test.each([-3_600_000, -60_000, 60_000, 3_600_000])(
    'does not move when the machine’s clock is set by %i ms, asks the store at once, and says so',
    async (byMs) => {
      const { world, store, machine, followed, gap } = openTime(-2_000);
      await world.runFor(20);
      const rungMs: number[] = [];
      followed.time.alarm(followed.time.nowMs() + 5_000, () => rungMs.push(world.time.nowMs()));
      const dueMs = world.time.nowMs() + 5_000;
      await world.runFor(1_000);
      machine.setMs = byMs;
      const setMs = world.time.nowMs();
      for (let count = 0; count < 5; count += 1) expect(gap()).toBe(-2_000);
      expect(store.askedMs.slice(1)).toEqual([setMs]);
      await world.runFor(4_000);
      expect(rungMs).toEqual([dueMs]);
      expect(gap()).toBe(-2_000);
      expect(store.askedMs.slice(1)).toEqual([setMs]);
      expect(world.warnings).toEqual([
        expect.objectContaining({ message: expect.stringContaining('set the machine') }),
      ]);
    },
  );

  test('asks again within the usual time where nobody looks at the time, also after it asked in between', async () => {
    const { world, store, machine, gap } = openTime(0);
    await world.runFor(20);
    machine.setMs = -60_000;
    gap();
    const setMs = world.time.nowMs();
    await world.runFor(2 * limits.clockLookMs + 100);
    expect(store.askedMs.slice(1)).toEqual([
      setMs,
      setMs + 20 + limits.clockLookMs,
      setMs + 40 + 2 * limits.clockLookMs,
    ]);
  });

  test('follows the store where the machine was frozen and its clock then set, as soon as the answer is there', async () => {
    const { world, store, machine, gap } = openTime(0);
    await world.runFor(20);
    // The steady clock has missed it.
    store.offMs = 30_000;
    machine.setMs = 30_000;
    gap();
    await world.runFor(20);
    expect(gap()).toBe(30_000);
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

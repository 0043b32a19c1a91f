import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sleep } from '../../../world/time.ts';
import { Life } from '../../../world/virtual-life.ts';
import { DEFAULT_START_MS, Stuck, VirtualLoop } from '../../../world/virtual-loop.ts';
import { virtualTime } from '../../../world/virtual-time.ts';

function loopWithTime() {
  const loop = new VirtualLoop();
  const life = new Life('test');
  return { loop, life, time: virtualTime(loop, life) };
}

describe('the virtual loop', () => {
  test('starts at 2026-01-05T06:00:00Z, and refuses to start at 0', () => {
    expect(new Date(new VirtualLoop().nowMs).toISOString()).toBe('2026-01-05T06:00:00.000Z');
    for (const startMs of [0, -1, 0.5, Number.NaN])
      expect(() => new VirtualLoop(startMs)).toThrow(RangeError);
  });

  test('runs events by time, then by the order of scheduling, with the clock set to each', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(30), { maxLength: 40 }), async (delays) => {
        const loop = new VirtualLoop(1_000);
        const ran: (readonly [number, number])[] = [];
        for (const [order, delayMs] of delays.entries())
          loop.schedule(1_000 + delayMs, 'x', () => ran.push([loop.nowMs - 1_000, order]));
        await loop.runUntil(2_000);
        const wanted = delays
          .map((delayMs, order) => [delayMs, order] as const)
          .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        expect(ran).toEqual(wanted);
        expect(loop.nowMs).toBe(2_000);
      }),
    );
  });

  test('what is scheduled in the past happens now, and a fraction of a millisecond later', async () => {
    const loop = new VirtualLoop(1_000);
    const ran: number[] = [];
    loop.schedule(5, 'past', () => ran.push(loop.nowMs));
    loop.schedule(1_000.2, 'fraction', () => ran.push(loop.nowMs));
    await loop.runUntil(2_000);
    expect(ran).toEqual([1_000, 1_001]);
    expect(() => loop.schedule(Number.NaN, 'x', () => undefined)).toThrow(RangeError);
  });

  test('promises settle before the next event, however long their chain is', async () => {
    const { loop, time } = loopWithTime();
    const heard: string[] = [];
    const chain = async () => {
      await sleep(time, 1);
      for (let link = 0; link < 1_000; link++) await Promise.resolve();
      heard.push('chain');
    };
    const chaining = chain();
    loop.schedule(loop.nowMs + 1, 'after', () => heard.push('after'));
    await loop.runUntil(loop.nowMs + 10);
    await chaining;
    expect(heard).toEqual(['chain', 'after']);
  });

  test('an event of which no program hears is followed at once by the next, any other by the promises', async () => {
    const loop = new VirtualLoop(1_000);
    const heard: string[] = [];
    const actor = (isHeard: boolean) => ({
      happen(name: string) {
        void Promise.resolve().then(() => heard.push(`promise of ${name}`));
        heard.push(name);
        return isHeard;
      },
    });
    loop.plan(1_001, 'x', actor(false), 'inward');
    loop.plan(1_001, 'x', actor(true), 'outward');
    loop.plan(1_002, 'x', actor(true), 'later');
    await loop.runUntil(1_010);
    expect(heard).toEqual([
      ...['inward', 'outward', 'promise of inward', 'promise of outward'],
      ...['later', 'promise of later'],
    ]);
  });

  test('runs until a condition holds, and no further', async () => {
    const loop = new VirtualLoop(1_000);
    let count = 0;
    for (let event = 1; event <= 10; event++) loop.schedule(1_000 + event, 'x', () => (count += 1));
    await loop.runUntil(() => count === 4);
    expect([count, loop.nowMs, loop.scheduledCount]).toEqual([4, 1_004, 6]);
  });

  test('runs while a promise is open, and hands on what came of it', async () => {
    const { loop, time } = loopWithTime();
    const work = async () => {
      await sleep(time, 12 * 3_600_000);
      return 'done';
    };
    expect(await loop.runWhile(work())).toBe('done');
    expect(loop.nowMs).toBe(DEFAULT_START_MS + 12 * 3_600_000);
    await expect(loop.runWhile(Promise.reject(new Error('of its own')))).rejects.toThrow('of its own');
  });

  test('is stuck where nothing is left to happen while something is waited for, and says what', async () => {
    const { loop, life } = loopWithTime();
    loop.opening(life, 'link box-1 publish');
    loop.opening(life, 'link box-1 publish');
    loop.opening(life, 'flash box-2 write');
    loop.schedule(loop.nowMs + 5, 'x', () => undefined);
    await expect(loop.runUntil(loop.nowMs + 1)).resolves.toBeUndefined();
    const stuck: unknown = await loop.runUntil(loop.nowMs + 10).catch((error: unknown) => error);
    expect(stuck).toBeInstanceOf(Stuck);
    expect(String(stuck)).toContain('link box-1 publish (2 times); flash box-2 write');
  });

  test('is stuck where a condition cannot hold any more, or does not in time', async () => {
    const loop = new VirtualLoop();
    await expect(loop.runUntil(() => false)).rejects.toBeInstanceOf(Stuck);
    const again = (): void => {
      loop.schedule(loop.nowMs + 1_000, 'again', again);
    };
    again();
    await expect(loop.runUntil(() => false, { withinMs: 60_000 })).rejects.toThrow('60000 ms');
  });

  test('is stuck where a program wakes itself without end in one millisecond', async () => {
    const loop = new VirtualLoop();
    const again = (): void => {
      loop.schedule(loop.nowMs, 'again', again);
    };
    again();
    await expect(loop.runUntil(loop.nowMs + 1)).rejects.toThrow(/stands still.*again/);
  });

  test('what an event throws comes out, and the loop goes on after it', async () => {
    const loop = new VirtualLoop();
    let hasRun = false;
    loop.schedule(loop.nowMs, 'bad', () => {
      throw new Error('of the event');
    });
    loop.schedule(loop.nowMs, 'good', () => {
      hasRun = true;
    });
    await expect(loop.runUntil(loop.nowMs)).rejects.toThrow('of the event');
    await loop.runUntil(loop.nowMs);
    expect(hasRun).toBe(true);
  });

  test('does not run twice at once', async () => {
    const loop = new VirtualLoop();
    const running = loop.runUntil(loop.nowMs + 1);
    await expect(loop.runUntil(loop.nowMs + 1)).rejects.toThrow('running already');
    await running;
  });

  test('tells its witness of every event, but not of one that was taken back', async () => {
    const seen: string[] = [];
    const loop = new VirtualLoop(1_000, (atMs, label) => seen.push(`${atMs} ${label}`));
    const takeBack = loop.schedule(1_001, 'taken back', () => undefined);
    loop.schedule(1_002, 'b', () => undefined);
    const late = loop.schedule(1_001, 'a', () => undefined);
    takeBack();
    await loop.runUntil(1_010);
    late();
    expect(seen).toEqual(['1001 a', '1002 b']);
    expect(loop.eventCount).toBe(2);
  });

  test('nothing happens to a severed life: no alarm, no promise, and nothing counts as waited for', async () => {
    const { loop, life, time } = loopWithTime();
    const heard: string[] = [];
    time.alarm(loop.nowMs + 5, () => heard.push('alarm'));
    const opening = loop.opening<string>(life, 'x');
    void opening.promise.then(() => heard.push('promise'));
    life.sever();
    opening.resolve('late');
    time.alarm(loop.nowMs + 5, () => heard.push('later alarm'));
    expect(loop.opening(life, 'y').isOpen).toBe(false);
    await loop.runUntil(loop.nowMs + 10);
    expect(heard).toEqual([]);
    expect(loop.waiting).toEqual([]);
  });
});

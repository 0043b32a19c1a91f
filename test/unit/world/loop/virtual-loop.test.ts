import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DEFAULT_START_MS, Stuck, VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { sleep } from '../../../../world/time/time.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';

function loopWithTime() {
  const loop = new VirtualLoop();
  const scope = new ProcessScope('test');
  return { loop, scope: scope, time: virtualTime(loop, scope) };
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

  test('an event scheduled in the past runs now, and fractions of a millisecond are rounded up', async () => {
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

  test('an event that notifies no program is followed at once by the next, any other by the promises', async () => {
    const loop = new VirtualLoop(1_000);
    const heard: string[] = [];
    const actor = (isHeard: boolean) => ({
      handle(name: string) {
        void Promise.resolve().then(() => heard.push(`promise of ${name}`));
        heard.push(name);
        return isHeard;
      },
    });
    loop.scheduleEvent(1_001, 'x', actor(false), 'inward');
    loop.scheduleEvent(1_001, 'x', actor(true), 'outward');
    loop.scheduleEvent(1_002, 'x', actor(true), 'later');
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

  test('runs while a promise is open, and returns its outcome', async () => {
    const { loop, time } = loopWithTime();
    const work = async () => {
      await sleep(time, 12 * 3_600_000);
      return 'done';
    };
    expect(await loop.runWhile(work())).toBe('done');
    expect(loop.nowMs).toBe(DEFAULT_START_MS + 12 * 3_600_000);
    await expect(loop.runWhile(Promise.reject(new Error('of its own')))).rejects.toThrow('of its own');
  });

  test('is stuck if no event is left while a call is pending, and names the call', async () => {
    const { loop, scope } = loopWithTime();
    loop.pendingCall(scope, 'link box-1 publish');
    loop.pendingCall(scope, 'link box-1 publish');
    loop.pendingCall(scope, 'flash box-2 write');
    loop.schedule(loop.nowMs + 5, 'x', () => undefined);
    await expect(loop.runUntil(loop.nowMs + 1)).resolves.toBeUndefined();
    const stuck: unknown = await loop.runUntil(loop.nowMs + 10).catch((error: unknown) => error);
    expect(stuck).toBeInstanceOf(Stuck);
    expect(String(stuck)).toContain('link box-1 publish (2 times); flash box-2 write');
  });

  test('is stuck if a condition can no longer hold, or does not in time', async () => {
    const loop = new VirtualLoop();
    await expect(loop.runUntil(() => false)).rejects.toBeInstanceOf(Stuck);
    const again = (): void => {
      loop.schedule(loop.nowMs + 1_000, 'again', again);
    };
    again();
    await expect(loop.runUntil(() => false, { withinMs: 60_000 })).rejects.toThrow('60000 ms');
  });

  test('is stuck if a program schedules itself endlessly in one millisecond', async () => {
    const loop = new VirtualLoop();
    const again = (): void => {
      loop.schedule(loop.nowMs, 'again', again);
    };
    again();
    await expect(loop.runUntil(loop.nowMs + 1)).rejects.toThrow(/does not advance.*again/);
  });

  test('an error that an event throws is thrown, and the loop can continue after it', async () => {
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

  test('calls its observer with every event, but not with a cancelled one', async () => {
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

  test('nothing happens to a killed scope: no alarm, no promise, and nothing counts as pending', async () => {
    const { loop, scope, time } = loopWithTime();
    const heard: string[] = [];
    time.alarm(loop.nowMs + 5, () => heard.push('alarm'));
    const call = loop.pendingCall<string>(scope, 'x');
    void call.promise.then(() => heard.push('promise'));
    scope.kill();
    call.resolve('late');
    time.alarm(loop.nowMs + 5, () => heard.push('later alarm'));
    expect(loop.pendingCall(scope, 'y').isPending).toBe(false);
    await loop.runUntil(loop.nowMs + 10);
    expect(heard).toEqual([]);
    expect(loop.waiting).toEqual([]);
  });
});

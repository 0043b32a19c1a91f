import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { limits } from '../../../../world/limits.ts';
import { realClocks, realTime } from '../../../../world/time/real-time.ts';

/** vitest's timers replace Node's: a month passes at once, and the wall clock can be set. */
function withTimers(run: () => void): void {
  vi.useFakeTimers({ now: 1_760_000_000_000 });
  try {
    run();
  } finally {
    vi.useRealTimers();
  }
}

describe('real time', () => {
  test('a clock that advances between two readings causes no negative timer', () => {
    withTimers(() => {
      const delaysMs: unknown[] = [];
      const clocks = machine();
      const time = realClocks(clocks.readings).time;
      const timer = vi.spyOn(globalThis, 'setTimeout').mockImplementation((_run, delayMs) => {
        delaysMs.push(delayMs);
        return setInterval(() => undefined, 1_000);
      });
      const dueMs = time.nowMs() + 10;
      clocks.stepPerReadingMs = 4;
      time.alarm(dueMs, () => undefined);
      timer.mockRestore();
      expect(delaysMs).toEqual([0]);
    });
  });

  test('an alarm fires at its time, not before', () => {
    withTimers(() => {
      const wake = vi.fn();
      realTime().alarm(Date.now() + 1_000, wake);
      vi.advanceTimersByTime(999);
      expect(wake).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(wake).toHaveBeenCalledTimes(1);
    });
  });

  test('an alarm beyond 2^31 ms fires then, and not at once', () => {
    withTimers(() => {
      const wake = vi.fn();
      const fortyDaysMs = 40 * 24 * 3_600_000;
      realTime().alarm(Date.now() + fortyDaysMs, wake);
      vi.advanceTimersByTime(fortyDaysMs - 1);
      expect(wake).not.toHaveBeenCalled();
      vi.advanceTimersByTime(1);
      expect(wake).toHaveBeenCalledTimes(1);
    });
  });

  test('an alarm in the past fires soon, but not within the call', () => {
    withTimers(() => {
      const wake = vi.fn();
      realTime().alarm(Date.now() - 5_000, wake);
      realTime().alarm(Date.now(), wake);
      expect(wake).not.toHaveBeenCalled();
      vi.advanceTimersByTime(0);
      expect(wake).toHaveBeenCalledTimes(2);
    });
  });

  test('a cancelled alarm does not fire, whether due later or in the past', () => {
    withTimers(() => {
      const wake = vi.fn();
      const cancels = [0, 10, 100_000].map((delayMs) => realTime().alarm(Date.now() + delayMs, wake));
      vi.advanceTimersByTime(0);
      const rungBefore = wake.mock.calls.length;
      for (const cancel of cancels) cancel();
      vi.advanceTimersByTime(1_000_000);
      expect(wake.mock.calls.length).toBe(rungBefore);
      for (const cancel of cancels) cancel();
    });
  });

  test('of many alarms each rings once, in the order of their times, unless it is cancelled', () => {
    withTimers(() => {
      fc.assert(
        fc.property(fc.array(fc.tuple(fc.integer({ min: 1, max: 5_000 }), fc.boolean())), (wanted) => {
          const time = realTime();
          const fromMs = Date.now();
          const rung: number[] = [];
          const cancels = wanted.map(([afterMs]) =>
            time.alarm(fromMs + afterMs, () => {
              expect(Date.now()).toBeGreaterThanOrEqual(fromMs + afterMs);
              rung.push(afterMs);
            }),
          );
          for (const [index, [, isCancelled]] of wanted.entries()) if (isCancelled) cancels[index]?.();
          vi.advanceTimersByTime(6_000);
          const left = wanted.filter(([, isCancelled]) => !isCancelled).map(([afterMs]) => afterMs);
          expect(rung).toEqual(left.sort((one, other) => one - other));
          expect(vi.getTimerCount()).toBe(0);
        }),
      );
    });
  });

  test('all alarms together take one timer, and the last that is cancelled takes it away', () => {
    withTimers(() => {
      const time = realTime();
      const cancels = [5, 3, 9].map((afterS) => time.alarm(Date.now() + afterS * 1_000, () => undefined));
      expect(vi.getTimerCount()).toBe(1);
      for (const cancel of cancels) cancel();
      expect(vi.getTimerCount()).toBe(0);
    });
  });

  test('an alarm that throws takes no other with it', () => {
    withTimers(() => {
      const time = realTime();
      const wake = vi.fn();
      time.alarm(Date.now() + 10, () => {
        throw new Error('planned');
      });
      time.alarm(Date.now() + 10, wake);
      expect(() => vi.advanceTimersByTime(10)).toThrow('planned');
      vi.advanceTimersByTime(10);
      expect(wake).toHaveBeenCalledTimes(1);
    });
  });

  test('more alarms than ring in a row all ring', () => {
    withTimers(() => {
      const time = realTime();
      const wake = vi.fn();
      for (let count = 0; count < 3 * limits.alarmsAtOnce; count += 1) time.alarm(Date.now() + 10, wake);
      vi.advanceTimersByTime(20);
      expect(wake).toHaveBeenCalledTimes(3 * limits.alarmsAtOnce);
    });
  });

  test.each([-60_000, 60_000, -86_400_000, 86_400_000])(
    'a wall clock that is set by %i ms moves no alarm that is set, and none that is set afterwards',
    (byMs) => {
      withTimers(() => {
        const { time, steadyTime } = realClocks();
        const before = vi.fn();
        const steady = vi.fn();
        const after = vi.fn();
        const beganMs = steadyTime.nowMs();
        time.alarm(Date.now() + 10_000, before);
        steadyTime.alarm(beganMs + 10_000, steady);
        vi.advanceTimersByTime(1_000);
        vi.setSystemTime(Date.now() + byMs);
        expect(steadyTime.nowMs() - beganMs).toBe(1_000);
        time.alarm(Date.now() + 9_000, after);
        vi.advanceTimersByTime(8_999);
        expect([before, steady, after].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0]);
        vi.advanceTimersByTime(1);
        expect([before, steady, after].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]);
        expect(steadyTime.nowMs() - beganMs).toBe(10_000);
      });
    },
  );

  test('what became due while the machine slept rings within a minute of its waking', () => {
    withTimers(() => {
      const clocks = machine();
      const { time, steadyTime } = realClocks(clocks.readings);
      const wake = vi.fn();
      time.alarm(time.nowMs() + 3_600_000, wake);
      steadyTime.alarm(steadyTime.nowMs() + 3_600_000, wake);
      clocks.sleep(3_600_000);
      vi.advanceTimersByTime(limits.longestTimerMs);
      expect(wake).toHaveBeenCalledTimes(2);
    });
  });
});

/** The clocks of a machine that can sleep; while it is awake they go by vitest's timers. */
function machine() {
  let sleptMs = 0;
  let readMs = 0;
  const beganMs = Date.now();
  const read = (ms: number): number => {
    readMs += state.stepPerReadingMs;
    return ms + readMs;
  };
  const state = {
    stepPerReadingMs: 0,
    readings: {
      wallMs: () => read(Date.now() + sleptMs),
      monotonicMs: () => read(Date.now() - beganMs),
      uptimeS: () => (Date.now() - beganMs + sleptMs) / 1_000 + 1_000_000,
    },
    sleep(durationMs: number) {
      sleptMs += durationMs;
    },
  };
  return state;
}
